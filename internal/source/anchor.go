package source

import (
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// launchers are the files that say how a server is launched, in the order in
// which findings are anchored to them.
var launchers = []string{"server.json", "manifest.json", "package.json", "pyproject.toml", "go.mod", "Cargo.toml", "sealmark.yml", "sealmark.yaml"}

// Anchor returns the file that findings without a place of their own point to:
// the manifest in the server's folder, the configuration file, or the workflow
// that runs Sealmark. root is "" if the server is in no repository. directory
// and config are relative to root, with forward slashes, or "" for none;
// workflow is OWNER/REPO/PATH@REF, as the runner names it.
func Anchor(root, directory, config, workflow string) rule.Location {
	at := func(name string) rule.Location {
		return rule.Location{Path: name, Line: 1, Basis: rule.Fallback}
	}
	for _, name := range launchers {
		if root == "" {
			break
		}
		rel := path.Join(directory, name)
		if info, err := os.Stat(filepath.Join(root, filepath.FromSlash(rel))); err == nil && info.Mode().IsRegular() {
			return at(rel)
		}
	}
	if config != "" {
		return at(config)
	}
	file, _, _ := strings.Cut(workflow, "@")
	if i := strings.Index(file, ".github/workflows/"); i >= 0 {
		return at(file[i:])
	}
	return at("sealmark.yml")
}
