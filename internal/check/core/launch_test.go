package core

import (
	"os"
	"path/filepath"
	"testing"
)

func TestFirstMissing(t *testing.T) {
	tests := []struct{ in, want string }{
		{"Error: DEMO_API_KEY environment variable is required\n", "DEMO_API_KEY"},
		{"Missing GITHUB_PERSONAL_ACCESS_TOKEN", "GITHUB_PERSONAL_ACCESS_TOKEN"},
		{"KeyError: 'OPENAI_API_KEY'\n", "OPENAI_API_KEY"},
		{"starting with LOG_LEVEL\nplease set DB_URL\n", "DB_URL"},
		{"code: 'ERR_MODULE_NOT_FOUND'\n", ""},
		{"Error [ERR_MODULE_NOT_FOUND]: Cannot find module\n", ""},
		{"MODULE_NOT_FOUND\n", ""},
		{"LOG_LEVEL is debug\n", ""},
		{"the token is required\n", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := firstMissing(tt.in); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestSentence(t *testing.T) {
	for in, want := range map[string]string{"": "", "the server": "The server.", "Done.": "Done.", "cut…": "Cut…"} {
		if got := sentence(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

// TestMirror: the mirrored folder shows the entries and gets a .env file of
// its own, and the folder itself is not touched.
func TestMirror(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "index.js"), []byte("1"), 0o600)
	copied, err := mirror(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(copied)
	if data, err := os.ReadFile(filepath.Join(copied, "index.js")); err != nil || string(data) != "1" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := os.Stat(filepath.Join(copied, ".env")); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(filepath.Join(dir, ".env")); err == nil {
		t.Error("the folder itself got a .env file")
	}
	os.WriteFile(filepath.Join(dir, ".env"), []byte("A=1"), 0o600)
	again, err := mirror(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(again)
	if data, _ := os.ReadFile(filepath.Join(again, ".env")); string(data) != "A=1" {
		t.Errorf("an existing .env file is replaced: %q", data)
	}
	if _, err := mirror("/no/such/folder"); err == nil {
		t.Error("a folder that does not exist is no error")
	}
}
