package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sealmark/action/internal/rule"
)

// NoFile as Sources.Path reads no configuration file at all.
const NoFile = "\x00"

// Environ looks up a variable, like os.LookupEnv.
type Environ func(name string) (value string, ok bool)

// Sources are where settings come from. Flags win over the file, the file over
// the defaults.
type Sources struct {
	// Path is the configuration file: "" for sealmark.yml if there is one,
	// NoFile for none.
	Path string
	// Flags holds general settings by the name of their flag without dashes.
	Flags map[string]string
	// FlagPrefix is put before the name of a flag in errors: "--" if empty.
	FlagPrefix string
	Command    []string
	URL        string
	Directory  string
	// Server picks the server of the name, AllServers stands for all.
	Server string
	// Build holds lines of commands.
	Build []string
	// Static: no server is started or reached, so none is needed, and what the
	// file says of one is left alone.
	Static bool
	// Env and BuildEnv hold NAME=VALUE.
	Env, BuildEnv []string
	Only, Skip    []string
	Standard      bool
	// Within is the checkout of code that is not trusted, "" for none: no link in
	// it leads the configuration file or a folder out of it, and the file names
	// no folder outside of it.
	Within string
	// Environ is read for ${NAME}, os.LookupEnv if nil.
	Environ Environ
}

// Config is what a run is configured with.
type Config struct {
	// Name is that of the entry in servers, else of the server that --server
	// picks, "" for none.
	Name string
	// All: every server that is found is meant.
	All bool
	// Command and URL say how the server is launched and where it is reached;
	// with neither, that is to be found out. In both, in Env and only there,
	// ${PORT} stands for a free port.
	Command   []string
	URL       string
	Directory string
	// Build are the commands that build the server: nil if they are to be found
	// out, empty for none.
	Build [][]string
	// Env are the variables that the user gives to the server, BuildEnv those
	// for the build alone.
	Env, BuildEnv map[string]string
	// EnvCanaries: a server that asks for variables may get harmless ones.
	EnvCanaries bool
	// Offline: the server is kept off the network while it is tested.
	Offline  bool
	Standard bool

	TimeoutStart, TimeoutProbe, TimeoutBuild, Timeout time.Duration
	// Lanes is 0 for the number of CPUs, at most 4.
	Lanes        int
	ActiveProbes string

	FailOn                string
	MinScore, MinCoverage float64
	MinGrade              string

	// NewOnly: only findings that the base does not have fail the run.
	NewOnly bool
	// Compare says where the base comes from: CompareFile, CompareBuild or
	// CompareOff.
	Compare string
	// Baseline is the path of the base's result, "" for none.
	Baseline string
	// Accept are the findings that the maintainers live with, in the order of
	// the file.
	Accept []Acceptance

	// Contract holds the settings of the contract pack.
	Contract Contract
	// Probes are the calls whose outcome is known, in the order of the file.
	Probes []Probe

	// RuleSeverity holds the severities that the user set for rules.
	RuleSeverity map[string]string
	// Secrets holds the values to redact, by name.
	Secrets map[string]string
	// Path is the configuration file that was read, "" for none.
	Path string

	sources  Sources
	values   map[string]value
	disabled map[string]Origin // check id -> where it was switched off
	checks   []rule.Check
}

// Build is BuildAll for one server: where several are given, it is an error
// not to pick one.
func Build(s Sources, checks []rule.Check) (*Config, error) {
	list, err := BuildAll(s, checks)
	if err != nil {
		return nil, err
	}
	if len(list) > 1 {
		var names []string
		for _, c := range list {
			names = append(names, c.Name)
		}
		return nil, &Error{Origin: Origin{File: list[0].Path}, Key: "servers", Message: "several servers are given: pick one of " + strings.Join(names, ", ") + " with --server"}
	}
	return list[0], nil
}

// BuildAll merges and checks the sources, and returns what each server is
// tested with: one, or as many as the file lists. Its error is an *Error, or
// several joined, one line each.
func BuildAll(s Sources, checks []rule.Check) ([]*Config, error) {
	if s.Environ == nil {
		s.Environ = os.LookupEnv
	}
	if s.FlagPrefix == "" {
		s.FlagPrefix = "--"
	}
	file, err := s.file(checks)
	if err != nil {
		return nil, err
	}
	parts, err := s.parts(file)
	if err != nil {
		return nil, err
	}
	var list []*Config
	for _, p := range parts {
		c, err := s.merge(file, p, checks)
		if err != nil {
			return nil, err
		}
		list = append(list, c)
	}
	return list, nil
}

