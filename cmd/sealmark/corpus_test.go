package main

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/golden"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/suite"
)

// corpusVariable names the folder in which scripts/corpus-servers installed
// the servers of the corpus.
const corpusVariable = "SEALMARK_CORPUS"

const corpusFolder = "../../../shared/corpus"

// fewestServers is how many servers of the corpus must run for the test to say
// anything.
const fewestServers = 15

// corpusServer is a real server as it was recorded by a program that shares
// nothing with this one.
type corpusServer struct {
	Name, Version string
	Command       []string
	Env           map[string]string

	id, installed string
	calls         []corpusCall
	protocol      map[string]corpusProbe
	parameters    map[string][]string
}

// TestCorpus runs the real servers of the corpus, without a network, and holds
// what Sealmark makes of them against what was recorded. It prints each
// warning and error of the packs protocol and contract with request and reply.
func TestCorpus(t *testing.T) {
	modules := os.Getenv(corpusVariable)
	if modules == "" {
		t.Skipf("SKIPPED: it runs dozens of real servers; make corpus installs them and sets %s", corpusVariable)
	}
	modules, err := filepath.Abs(modules)
	if err != nil {
		t.Fatal(err)
	}
	apart := isolation(t)
	var table, found strings.Builder
	ran := 0
	for _, s := range corpusServers(t, modules) {
		t.Run(s.id, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(s.installed, s.Version+".done")); err != nil {
				t.Skip("SKIPPED: not installed in this version")
			}
			calls, known := s.agreeOnCalls(t, apart)
			r := s.run(t, apart)
			probes := s.agreeOnProbes(t, r)
			ran++
			fmt.Fprintf(&table, "%s: calls %s (%d by the list of differences), probes %s, %s\n", s.id, calls, known, probes, r.Status)
			found.WriteString(s.faults(t, r))
		})
	}
	t.Logf("agreements with the recorded answers:\n%s", table.String())
	if strings.Contains(flag.Lookup("test.run").Value.String(), "/") {
		t.Log("The list of faults is not compared: only some of the servers ran.")
		return
	}
	if ran < fewestServers {
		t.Errorf("only %d servers of the corpus ran", ran)
	}
	golden.Check(t, "testdata/corpus.txt", found.String())
}

// agreement counts what agrees with the record.
type agreement struct{ agreed, total int }

func (a agreement) String() string { return fmt.Sprintf("%d/%d", a.agreed, a.total) }

// isolation returns the words before a command that take the network from it,
// all but the loopback; nil where that can't be done here.
func isolation(t *testing.T) []string {
	t.Helper()
	for _, namespaces := range []string{"-n", "-rn"} {
		apart := []string{"unshare", namespaces, "sh", "-c", `ip link set lo up && exec "$0" "$@"`}
		if runtime.GOOS == "linux" && exec.Command(apart[0], append(slices.Clone(apart[1:]), "true")...).Run() == nil {
			return apart
		}
	}
	t.Log("THE SERVERS HAVE THE NETWORK: without Linux, unshare, ip and the right to use them it can't be taken from them, and their answers may differ from those recorded.")
	return nil
}

func corpusServers(t *testing.T, modules string) []corpusServer {
	t.Helper()
	file, err := os.Open(filepath.Join(corpusFolder, "servers.jsonl"))
	if err != nil {
		t.Fatal("the corpus beside the checkout is missing: ", err)
	}
	defer file.Close()
	var list []corpusServer
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 16<<20)
	for lines.Scan() {
		var s corpusServer
		if err := json.Unmarshal(lines.Bytes(), &s); err != nil {
			t.Fatal(err)
		}
		s.id = fmt.Sprintf("%x", sha256.Sum256([]byte(s.Name)))[:8]
		s.installed = filepath.Join(modules, s.id)
		s.load(t)
		list = append(list, s)
	}
	return list
}

// load reads what was recorded of the server.
func (s *corpusServer) load(t *testing.T) {
	t.Helper()
	var truth struct {
		Calls    []corpusCall
		Protocol map[string]corpusProbe
	}
	var lists struct {
		Tools struct {
			Items []struct {
				Name        string
				InputSchema struct{ Properties map[string]any }
			}
		}
	}
	name := strings.NewReplacer("(", "_", ")", "_").Replace(s.Name)
	for folder, into := range map[string]any{"groundtruth": &truth, "lists": &lists} {
		data, err := os.ReadFile(filepath.Join(corpusFolder, folder, name+".json"))
		if err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(data, into); err != nil {
			t.Fatal(err)
		}
	}
	s.calls, s.protocol, s.parameters = truth.Calls, truth.Protocol, map[string][]string{}
	for _, tool := range lists.Tools.Items {
		s.parameters[tool.Name] = slices.Sorted(maps.Keys(tool.InputSchema.Properties))
	}
}

