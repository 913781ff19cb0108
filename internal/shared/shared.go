// Package shared gives tests what lies beside the checkout: recordings of real
// servers and published schemas.
package shared

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// Need returns the path of a file or folder beside the checkout. Where it is
// missing the test is skipped, and fails in CI.
func Need(t testing.TB, path string) string {
	t.Helper()
	folder, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(folder, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(folder) == folder {
			t.Fatal("no checkout around the test")
		}
		folder = filepath.Dir(folder)
	}
	found := filepath.Join(filepath.Dir(folder), "shared", path)
	if _, err := os.Stat(found); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatalf("%s is missing beside the checkout", path)
		}
		t.Skipf("SKIPPED: %s is missing beside the checkout", path)
	}
	return found
}

// Tool is a tool of a real server as it was recorded.
type Tool struct {
	Name        string
	InputSchema json.RawMessage
}

// Tools returns the recorded tools of each real server, by the name of its
// file.
func Tools(t testing.TB) map[string][]Tool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(Need(t, "corpus/lists"), "*.json"))
	if err != nil || len(files) == 0 {
		t.Fatal("no recorded lists: ", err)
	}
	servers := map[string][]Tool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var list struct{ Tools struct{ Items []Tool } }
		if err := json.Unmarshal(data, &list); err != nil {
			t.Fatal(file, err)
		}
		servers[filepath.Base(file)] = list.Tools.Items
	}
	return servers
}
