package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/suite"
	"github.com/sealmark/action/internal/version"
)

// runFlags are the flags that run and demo share.
type runFlags struct {
	outputs
	configPath string
	env        []string
	only, skip []string
	standard   bool
	url        string
	directory  string
	build      []string
	buildEnv   []string
	server     string
	cache      string
	// snapshot is the file of a recorded snapshot, "" to start the server.
	snapshot string
}

func newRun() *cobra.Command {
	var f runFlags
	cmd := &cobra.Command{
		Use:   "run [flags] [-- COMMAND [ARG...]]",
		Short: "Launch a server, question it, and report",
		Long: `Run launches an MCP server (or connects to one by URL), sends it well-formed
and malformed input, and reports what it finds.

Without a command and a URL it finds out what the repository's server is, builds
it in a copy of the checkout, and launches it there; sealmark detect shows what
it would do. Several servers are told apart with --server.

The command after -- is started without a shell, in the current folder unless
--working-directory is given. With --url too, it is started and then reached
there; ${PORT} in both is a free port. It gets a small environment; pass what it
needs with --env. Settings come from sealmark.yml in the current folder, if there
is one; flags win over it.

There is no container at your desk: what is launched runs with your rights.`,
		Example: `  sealmark run
  sealmark run -- node dist/index.js --stdio
  sealmark run --env API_KEY=test -- uv run my-server
  sealmark run --url http://127.0.0.1:3000/mcp
  sealmark run --url 'http://127.0.0.1:${PORT}/mcp' -- ./server --port '${PORT}'
  sealmark run --snapshot snapshot.json
  sealmark run --fail-on warning --sarif sealmark.sarif -- ./server`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return f.run(cmd, args)
		},
	}
	f.add(cmd.Flags())
	f.addServer(cmd.Flags())
	cmd.Flags().StringVar(&f.snapshot, "snapshot", "", "judge the snapshot in `file` in place of a server; sealmark snapshot writes one")
	return cmd
}

// addServer registers the flags that say which server is meant.
func (f *runFlags) addServer(flags *pflag.FlagSet) {
	flags.StringVar(&f.url, "url", "", "reach the server over Streamable HTTP; without a command it must be running")
	flags.StringVar(&f.directory, "working-directory", "", "folder to build and start the server in")
	flags.StringVar(&f.server, "server", "", "take the server of this `name`, of sealmark.yml or of what sealmark detect finds; all takes each")
	flags.StringArrayVar(&f.build, "build", nil, "build it with this `command`, in a copy of the checkout; may be repeated")
	flags.StringArrayVar(&f.buildEnv, "build-env", nil, "give the build a variable, `NAME=VALUE`; may be repeated")
	flags.StringVar(&f.cache, "cache-dir", "", "`folder` for the caches of package managers (default one of Sealmark's own)")
	flags.StringArrayVar(&f.env, "env", nil, "give the server a variable, `NAME=VALUE`; may be repeated")
	flags.StringVar(&f.configPath, "config", "", "configuration `file` (default sealmark.yml, if there is one)")
}

// add registers the flags that run and demo share. Those of configuration
// keys come from the keys' own declarations.
func (f *runFlags) add(flags *pflag.FlagSet) {
	f.outputs.add(flags)
	for _, key := range config.Keys {
		if isSetting(key) {
			flag := flags.VarPF(&setting{key: key}, strings.TrimPrefix(key.Flag, "--"), "", flagUsage(key))
			if key.Type == rule.Bool {
				flag.NoOptDefVal = "true"
			}
		}
	}
	flags.StringSliceVar(&f.only, "only", nil, "run only these `checks`; may be repeated")
	flags.StringSliceVar(&f.skip, "skip", nil, "leave these `checks` out; may be repeated")
	flags.BoolVar(&f.standard, "standard", false, "refuse settings that deviate from the standard")
}

// isSetting reports whether a key has a flag with a plain value. The others
// are flags of another form.
func isSetting(key rule.Key) bool {
	return key.Flag != "" && key.Name != "standard" && !strings.HasPrefix(key.Name, "server.")
}

// setting is the text of a flag that sets a key; the configuration checks it.
type setting struct {
	key  rule.Key
	text string
}

func (s *setting) String() string        { return s.text }
func (s *setting) Set(text string) error { s.text = s.join(text); return nil }

// join adds to a list that was given already.
func (s *setting) join(text string) string {
	if s.key.Type == rule.Texts && s.text != "" {
		return s.text + "," + text
	}
	return text
}

// Type names the kind of value in the help.
func (s *setting) Type() string {
	switch s.key.Type {
	case rule.Duration:
		return "duration"
	case rule.Enum:
		return "word"
	case rule.Texts:
		return "names"
	}
	return "number"
}

// flagUsage is the help of a configuration key's flag: its first sentence and
// its default.
func flagUsage(key rule.Key) string {
	text, _, _ := strings.Cut(key.Meaning, ". ")
	text = strings.ToLower(text[:1]) + strings.TrimSuffix(text[1:], ".")
	if len(key.Enum) > 0 {
		text += ": " + strings.Join(key.Enum, ", ")
	}
	if key.Default != nil && key.Default != "" && key.Default != 0 {
		text += " (default " + formatDefault(key) + ")"
	}
	return text
}

// config is configs for one server.
func (f *runFlags) config(flags *pflag.FlagSet, command []string) (*config.Config, error) {
	s, err := f.sources(flags, command)
	if err != nil {
		return nil, err
	}
	return config.Build(s, suite.Catalog())
}

