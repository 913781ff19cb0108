//go:build unix

package target

import (
	"path/filepath"
	"syscall"
	"testing"
)

// TestPipes: nobody waits for a pipe that poses as a manifest.
func TestPipes(t *testing.T) {
	root := write(t, map[string]string{"package.json": `{"name":"pipe-mcp","bin":"server.js"}`})
	for _, name := range []string{"server.json", "server.js", "go.mod", ".env.example"} {
		if err := syscall.Mkfifo(filepath.Join(root, name), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if d := detectSoon(t, root); len(d.Plans) != 0 {
		t.Errorf("%s", indented(t, d))
	}
}
