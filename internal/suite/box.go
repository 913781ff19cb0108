package suite

import (
	"strings"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/confine"
	"github.com/sealmark/action/internal/redact"
)

// boxPaths are the folders of a box, whose names differ from run to run, and
// what the result shows in their place: paths in the copy are relative.
func boxPaths(box *confine.Box) []redact.Path {
	if box == nil || !box.Isolation().Copy {
		return nil
	}
	paths := []redact.Path{{Folder: box.Dir(), Shown: "."}}
	for _, pair := range box.Env() {
		name, value, _ := strings.Cut(pair, "=")
		if (name == "HOME" || name == "TMPDIR") && value != box.Dir() {
			paths = append(paths, redact.Path{Folder: value, Shown: "$" + name})
		}
	}
	return paths
}

// reaching resolves contract.reach: auto. A server that is kept away from all
// that it could harm, and was given nothing to harm it with, may get calls that
// it would carry out.
func reaching(c *config.Config, box *confine.Box) *config.Config {
	if c.Contract.Reach != "auto" || box == nil || len(c.Env) > 0 {
		return c
	}
	if held := box.Isolation(); !held.User || !held.Copy {
		return c
	}
	all := *c
	all.Contract.Reach = "all"
	return &all
}

// notices are the remarks on how the server came to be started.
func (r *runner) notices() []string {
	list := r.Notices
	if given := r.env.Given; len(given) > 0 {
		list = append(list, "The server ends at its start without "+strings.Join(given, ", ")+", so it was tested with harmless values for them. Give real ones with env, or switch this off with env_canaries: off.")
	}
	if r.Box != nil {
		for _, breach := range r.Box.Breaches() {
			list = append(list, "Kept from the build or the server: "+r.env.Redact.Line(breach, 300))
		}
	}
	return list
}