// sources are the flags that were set, and the command.
func (f *runFlags) sources(flags *pflag.FlagSet, command []string) (config.Sources, error) {
	given := map[string]string{}
	flags.Visit(func(fl *pflag.Flag) {
		for _, key := range config.Keys {
			if isSetting(key) && key.Flag == "--"+fl.Name {
				given[fl.Name] = fl.Value.String()
			}
		}
	})
	if f.snapshot != "" && (len(command) > 0 || f.url != "" || len(f.env) > 0 || f.server != "" || len(f.build) > 0) {
		return config.Sources{}, errors.New("--snapshot takes the place of a server: give neither a command nor --url, --env, --server or --build with it")
	}
	return config.Sources{
		Path: f.configPath, Flags: given, Command: command, URL: f.url, Directory: f.directory, Static: f.snapshot != "",
		Server: f.server, Build: f.build, BuildEnv: f.buildEnv,
		Env: f.env, Only: f.only, Skip: f.skip, Standard: f.standard,
	}, nil
}

// run tests the servers that are meant, and writes a report of each.
func (f *runFlags) run(cmd *cobra.Command, command []string) error {
	s, err := f.sources(cmd.Flags(), command)
	if err != nil {
		return usage(err)
	}
	list, err := config.BuildAll(s, suite.Catalog())
	if err != nil {
		return usage(err)
	}
	if err := f.outputs.check(); err != nil {
		return usage(err)
	}
	if err := namedBase(list[0]); err != nil {
		return usage(err)
	}
	if f.snapshot != "" {
		snap, err := readSnapshot(f.snapshot)
		if err != nil {
			return usage(err)
		}
		c := list[0]
		progress := f.outputs.progress(cmd)
		res := assess(cmd.Context(), suite.Run{Snapshot: snap, Config: c, Version: version.String(), Key: serverKey(c), Anchor: anchor(c), Progress: progress})
		progress.Done()
		f.pipeline(cmd).relate(cmd.Context(), c, res, nil)
		return f.finish(cmd, []tested{{job: given(c), Result: res}})
	}
	p := f.pipeline(cmd)
	jobs, err := plan(list, p.root)
	if err != nil {
		return err
	}
	if len(jobs) > 1 && f.outputs.toStdout() {
		return usage(errors.New("several servers are tested: give --json, --sarif and --markdown the name of a file, which gets the name of each server"))
	}
	var all []tested
	for _, j := range jobs {
		t, err := p.test(cmd.Context(), j)
		if err != nil {
			return err
		}
		keepLog(cmd.ErrOrStderr(), t)
		all = append(all, t)
	}
	return f.finish(cmd, all)
}

// finish writes the reports.
func (f *runFlags) finish(cmd *cobra.Command, all []tested) error {
	names := suffixes(all)
	for i, t := range all {
		if err := f.outputs.named(names[i]).write(cmd, t.Result); err != nil {
			return ownFault(err)
		}
	}
	return outcomes(all)
}

// outcomes is the exit code that the worst result asks for.
func outcomes(all []tested) error {
	worst := &exitError{code: exitOK}
	for _, t := range all {
		var exit *exitError
		if errors.As(outcome(t.Result), &exit) && exit.code > worst.code {
			worst = exit
		}
	}
	if worst.code == exitOK {
		return nil
	}
	return worst
}

// outcome is the exit code that a result asks for.
func outcome(res *result.Result) error {
	for _, c := range res.Checks {
		if c.Verdict == rule.Errored {
			return &exitError{code: exitOwnFault}
		}
	}
	switch {
	case res.Status == result.NotAssessed:
		return &exitError{code: exitNotAssessed}
	case !res.Gate.Passed:
		return &exitError{code: exitGate}
	}
	return nil
}

// manifests are the files that say how a server is launched, in the order in
// which findings are anchored to them.
var manifests = []string{"server.json", "manifest.json", "package.json", "pyproject.toml", "go.mod", "Cargo.toml", "sealmark.yml", "sealmark.yaml"}

// anchor returns the file that findings without a place of their own point
// to: the manifest in the server's folder, the configuration file, or the
// workflow that runs Sealmark.
func anchor(c *config.Config) rule.Location {
	root := repositoryRoot()
	for _, name := range manifests {
		path := filepath.Join(c.Directory, name)
		if rel, ok := inside(root, path); ok && isFile(path) {
			return rule.Location{Path: rel, Line: 1}
		}
	}
	if rel, ok := inside(root, c.Path); ok && c.Path != "" {
		return rule.Location{Path: rel, Line: 1}
	}
	if rel := workflowPath(os.Getenv("GITHUB_WORKFLOW_REF")); rel != "" {
		return rule.Location{Path: rel, Line: 1}
	}
	return rule.Location{Path: "sealmark.yml", Line: 1}
}

// workflowPath takes the path out of OWNER/REPO/.github/workflows/F@REF.
func workflowPath(ref string) string {
	path, _, _ := strings.Cut(ref, "@")
	if i := strings.Index(path, ".github/workflows/"); i >= 0 {
		return path[i:]
	}
	return ""
}

// repositoryRoot is the nearest folder upwards that holds .git, else the
// current one.
func repositoryRoot() string {
	wd, err := os.Getwd()
	if err != nil {
		return "."
	}
	for dir := wd; ; dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			return wd
		}
	}
}

// inside returns path relative to root with forward slashes, if it lies in
// it.
func inside(root, path string) (string, bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return filepath.ToSlash(rel), true
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// serverKey names the server of a run: the folder that it lives in, relative
// to the repository, else the repository's own name.
func serverKey(c *config.Config) string {
	root := repositoryRoot()
	if rel, ok := inside(root, c.Directory); ok && rel != "." && c.Directory != "" {
		return rel
	}
	return filepath.Base(root)
}

// formatDefault writes a key's default for a help text.
func formatDefault(key rule.Key) string {
	if key.Type == rule.Duration {
		return fmt.Sprintf("%vs", key.Default)
	}
	return fmt.Sprint(key.Default)
}