// parts are the servers that are meant, each by what the file says of it.
func (s Sources) parts(file *File) ([]*part, error) {
	listed := len(file.servers) > 0 && file.servers[0].name != ""
	switch {
	case len(s.Command) > 0 || s.URL != "" || s.Static:
		if s.Server != "" {
			return nil, &Error{Origin: Origin{Flag: s.FlagPrefix + "server"}, Key: "servers", Message: "a command or a URL is given, so there is no server to pick"}
		}
		if listed {
			return []*part{emptyPart()}, nil
		}
	case listed && s.Server != "" && s.Server != AllServers:
		var names []string
		for _, p := range file.servers {
			if p.name == s.Server {
				return []*part{p}, nil
			}
			names = append(names, p.name)
		}
		return nil, &Error{Origin: Origin{Flag: s.FlagPrefix + "server"}, Key: "servers", Message: "no server of the name " + quoted(s.Server) + " is listed" + suggestion(s.Server, names)}
	}
	if len(file.servers) == 0 {
		return []*part{emptyPart()}, nil
	}
	return file.servers, nil
}

// merge merges the sources for one server.
func (s Sources) merge(file *File, p *part, checks []rule.Check) (*Config, error) {
	b := &builder{Sources: s, file: file, part: p, c: &Config{
		sources: s, checks: checks, values: map[string]value{}, disabled: map[string]Origin{}, Name: p.name,
		Env: map[string]string{}, BuildEnv: map[string]string{}, Secrets: map[string]string{}, RuleSeverity: map[string]string{}, Path: file.Name,
	}}
	b.settings()
	b.server()
	b.probes()
	b.selection()
	if len(b.faults.list) == 0 {
		b.fill()
		b.standard()
	}
	if err := b.faults.err(); err != nil {
		return nil, err
	}
	return b.c, nil
}

// file reads the configuration file, or returns an empty one.
func (s Sources) file(checks []rule.Check) (*File, error) {
	switch s.Path {
	case NoFile:
		return emptyFile(""), nil
	case "":
		path, err := find(s.Directory)
		if err != nil {
			return nil, err
		}
		if path == "" {
			return emptyFile(""), nil
		}
		s.Path = path
	}
	if _, err := os.Stat(s.Path); err == nil && s.Within != "" && escapes(s.Within, s.Path) {
		return nil, &Error{Origin: Origin{File: s.Path}, Message: "this is a link out of the repository"}
	}
	return Load(s.Path, checks)
}

// builder is a merge under way.
type builder struct {
	Sources
	file   *File
	part   *part
	c      *Config
	faults faults
	// port: ${PORT} is a free port, and not the variable of the name.
	port bool
}

func (b *builder) fail(at Origin, key, format string, args ...any) {
	b.faults.add(at, key, format, args...)
}

// flag is where the flag or input of a name sets a value.
func (b *builder) flag(name string) Origin { return Origin{Flag: b.FlagPrefix + name} }

// settings merges the values of keys.
func (b *builder) settings() {
	for _, values := range []map[string]value{b.file.values, b.part.values} {
		for name, v := range values {
			b.c.values[name] = v
		}
	}
	for _, key := range Keys {
		flag := strings.TrimPrefix(key.Flag, "--")
		text, given := b.Flags[flag]
		if !given || flag == "" {
			continue
		}
		parsed, err := parseText(key, text)
		if err == nil {
			parsed, err = convert(key, parsed)
		}
		if err != nil {
			b.fail(b.flag(flag), key.Name, "%v", err)
			continue
		}
		b.c.values[key.Name] = value{parsed, b.flag(flag)}
	}
	if b.Standard {
		b.c.values["standard"] = value{true, b.flag("standard")}
	}
}

// selection reads which checks are switched off.
func (b *builder) selection() {
	var ids []string
	for _, c := range b.c.checks {
		ids = append(ids, c.ID)
	}
	for _, id := range b.Only {
		b.known("only", id, ids)
	}
	for _, id := range b.Skip {
		b.known("skip", id, ids)
	}
	for _, id := range ids {
		switch v, set := b.c.values[enabledKey(id)]; {
		case slices.Contains(b.Skip, id):
			b.c.disabled[id] = b.flag("skip")
		case len(b.Only) > 0 && !slices.Contains(b.Only, id):
			b.c.disabled[id] = b.flag("only")
		case set && v.v == false:
			b.c.disabled[id] = v.at
		}
	}
	// Without launch there is nothing to question.
	if at, off := b.c.disabled[launch]; off && at != b.flag("only") {
		b.fail(at, enabledKey(launch), "the check %s can't be left out: all others need it", launch)
	}
	delete(b.c.disabled, launch)
}

const launch = "launch"

func enabledKey(check string) string { return "checks." + check + ".enabled" }

func (b *builder) known(flag, id string, ids []string) {
	if !slices.Contains(ids, id) {
		b.fail(b.flag(flag), "", "unknown check %s%s", quoted(id), suggestion(id, ids))
	}
}

