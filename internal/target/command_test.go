package target

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		line string
		want target
	}{
		{"node dist/index.js --x", target{file: "a/dist/index.js", program: []string{"node"}, args: []string{"--x"}}},
		{"node --env-file .env --no-warnings ./s.js", target{file: "a/s.js", program: []string{"node", "--env-file", ".env", "--no-warnings"}, args: []string{}}},
		{"node ${workspaceFolder}/s.js", target{file: "a/s.js", program: []string{"node"}, args: []string{}}},
		{"cmd /c npx -y tide-mcp@latest stdio", target{name: "tide-mcp", ecosystem: "npm", args: []string{"stdio"}}},
		{"npx -y @harbour/tide@1.2.3", target{name: "@harbour/tide", ecosystem: "npm", args: []string{}}},
		{"npx tsx src/index.ts", target{file: "a/src/index.ts", program: []string{"npx", "--no-install", "tsx"}, args: []string{}}},
		{"npx .", target{dir: "a", args: []string{}}},
		{"pnpm dlx tide", target{name: "tide", ecosystem: "npm", args: []string{}}},
		{"npm start -- --x", target{dir: "a", args: []string{"--x"}}},
		{"npm --prefix b run mcp", target{dir: "a/b", args: []string{}}},
		{"npm install", target{}},
		{"bun run src/index.ts", target{file: "a/src/index.ts", program: []string{"bun", "run"}, args: []string{}}},
		{"bun run start", target{dir: "a", args: []string{}}},
		{"deno run -A main.ts x", target{file: "a/main.ts", program: []string{"deno", "run", "-A"}, args: []string{"x"}}},
		{"uvx heron-mcp@latest --x", target{name: "heron-mcp", ecosystem: "pypi", command: true, args: []string{"--x"}}},
		{"uvx --from . heron", target{dir: "a", args: []string{}}},
		{"uv run --directory b heron", target{name: "heron", ecosystem: "pypi", command: true, args: []string{}}},
		{"uv --directory b run server.py", target{file: "a/b/server.py", program: []string{"uv", "run"}, args: []string{}}},
		{"uv run --with mcp python -m heron x", target{name: "heron", ecosystem: "pypi", command: true, args: []string{"x"}}},
		{"uv run mcp run server.py", target{file: "a/server.py", dir: "a", args: []string{}}},
		{"uv tool run heron", target{name: "heron", ecosystem: "pypi", command: true, args: []string{}}},
		{"poetry run otter", target{name: "otter", ecosystem: "pypi", command: true, args: []string{}}},
		{"python -u server.py", target{file: "a/server.py", program: []string{"python", "-u"}, args: []string{}}},
		{"python3 -m heron", target{name: "heron", ecosystem: "pypi", command: true, args: []string{}}},
		{"go run ./cmd/x y", target{file: "a/cmd/x", args: []string{"y"}}},
		{"go run main.go util.go y", target{file: "a", args: []string{"y"}}},
		{"go run example.com/x@latest", target{name: "example.com/x", ecosystem: "go", args: []string{}}},
		{"cargo run --bin wren -- stdio", target{name: "wren", command: true, args: []string{"stdio"}}},
		{"dotnet run --project src/Kestrel", target{dir: "a/src/Kestrel"}},
		{"java -jar target/x.jar y", target{file: "a/target/x.jar", program: []string{"java", "-jar"}, args: []string{"y"}}},
		{"bundle exec ruby server.rb", target{file: "a/server.rb", program: []string{"ruby"}, args: []string{}}},
		{"./run.sh x", target{file: "a/run.sh", args: []string{"x"}}},
		{"tide-mcp x", target{name: "tide-mcp", command: true, args: []string{"x"}}},
		{"docker run -i x", target{}},
		{"sh -c x", target{}},
		{"node ../../outside.js", target{}},
		{"node /abs/outside.js", target{}},
		{"node", target{name: "node", command: true, args: []string{}}},
		{"npx", target{}}, {"uv", target{}}, {"uv run", target{}}, {"uv run --directory", target{}}, {"npm --prefix", target{}},
		{"go", target{}}, {"go run", target{}}, {"python", target{}}, {"java -jar", target{}}, {"uvx --from", target{}}, {"cmd /c npx", target{}},
	} {
		t.Run(c.line, func(t *testing.T) {
			got := resolve("a", strings.Fields(c.line))
			if diff := cmp.Diff(c.want, got, cmp.AllowUnexported(target{})); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestSmitheryObject(t *testing.T) {
	for _, c := range []struct {
		name, function string
		want           map[string]string
	}{
		{"arrow", "(config) => ({ command: 'node', args: ['a', `b`] })", map[string]string{"command": "'node'", "args": "['a', `b`]"}},
		{"return", "function (config) {\n  const x = {a: 1};\n  return {\"command\": \"node\",};\n}", map[string]string{"command": `"node"`}},
		{"nested", "() => ({command: 'x', env: {A: f({b: [1, 2]}), B: '},'}})", map[string]string{"command": "'x'", "env": "{A: f({b: [1, 2]}), B: '},'}"}},
		{"none", "() => spawn('x')", nil},
		{"cut short", "() => ({ command: 'x", map[string]string{}},
		{"no brace", "command: 'x'", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, smithery{}.object(c.function)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestArgumentWords(t *testing.T) {
	for _, c := range []struct {
		argument string
		want     []string
	}{
		{`{"type":"positional","value":"stdio"}`, []string{"stdio"}},
		{`{"type":"positional","valueHint":"folder","isRequired":true,"format":"filepath"}`, []string{"."}},
		{`{"type":"positional","valueHint":"folder"}`, nil},
		{`{"type":"named","name":"--level","default":"info"}`, nil},
		{`{"type":"named","name":"--level","default":"info","isRequired":true}`, []string{"--level", "info"}},
		{`{"type":"named","name":"--port","default":3000}`, []string{"--port", "${PORT}"}},
		{`{"type":"named","name":"--quiet","format":"boolean","value":"true"}`, []string{"--quiet"}},
		{`{"type":"named","name":"--quiet","format":"boolean"}`, nil},
		{`{"type":"named","name":"--at","value":"{host}:1","variables":{"host":{"default":"here"}}}`, []string{"--at", "here:1"}},
		{`{"type":"named","value":"x"}`, nil},
	} {
		t.Run(c.argument, func(t *testing.T) {
			n, err := parseJSON([]byte(c.argument))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, argumentWords(n)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
