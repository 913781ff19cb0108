package reply

import "testing"

func TestLeak(t *testing.T) {
	tests := []struct{ pattern, text string }{
		{"python-traceback", "Traceback (most recent call last):\n  ..."},
		{"python-traceback", `  File "/srv/app/tools.py", line 12, in greet`},
		{"python-traceback", `File "<string>", line 1`},
		{"python-traceback", `in "tools.py", line 12`},
		{"python-traceback", `{"error":"File \"/srv/app/tools.py\", line 12"}`},
		{"", `the word Traceback alone`},
		{"", `see line 12 of "tools.txt"`},
		{"", `File "notes.txt" has a line 3`},

		{"javascript-frame", "Error: x\n    at greet (/srv/app/index.js:10:5)"},
		{"javascript-frame", "    at greet (file:///srv/app/index.js:10:5)"},
		{"javascript-frame", `    at greet (D:\work\index.js:10:5)`},
		{"javascript-frame", "    at greet (D:/work/index.js:10:5)"},
		{"javascript-frame", "    at Module._compile (node:internal/modules/cjs/loader:1358:14)"},
		{"javascript-frame", "    at async Promise.all (index.js:3:4)"},
		{"javascript-frame", "    at async Server.handle (/srv/app/(group)/server.ts:10:5)"},
		{"javascript-frame", "    at new Tool (/srv/app/tool.mjs:1:2)"},
		{"javascript-frame", "    at Object.<anonymous> (src/tool.ts:1:2)"},
		{"javascript-frame", "    at Foo.bar [as baz] (/srv/a.js:1:2)"},
		{"javascript-frame", "    at eval (eval at <anonymous> (/srv/a.js:1:2), <anonymous>:3:4)"},
		{"javascript-frame", "    at node:internal/main/run_main_module:28:49"},
		{"javascript-frame", "    at file:///srv/app/index.js:10:5"},
		{"javascript-frame", "    at async /srv/app/index.js:10:5"},
		{"javascript-frame", "    at f (webpack-internal:///./src/a.js:1:2)"},
		{"", "look at fn (file, line 3)"},
		{"", "meet at noon (12:30:45)"},
		{"", "meet at noon 12:30:45"},
		{"", "at com.acme.Tool.run(Tool.java:10)"},
		{"", "at greet (/srv/app/index.js)"},
		{"", "that greet (/srv/app/index.js:10:5)"},
		{"", "format (/srv/app/index.js:10:5)"},
		{"", "at 2026-01-01T10:00:00"},

		{"dependency-line", "node_modules/zod/lib/types.js:43"},
		{"dependency-line", "/srv/node_modules/.pnpm/zod@3.22.4/node_modules/zod/index.mjs:10:3"},
		{"dependency-line", "site-packages/pydantic/main.py:253"},
		{"dependency-line", `site-packages\pydantic\main.py:253`},
		{"dependency-line", "site-packages/pydantic/main.py, line 253"},
		{"dependency-line", "node_modules/a/index.ts(10,3)"},
		{"", "node_modules/zod/lib/types.js"},
		{"", "node_modules/zod/package.json"},
		{"", "node_modules/zod: 10"},
		{"", "added 3 packages to node_modules/"},

		{"windows-path", `C:\Users\alex\app`},
		{"windows-path", `c:\users\alex`},
		{"windows-path", `C:\\Users\\alex\\app`},
		{"windows-path", `"C:\Windows\System32\cmd.exe"`},
		{"windows-path", `C:\Program Files\nodejs\node.exe`},
		{"windows-path", `C:\Program Files (x86)\a`},
		{"", `C:\work\app`},
		{"", `D:\Users\alex`},
		{"", `C:\Users`},
		{"", `ABC:\Users\alex`},
		{"", "C:/Program"},

		{"home-path-line", "/home/alex/app/main.go:12"},
		{"home-path-line", "in /Users/alex/app/main.swift:12:4: bad"},
		{"home-path-line", "(/root/app/main.rs:3)"},
		{"home-path-line", "see /root/app/main.rb:3."},
		{"home-path-line", "file:///home/alex/a.ts:3"},
		{"", "ENOENT: no such file or directory, open '/home/alex/notes.txt'"},
		{"", "PATH=/home/alex/bin:/usr/bin:/root/bin"},
		{"", "/home/alex/project: 3 files"},
		{"", "/home/alex/logs/2026-01-01T10:00:00.log"},
		{"", "https://example.com/home/a:80"},
		{"", "/srv/home/alex/main.go:12"},
		{"", "/srv/app/main.go:12"},
		{"", "~/home/x:1"},
	}
	seen := map[string]bool{}
	for _, test := range tests {
		match, pattern := leak(test.text)
		if pattern != test.pattern {
			t.Errorf("%q: pattern %q (%q), want %q", test.text, pattern, match, test.pattern)
		}
		seen[test.pattern] = true
	}
	for _, p := range LeakPatterns {
		if !seen[p.ID] || p.Text == "" || PatternText(p.ID) != p.Text {
			t.Errorf("pattern %s is not tested or has no text", p.ID)
		}
	}
	if len(LeakPatterns) != 5 {
		t.Errorf("%d patterns, the document has five", len(LeakPatterns))
	}
}
