package session

import "testing"

func TestLastLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                       "",
		"starting\nbad config\n": "bad config",
		"node:internal/modules:1207\n  throw err;\n  ^\n\nError: Cannot find module 'x'\n    at f (y:1:2) {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v20.20.2\n": "Error: Cannot find module 'x'",
		"Traceback (most recent call last):\n  File \"a.py\", line 1\nModuleNotFoundError: No module named 'x'\n":                                                                      "ModuleNotFoundError: No module named 'x'",
		"TypeError [ERR_INVALID]: bad\n    at f (y:1:2)\n": "TypeError [ERR_INVALID]: bad",
		"panic: no\n\ngoroutine 1 [running]:\n}\n":         "panic: no",
	} {
		if got := lastLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