// launch returns the server's command and environment, with the folder data
// for what it reads and writes.
func (s corpusServer) launch(apart []string, data string) (command, env []string) {
	place := s.placed(data)
	command = slices.Clone(apart)
	for _, word := range s.Command {
		command = append(command, place.Replace(word))
	}
	for _, name := range slices.Sorted(maps.Keys(s.Env)) {
		env = append(env, name+"="+place.Replace(s.Env[name]))
	}
	return command, append(env, "HOME="+filepath.Join(data, s.Name, "home"))
}

// placed puts folders in the place of the marks that the record has for them.
func (s corpusServer) placed(data string) *strings.Replacer {
	return strings.NewReplacer("<modules>", filepath.Join(s.installed, "node_modules"), "<gobin>", filepath.Join(s.installed, "bin"), "<run>", data, "@RUN@", data)
}

// data makes a folder with what the recorded calls name: files, a Git
// repository, and the address of a cluster that isn't there.
func (s corpusServer) data(t *testing.T) string {
	t.Helper()
	data := t.TempDir()
	own := filepath.Join(data, s.Name)
	for path, content := range map[string]string{
		filepath.Join(own, "data", "a.txt"): "alpha\nbeta\n",
		filepath.Join(own, "home", "x.js"):  "var a = 1\n",
		filepath.Join(own, "repo", "x.txt"): "one\ntwo\n",
		filepath.Join(data, "kubeconfig"): `{"apiVersion":"v1","kind":"Config","current-context":"none","users":[],` +
			`"clusters":[{"name":"none","cluster":{"server":"http://127.0.0.1:9"}}],"contexts":[{"name":"none","context":{"cluster":"none","user":""}}]}`,
	} {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"init", "-q", "-b", "main"}, {"add", "."}, {"commit", "-q", "-m", "first"}} {
		git := exec.Command("git", append([]string{"-C", filepath.Join(own, "repo"), "-c", "user.name=t", "-c", "user.email=t@example.invalid"}, args...)...)
		if out, err := git.CombinedOutput(); err != nil {
			t.Fatalf("git %s: %v: %s", args[0], err, out)
		}
	}
	return data
}

// settings writes a configuration that names the recorded calls: the tools may
// be called, and the calls that succeeded are the known ones.
func (s corpusServer) settings(t *testing.T, data string) string {
	t.Helper()
	var tools []string
	probes := []map[string]any{}
	for _, call := range s.calls {
		if !slices.Contains(tools, call.Tool) {
			tools = append(tools, call.Tool)
		}
		if call.Case != "valid" || call.Class != "success" || call.SchemaInvalid {
			continue
		}
		probe := map[string]any{"tool": call.Tool, "expect": "ok", "timeout": "30s"}
		if call.Args != nil {
			probe["args"] = json.RawMessage(s.placed(data).Replace(string(call.Args)))
		}
		probes = append(probes, probe)
	}
	document, err := json.Marshal(map[string]any{"contract": map[string]any{"allow_tools": tools}, "probes": probes})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "sealmark.yml")
	if err := os.WriteFile(path, document, 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// run questions the server as a team would that knows its tools.
func (s corpusServer) run(t *testing.T, apart []string) *result.Result {
	t.Helper()
	data := s.data(t)
	command, env := s.launch(apart, data)
	c, err := config.Build(config.Sources{Path: s.settings(t, data), Command: command, Directory: data, Env: env, Flags: map[string]string{"lanes": "2"}}, suite.Catalog())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Minute)
	defer cancel()
	r := suite.Run{Config: c, Version: "test", Key: s.id}.Do(ctx)
	if document, err := r.Marshal(); err == nil {
		os.WriteFile(filepath.Join(s.installed, "result.json"), document, 0o644)
	}
	if r.Status != result.Assessed {
		t.Errorf("not assessed: %+v", r.Reason)
	}
	for _, c := range r.Checks {
		if c.Verdict == rule.Errored {
			t.Errorf("%s: %s", c.ID, c.Reason)
		}
	}
	return r
}

// faults prints the warnings and errors of the packs protocol and contract so
// that a person can check them by hand, and returns how many there are of each
// rule.
func (s corpusServer) faults(t *testing.T, r *result.Result) string {
	t.Helper()
	counts := map[string]int{}
	for _, f := range r.Findings {
		pack, _, _ := strings.Cut(f.Rule, ".")
		if f.Severity == rule.Note || pack != "contract" && pack != "spec" && pack != "protocol" {
			continue
		}
		t.Logf("%s %s on %s (%s): %s\n  request: %s\n  reply: %s\n  seen: %s %s %s", f.Severity, f.Rule, f.Subject, f.Probe, f.Message,
			f.Evidence.Request, f.Evidence.Reply, f.Evidence.Detail, f.Evidence.Match, f.Evidence.Stderr)
		if f.ExplainedBy == "" {
			counts[string(f.Severity)+" "+f.Rule]++
		}
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(counts)) {
		fmt.Fprintf(&b, "%s %s: %d\n", s.id, key, counts[key])
	}
	return b.String()
}