// fill fills the fields of the config from the values.
func (b *builder) fill() {
	c := b.c
	c.Standard = c.value("standard").(bool)
	c.Timeout = duration(c.value("timeout_sec"))
	c.TimeoutStart = duration(c.value("timeout_start_sec"))
	c.TimeoutProbe = duration(c.value("timeout_probe_sec"))
	c.TimeoutBuild = duration(c.value("timeout_build_sec"))
	c.EnvCanaries = c.value("env_canaries") == "auto"
	c.Offline = c.value("network") == "off"
	c.Lanes = c.value("lanes").(int)
	c.ActiveProbes = c.value("active_probes").(string)
	c.FailOn = c.value("fail_on").(string)
	c.MinScore, _ = asNumber(c.value("min_score"))
	c.MinCoverage, _ = asNumber(c.value("min_coverage"))
	c.MinGrade = c.value("min_grade").(string)
	c.NewOnly = c.value("new_only").(bool)
	c.Compare = c.value("compare").(string)
	c.Baseline = c.baseline()
	c.Accept = b.file.accept
	c.Contract = c.contract()
	for name, v := range c.values {
		if id, ok := strings.CutPrefix(name, "rules."); ok {
			c.RuleSeverity[strings.TrimSuffix(id, ".severity")] = v.v.(string)
		}
	}
}

// value returns a setting or its key's default.
func (c *Config) value(name string) any {
	if v, ok := c.values[name]; ok {
		return v.v
	}
	return keyNamed(name).Default
}

// baseline is the path of the base's result; one in a file is relative to the
// file.
func (c *Config) baseline() string {
	path := c.value("baseline").(string)
	if path == "" || filepath.IsAbs(path) || c.Origin("baseline").File == "" {
		return path
	}
	return filepath.Join(filepath.Dir(c.Path), path)
}

func duration(v any) time.Duration {
	s, _ := asNumber(v)
	return time.Duration(s * float64(time.Second))
}

// standard refuses deviations where the standard is asked for.
func (b *builder) standard() {
	if !b.c.Standard {
		return
	}
	for _, name := range b.c.Deviations() {
		b.fail(b.c.Origin(name), name, "%s deviates from the standard, which standard: true forbids", name)
	}
}

// Origin returns where the setting of a dotted name was set, the zero Origin
// if it has its default.
func (c *Config) Origin(name string) Origin {
	if id, ok := strings.CutSuffix(strings.TrimPrefix(name, "checks."), ".enabled"); ok {
		if at, off := c.disabled[id]; off {
			return at
		}
	}
	return c.values[name].at
}

// Deviations lists the keys that differ from the standard, sorted: locked ones
// with another value than their default, and scored checks that are switched
// off.
func (c *Config) Deviations() []string {
	var list []string
	for _, key := range AllKeys(c.checks) {
		v, set := c.values[key.Name]
		if key.Locked && set && !same(v.v, key.Default) {
			list = append(list, key.Name)
		}
	}
	for _, k := range c.checks {
		if _, off := c.disabled[k.ID]; off && k.Weight.Scores() {
			list = append(list, enabledKey(k.ID))
		}
	}
	slices.Sort(list)
	return list
}

func same(a, b any) bool {
	if list, ok := a.([]string); ok {
		other, _ := b.([]string)
		return slices.Equal(list, other)
	}
	x, isX := asNumber(a)
	y, isY := asNumber(b)
	if isX && isY {
		return x == y
	}
	return a == b
}

// Enabled reports whether a check is to be run.
func (c *Config) Enabled(check string) bool {
	_, off := c.disabled[check]
	return !off
}

// Int returns a whole number of a check's own key: what is set, else the
// default; ok is false for null.
func (c *Config) Int(check, key string) (n int, ok bool) {
	name := "checks." + check + "." + key
	if v, set := c.values[name]; set {
		n, ok = v.v.(int)
		return n, ok
	}
	for _, k := range c.checks {
		for _, declared := range k.Keys {
			if declared.Name == name {
				n, ok = declared.Default.(int)
				return n, ok
			}
		}
	}
	return 0, false
}

// Text returns a text of a check's own key: what is set, else the default.
func (c *Config) Text(check, key string) string {
	name := "checks." + check + "." + key
	if v, set := c.values[name]; set {
		s, _ := v.v.(string)
		return s
	}
	for _, k := range c.checks {
		for _, declared := range k.Keys {
			if declared.Name == name {
				s, _ := declared.Default.(string)
				return s
			}
		}
	}
	return ""
}

// Ceiling returns the highest severity that findings of a check are reported
// with, if one is set.
func (c *Config) Ceiling(check string) (rule.Severity, bool) {
	s, ok := c.values["checks."+check+".severity"].v.(string)
	return rule.Severity(s), ok && s != ""
}
