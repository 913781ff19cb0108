package config

import (
	"errors"
	"fmt"
	"net/url"
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
	// Env holds NAME=VALUE.
	Env        []string
	Only, Skip []string
	Standard   bool
	// Environ is read for ${NAME}, os.LookupEnv if nil.
	Environ Environ
}

// Config is what a run is configured with.
type Config struct {
	Command   []string
	URL       string
	Directory string
	// Env are the variables that the user gives to the server.
	Env      map[string]string
	Standard bool

	TimeoutStart, TimeoutProbe, Timeout time.Duration
	// Lanes is 0 for the number of CPUs, at most 4.
	Lanes        int
	ActiveProbes string

	FailOn                string
	MinScore, MinCoverage float64
	MinGrade              string

	// RuleSeverity holds the severities that the user set for rules.
	RuleSeverity map[string]string
	// Secrets holds the values to redact, by name.
	Secrets map[string]string
	// Path is the configuration file that was read, "" for none.
	Path string

	values   map[string]value
	disabled map[string]string // check id -> where it was switched off
	checks   []rule.Check
}

// Build merges and checks the sources. Its error is an *Error, or several
// joined, one line each.
func Build(s Sources, checks []rule.Check) (*Config, error) {
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
	b := &builder{Sources: s, file: file, c: &Config{
		checks: checks, values: map[string]value{}, disabled: map[string]string{},
		Env: map[string]string{}, Secrets: map[string]string{}, RuleSeverity: map[string]string{}, Path: file.Name,
	}}
	b.settings()
	b.server()
	b.selection()
	if len(b.errs) == 0 {
		b.fill()
		b.standard()
	}
	if len(b.errs) > 0 {
		return nil, errors.Join(b.errs...)
	}
	return b.c, nil
}

// file reads the configuration file, or returns an empty one.
func (s Sources) file(checks []rule.Check) (*File, error) {
	empty := &File{values: map[string]value{}, env: map[string]value{}}
	switch s.Path {
	case NoFile:
		return empty, nil
	case "":
	default:
		return Load(s.Path, checks)
	}
	var found []string
	for _, name := range []string{"sealmark.yml", "sealmark.yaml"} {
		path := filepath.Join(s.Directory, name)
		if _, err := os.Stat(path); err != nil {
			path = name
		}
		if _, err := os.Stat(path); err == nil {
			found = append(found, path)
		}
	}
	switch len(found) {
	case 0:
		return empty, nil
	case 1:
		return Load(found[0], checks)
	}
	return nil, &Error{"", fmt.Sprintf("both %s and %s exist: keep one, or name one with --config", found[0], found[1])}
}

// builder is a merge under way.
type builder struct {
	Sources
	file *File
	c    *Config
	errs []error
}

func (b *builder) fail(place, format string, args ...any) {
	b.errs = append(b.errs, &Error{place, fmt.Sprintf(format, args...)})
}

// settings merges the values of keys.
func (b *builder) settings() {
	for name, v := range b.file.values {
		b.c.values[name] = v
	}
	for _, key := range Keys {
		flag := strings.TrimPrefix(key.Flag, "--")
		text, given := b.Flags[flag]
		if !given || flag == "" {
			continue
		}
		place := b.FlagPrefix + flag
		parsed, err := parseText(key, text)
		if err == nil {
			parsed, err = convert(key, parsed)
		}
		if err != nil {
			b.fail(place, "%v", err)
			continue
		}
		b.c.values[key.Name] = value{parsed, place}
	}
	if b.Standard {
		b.c.values["standard"] = value{true, b.FlagPrefix + "standard"}
	}
}

// server merges command, URL, folder and variables.
func (b *builder) server() {
	c := b.c
	c.Command, c.URL = b.Command, b.URL
	if len(c.Command) == 0 && c.URL == "" {
		if b.file.command != nil {
			for _, arg := range b.file.command.v.([]string) {
				c.Command = append(c.Command, b.expand(arg, b.file.command.place))
			}
		}
		if v, ok := c.values["server.url"]; ok {
			c.URL = b.expand(v.v.(string), v.place)
		}
	}
	b.directory()
	switch {
	case len(c.Command) > 0 && c.URL != "":
		b.fail("", "a command and a URL are given: this version takes one of them")
	case len(c.Command) == 0 && c.URL == "":
		b.fail("", "no server is given: name its command after --, use --url, or set server.command in sealmark.yml")
	case c.URL != "":
		if u, err := url.Parse(c.URL); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			b.fail("", "the URL %q must start with http:// or https:// and name a host", c.URL)
		}
	case c.Command[0] == "" && len(b.errs) == 0:
		b.fail("", "the launch command is empty")
	}
	for name, v := range b.file.env {
		b.setEnv(name, b.expand(v.v.(string), v.place))
	}
	for _, pair := range b.Env {
		name, text, ok := strings.Cut(pair, "=")
		if !ok || !validName(name) {
			b.fail(b.FlagPrefix+"env", "must be NAME=VALUE, not %q", name)
			continue
		}
		b.setEnv(name, text)
	}
}

