package main

import (
	"fmt"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/target"
)

// job is a server that is to be tested: one whose command or URL is given, one
// that was found, or none, with the reason.
type job struct {
	*config.Config
	// Key names the server among others of the repository.
	Key    string
	Anchor rule.Location
	// Plan is how it was found to be built and launched, nil if that is given.
	Plan *target.Plan
	// None says why there is no server, "" if there is one.
	None string
	// Notices are remarks on how it came to be chosen.
	Notices []string
}

// plan makes the jobs of what is configured. The repository at root is looked
// at only if a server is to be found there.
func plan(list []*config.Config, root string) ([]job, error) {
	var jobs []job
	var found *target.Detection
	for _, c := range list {
		if len(c.Command) > 0 || c.URL != "" {
			jobs = append(jobs, given(c))
			continue
		}
		if found == nil {
			d, err := target.Detect(root)
			if err != nil {
				return nil, ownFault(err)
			}
			found = &d
		}
		more, err := choose(c, root, *found)
		if err != nil {
			return nil, err
		}
		jobs = append(jobs, more...)
	}
	return jobs, nil
}

// given is the job of a server whose command or URL is given.
func given(c *config.Config) job {
	key := c.Name
	if key == "" {
		key = serverKey(c)
	}
	return job{Config: c, Key: key, Anchor: anchor(c)}
}

// choose picks the servers that are meant of those that were found: all, the
// one of the name, or the best one.
func choose(c *config.Config, root string, d target.Detection) ([]job, error) {
	plans, where := below(c, root, d.Plans)
	if len(plans) == 0 {
		none := given(c)
		none.None = d.None
		if none.None == "" {
			none.None = fmt.Sprintf("no server was found in %s; there is one in %s", where, d.Plans[0].Directory)
		}
		return []job{none}, nil
	}
	if c.All {
		var jobs []job
		for _, p := range plans {
			jobs = append(jobs, planned(c, p, p.Name))
		}
		return jobs, nil
	}
	named := slices.IndexFunc(plans, func(p target.Plan) bool { return p.Name == c.Name })
	switch {
	case c.Name != "" && named >= 0:
		return []job{planned(c, plans[named], c.Name)}, nil
	case c.Name != "" && (where == "." || c.Directory == ""):
		_, err := pick(plans, c.Name)
		return nil, usage(err)
	case c.Name != "":
		return []job{planned(c, plans[0], c.Name)}, nil
	}
	best := planned(c, plans[0], folderKey(root, plans[0].Directory))
	if others := namesOf(plans[1:]); len(others) > 0 {
		best.Notices = append(best.Notices, fmt.Sprintf("The repository holds other servers too: %s. This is %s; --server or the input server picks another one, servers: all tests each.", strings.Join(others, ", "), plans[0].Name))
	}
	return []job{best}, nil
}

// below are the plans of the working directory, and its place in the
// repository. Without a working directory that is the current folder, unless
// it holds none.
func below(c *config.Config, root string, plans []target.Plan) ([]target.Plan, string) {
	where, ok := inside(root, c.Directory)
	if !ok || where == "." {
		return plans, "."
	}
	var list []target.Plan
	for _, p := range plans {
		if p.Directory == where || strings.HasPrefix(p.Directory, where+"/") {
			list = append(list, p)
		}
	}
	if len(list) == 0 && c.Directory == "" {
		return plans, "."
	}
	return list, where
}

func namesOf(plans []target.Plan) []string {
	var names []string
	for _, p := range plans {
		names = append(names, p.Name)
	}
	return names
}

// folderKey is the key of the one server that is tested in a folder.
func folderKey(root, folder string) string {
	if folder == "." {
		return filepath.Base(root)
	}
	return folder
}

// planned is the job of a server that was found.
func planned(c *config.Config, p target.Plan, key string) job {
	j := job{Config: c, Key: key, Plan: &p, Anchor: rule.Location{Path: "sealmark.yml", Line: 1}}
	for _, w := range p.Why {
		if path.Base(w.Path) == p.Detector || path.Ext(w.Path) == path.Ext(p.Detector) {
			j.Anchor = rule.Location{Path: w.Path, Line: max(1, w.Line)}
			return j
		}
	}
	if len(p.Why) > 0 {
		j.Anchor = rule.Location{Path: p.Why[0].Path, Line: max(1, p.Why[0].Line)}
	}
	return j
}

// shown is the plan as the result holds it.
func shown(p *target.Plan, steps []target.Step) *result.Plan {
	if p == nil {
		return nil
	}
	s := &result.Plan{Name: p.Name, Detector: p.Detector, Directory: p.Directory, Why: p.Why}
	for _, step := range steps {
		s.Build = append(s.Build, step.Args)
	}
	return s
}

// launches are the ways to launch the server, in the order in which they are
// tried, of those that can be tested. why says why none can, "" if one can.
func (j job) launches() (list []target.Launch, why string) {
	if j.Plan == nil {
		return []target.Launch{{Command: j.Command, URL: j.URL}}, ""
	}
	for _, l := range append([]target.Launch{j.Plan.Launch}, j.Plan.Alternatives...) {
		switch {
		case len(l.Command) == 0:
			why = "it names no command that starts the server"
		case l.Transport == target.SSE:
			why = "the server speaks the transport HTTP with SSE of 2024-11-05 alone, which this version does not test"
		default:
			list = append(list, l)
		}
	}
	if len(list) > 0 {
		why = ""
	}
	return list, why
}

// launched is the configuration for one way to launch the server, and what its
// manifest says of variables.
func (j job) launched(l target.Launch) (c *config.Config, defaults map[string]string, needs []string) {
	launched := *j.Config
	launched.Command, launched.URL = l.Command, l.URL
	if j.Plan != nil {
		launched.Directory = j.Plan.Directory
	}
	defaults = map[string]string{}
	for _, v := range l.Env {
		_, set := j.Env[v.Name]
		switch {
		case v.Value != "":
			defaults[v.Name] = v.Value
		case v.Required && !set:
			needs = append(needs, v.Name)
		}
	}
	return &launched, defaults, needs
}

// steps are the commands of the build: those that are given, else those of the
// plan.
func (j job) steps(root string) []target.Step {
	if j.Build == nil && j.Plan != nil {
		return j.Plan.Build
	}
	var steps []target.Step
	for _, args := range j.Build {
		steps = append(steps, target.Step{Args: args, Dir: j.folder(root)})
	}
	return steps
}

// folder is where the server is built and started, relative to the root; "" if
// that lies outside.
func (j job) folder(root string) string {
	if j.Plan != nil {
		return j.Plan.Directory
	}
	folder := j.Directory
	if folder == "" {
		folder = "."
	}
	rel, ok := inside(root, folder)
	if !ok {
		return ""
	}
	return rel
}

// unfilled are the variables that were given without a value, sorted.
func (j job) unfilled() []string {
	var names []string
	for _, env := range []map[string]string{j.Env, j.BuildEnv} {
		for name := range maps.Keys(env) {
			if env[name] == "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}