// directory finds the working directory: a flag relative to the current
// folder, a setting relative to its file.
func (b *builder) directory() {
	c := b.c
	c.Directory = b.Directory
	if v, ok := c.values["server.working_directory"]; ok && c.Directory == "" {
		c.Directory = b.expand(v.v.(string), v.place)
		if !filepath.IsAbs(c.Directory) {
			c.Directory = filepath.Join(filepath.Dir(c.Path), c.Directory)
		}
	}
	if c.Directory == "" {
		return
	}
	if info, err := os.Stat(c.Directory); err != nil || !info.IsDir() {
		b.fail("", "the working directory %q does not exist", c.Directory)
	}
}

// secretWords mark the names of variables whose values are redacted.
var secretWords = []string{"TOKEN", "KEY", "SECRET", "PASSWORD", "PASSWD", "CREDENTIAL", "AUTH", "COOKIE", "DSN", "PRIVATE"}

func (b *builder) setEnv(name, text string) {
	b.c.Env[name] = text
	upper := strings.ToUpper(name)
	if slices.ContainsFunc(secretWords, func(w string) bool { return strings.Contains(upper, w) }) {
		b.c.Secrets[name] = text
	}
}

// expand replaces ${NAME} by the variable and notes its value as a secret;
// $${ stands for ${.
func (b *builder) expand(text, place string) string {
	var out strings.Builder
	for {
		i := strings.Index(text, "${")
		if i < 0 {
			return out.String() + text
		}
		if i > 0 && text[i-1] == '$' {
			out.WriteString(text[:i-1] + "${")
			text = text[i+2:]
			continue
		}
		end := strings.IndexByte(text[i:], '}')
		if end < 0 {
			b.fail(place, "${ is never closed by }")
			return ""
		}
		name := text[i+2 : i+end]
		found, ok := b.Environ(name)
		if !ok {
			b.fail(place, "the variable %s is not set", name)
		}
		b.c.Secrets[name] = found
		out.WriteString(text[:i] + found)
		text = text[i+end+1:]
	}
}

func validName(name string) bool {
	return name != "" && !strings.ContainsAny(name, "=\x00\n\r ")
}

// selection reads which checks are switched off.
func (b *builder) selection() {
	var ids []string
	for _, c := range b.c.checks {
		ids = append(ids, c.ID)
	}
	for flag, list := range map[string][]string{"only": b.Only, "skip": b.Skip} {
		for _, id := range list {
			if !slices.Contains(ids, id) {
				b.fail(b.FlagPrefix+flag, "unknown check %q%s", id, suggestion(id, ids))
			}
		}
	}
	for _, id := range ids {
		if v, ok := b.c.values["checks."+id+".enabled"]; ok && v.v == false {
			b.c.disabled[id] = v.place
		}
		if slices.Contains(b.Skip, id) {
			b.c.disabled[id] = b.FlagPrefix + "skip"
		}
		if len(b.Only) > 0 && !slices.Contains(b.Only, id) {
			b.c.disabled[id] = b.FlagPrefix + "only"
		}
	}
	// Without launch there is nothing to question.
	delete(b.c.disabled, "launch")
}

// fill fills the fields of the config from the values.
func (b *builder) fill() {
	c := b.c
	c.Standard = c.value("standard").(bool)
	c.Timeout = duration(c.value("timeout_sec"))
	c.TimeoutStart = duration(c.value("timeout_start_sec"))
	c.TimeoutProbe = duration(c.value("timeout_probe_sec"))
	c.Lanes = c.value("lanes").(int)
	c.ActiveProbes = c.value("active_probes").(string)
	c.FailOn = c.value("fail_on").(string)
	c.MinScore, _ = asNumber(c.value("min_score"))
	c.MinCoverage, _ = asNumber(c.value("min_coverage"))
	c.MinGrade = c.value("min_grade").(string)
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
		b.fail(b.c.place(name), "%s deviates from the standard, which standard: true forbids", name)
	}
}

func (c *Config) place(name string) string {
	if v, ok := c.values[name]; ok {
		return v.place
	}
	return c.disabled[strings.TrimSuffix(strings.TrimPrefix(name, "checks."), ".enabled")]
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
			list = append(list, "checks."+k.ID+".enabled")
		}
	}
	slices.Sort(list)
	return list
}

func same(a, b any) bool {
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

// Ceiling returns the highest severity that findings of a check are reported
// with, if one is set.
func (c *Config) Ceiling(check string) (rule.Severity, bool) {
	s, ok := c.values["checks."+check+".severity"].v.(string)
	return rule.Severity(s), ok && s != ""
}
