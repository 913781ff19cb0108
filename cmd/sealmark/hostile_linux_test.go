package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"net"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sealmark/action/internal/result"
)

// container runs a command as the first process of what is like the container
// of an action: a root, processes and rights of its own, the runner's folders in
// /github, and the socket of the engine. Its arguments are an empty folder, the
// folder of what is mounted, and the command.
const container = `set -eu
root=$1 files=$2
shift 2
mount -t tmpfs -o mode=755 none "$root"
cd "$root"
for path in /usr /etc /opt /bin /sbin /lib /lib32 /lib64 /libx32; do
  if [ -L "$path" ]; then
    cp -P "$path" .
  elif [ -d "$path" ]; then
    mkdir ".$path"
    mount --bind "$path" ".$path"
    mount -o remount,bind,ro ".$path"
  fi
done
mkdir -p dev/shm proc tmp run var/tmp sys/fs/cgroup github sealmark drop
for path in dev/null dev/zero dev/full dev/random dev/urandom dev/tty; do
  : >"$path"
  mount --bind "/$path" "$path"
done
ln -s /proc/self/fd dev/fd
ln -s /run var/run
chmod 1777 dev/shm var/tmp
mount -t proc proc proc
mount -t tmpfs -o mode=1777,size=512m none tmp
echo 1073741824 >sys/fs/cgroup/memory.max
for path in workspace workflow home runner_temp file_commands; do
  mkdir "github/$path"
  mount --bind "$files/$path" "github/$path"
done
mount --bind "$files/drop" drop
mount --bind "$files/program" sealmark
: >run/docker.sock
mount --bind "$files/docker.sock" run/docker.sock
pivot_root . .
umount -l .
cd /
exec setpriv --inh-caps=-all --bounding-set=-all,+chown,+dac_override,+fowner,+fsetid,+kill,+setgid,+setuid,+setpcap,+net_bind_service,+net_raw,+sys_chroot,+mknod,+audit_write,+setfcap "$@"
`

// afterwards is the first process: it runs a command, and then notes which
// processes and which files of everybody's are left.
const afterwards = `cd /github/workspace
"$@"
code=$?
for process in /proc/[0-9]*; do
  [ "$process" = /proc/$$ ] || tr '\0' ' ' <$process/cmdline
done >/drop/processes 2>/dev/null
find /tmp /var/tmp /dev/shm -mindepth 1 >/drop/files
exit $code`

// hostilePlan is what the hostile repository is told of where it runs.
type hostilePlan struct {
	Drop      string   `json:"drop"`
	Event     string   `json:"event"`
	Workspace string   `json:"workspace"`
	Home      string   `json:"home"`
	Temp      string   `json:"temp"`
	Socket    string   `json:"socket"`
	Commands  []string `json:"commands"`
	// Build and Server say what each fills: "", memory, disk or disk without
	// names.
	Build  string `json:"build"`
	Server string `json:"server"`
}

// commandFiles are the files by which steps tell the runner something.
var commandFiles = map[string]string{"GITHUB_ENV": "set_env", "GITHUB_OUTPUT": "set_output", "GITHUB_STEP_SUMMARY": "step_summary", "GITHUB_PATH": "add_path", "GITHUB_STATE": "save_state"}

// assault is a run of the hostile repository.
type assault struct {
	step
	// files is the folder of what is mounted, with workspace and so on.
	files string
	// calls are those of the engine.
	calls int
	// loot is what was got, by the phase and the attempt; an attempt that got
	// nothing is there with "".
	loot map[string]string
	// changed are the files of the runner's folders that are not as before.
	changed []string
	// processes and left are what was there when the command had ended.
	processes, left string
}

// needContainer skips a test that can't have what is like a container, but not
// in CI.
func needContainer(t *testing.T) {
	t.Helper()
	why := ""
	for _, program := range []string{"node", "npm", "unshare", "setpriv", "pivot_root"} {
		if _, err := exec.LookPath(program); err != nil {
			why = program + " is not installed"
		}
	}
	if os.Geteuid() != 0 {
		why = "only root can make a container"
	}
	switch {
	case why == "":
	case os.Getenv("CI") != "":
		t.Fatal("this test must run in CI: " + why)
	default:
		t.Skip("SKIPPED: " + why)
	}
}

// attack runs a command on the hostile repository as a step of a workflow, in
// what is like the container of the action.
func attack(t *testing.T, program string, plan hostilePlan, command ...string) assault {
	t.Helper()
	a := assault{files: t.TempDir(), loot: map[string]string{}}
	at := func(parts ...string) string { return filepath.Join(append([]string{a.files}, parts...)...) }
	for _, dir := range []string{"workspace/.git/hooks", "workflow", "home", "runner_temp", "file_commands", "drop", "program"} {
		if err := os.MkdirAll(at(dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	plan.Drop, plan.Event, plan.Workspace = "/drop", "/github/workflow/event.json", "/github/workspace"
	plan.Home, plan.Temp, plan.Socket = "/github/home", "/github/runner_temp", "/var/run/docker.sock"
	g := newFake(t)
	github := httptest.NewServer(g)
	defer github.Close()
	env := map[string]string{
		"PATH": "/sealmark:" + os.Getenv("PATH"), "HOME": plan.Home, "CI": "true", "GITHUB_ACTIONS": "true", "GITHUB_EVENT_NAME": "pull_request", "GITHUB_EVENT_PATH": plan.Event,
		"GITHUB_REPOSITORY": "example-barn/sheep-mcp", "GITHUB_SHA": strings.Repeat("1", 40), "GITHUB_REF": "refs/pull/7/merge", "GITHUB_RUN_ID": "50", "GITHUB_RUN_ATTEMPT": "1",
		"GITHUB_SERVER_URL": "https://github.invalid", "GITHUB_WORKSPACE": plan.Workspace, "GITHUB_API_URL": github.URL, "GITHUB_GRAPHQL_URL": github.URL + "/graphql", "RUNNER_TEMP": plan.Temp,
		"ACTIONS_RUNTIME_TOKEN": canary, "ACTIONS_ID_TOKEN_REQUEST_TOKEN": canary, "GITHUB_TOKEN": canary, "INPUT_TOKEN": canary,
		"INPUT_COMMENT": "true", "INPUT_UPLOAD-SARIF": "false", "INPUT_ANNOTATIONS": "true", "INPUT_ACTIVE-PROBES": "safe", "INPUT_NETWORK": "off",
	}
	for _, name := range slices.Sorted(maps.Keys(commandFiles)) {
		path := "/github/file_commands/" + commandFiles[name]
		plan.Commands, env[name] = append(plan.Commands, path), path
		if err := os.WriteFile(at(path[len("/github/"):]), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	told, err := json.Marshal(plan)
	if err != nil {
		t.Fatal(err)
	}
	event, err := os.ReadFile(filepath.Join("..", "..", "internal", "gha", "testdata", "events", "pull_request.json"))
	if err != nil {
		t.Fatal(err)
	}
	credentials := "[http \"https://github.invalid/\"]\n\textraheader = AUTHORIZATION: basic " + base64.StdEncoding.EncodeToString([]byte("x-access-token:"+canary)) + "\n"
	for path, text := range map[string]string{"workspace/plan.json": string(told), "workspace/.git/config": credentials, "workspace/.git/HEAD": "ref: refs/heads/main\n", "workflow/event.json": string(event)} {
		if err := os.WriteFile(at(path), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, err := range []error{
		os.CopyFS(at("workspace"), os.DirFS(filepath.Join("..", "..", "testdata", "hostile"))), os.Chmod(at("drop"), 0o777),
		os.Link(program, at("program", "sealmark")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	engine := engineAt(t, at("docker.sock"))
	before := contents(t, a.files)

	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	args := append([]string{"--mount", "--pid", "--fork", "--kill-child", "sh", "-c", container, "container", t.TempDir(), a.files, "sh", "-c", afterwards, "sh"}, command...)
	cmd := exec.CommandContext(ctx, "unshare", args...)
	cmd.WaitDelay = time.Second
	for name, value := range env {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	var out, errOut bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	a.step = step{code: cmd.ProcessState.ExitCode(), log: out.String(), errors: errOut.String(), dir: at("workspace"), fake: g}
	a.outputs, a.page = readAll(t, at("file_commands", commandFiles["GITHUB_OUTPUT"])), readAll(t, at("file_commands", commandFiles["GITHUB_STEP_SUMMARY"]))
	a.processes, a.left, a.calls = readAll(t, at("drop", "processes")), readAll(t, at("drop", "files")), int(engine.Load())
	for path, text := range contents(t, a.files) {
		if before[path] != text {
			a.changed = append(a.changed, path)
		}
	}
	for _, phase := range []string{"build", "server"} {
		var attempts map[string]struct{ Got, Refused string }
		if data, err := os.ReadFile(at("drop", phase+".json")); err != nil {
			continue
		} else if err := json.Unmarshal(data, &attempts); err != nil {
			t.Fatal(err)
		}
		for name, attempt := range attempts {
			a.loot[phase+": "+name] = attempt.Got
		}
	}
	for _, p := range g.Problems {
		t.Error(p)
	}
	return a
}

// engineAt is an engine of containers that anybody may use, and the number of
// calls that reached it.
func engineAt(t *testing.T, path string) *atomic.Int64 {
	t.Helper()
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	if err := os.Chmod(path, 0o666); err != nil {
		t.Fatal(err)
	}
	var calls atomic.Int64
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			c.Read(make([]byte, 1<<10))
			c.Write([]byte("HTTP/1.1 200 OK\r\n\r\n"))
			c.Close()
		}
	}()
	return &calls
}

// contents are the files of the folders that belong to the runner.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	files := map[string]string{}
	for _, dir := range []string{"workspace", "workflow", "home", "runner_temp", "file_commands"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(path string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				rel, _ := filepath.Rel(root, path)
				files[rel] = readAll(t, path)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}

func readAll(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// obeyed are the commands that a runner takes from a log: of the lines that are
// not between stop-commands and its token.
func obeyed(log string) []string {
	var commands []string
	until := ""
	form := regexp.MustCompile(`^\s*::([a-zA-Z-]+)(?: [^:]*)?::(.*)|##\[([a-z-]+)`)
	for line := range strings.Lines(log) {
		line = strings.TrimRight(line, "\r\n")
		m := form.FindStringSubmatch(line)
		switch {
		case until != "":
			if strings.TrimSpace(line) == "::"+until+"::" {
				until = ""
			}
		case m == nil:
		case m[1] == "stop-commands":
			until = m[2]
			commands = append(commands, line)
		default:
			commands = append(commands, line)
		}
	}
	return commands
}

func hostileOnes(commands []string) []string {
	return slices.DeleteFunc(commands, func(c string) bool { return !strings.Contains(c, "hostile") })
}

// What nobody would keep the repository from, it gets: without this the test
// below would show nothing.
func TestHostileWithoutSealmark(t *testing.T) {
	needContainer(t)
	a := attack(t, build(t), hostilePlan{}, "sh", "-c", "npm run build && node server.mjs </dev/null")
	if a.code != 0 || len(a.loot) < 2*20 {
		t.Fatalf("exit code %d, loot %v\n%s%s", a.code, a.loot, a.log, a.errors)
	}
	traceable, _ := os.ReadFile("/proc/sys/kernel/yama/ptrace_scope")
	for name, got := range a.loot {
		if strings.HasSuffix(name, "memory of any process") && strings.TrimSpace(string(traceable)) > "0" {
			continue // this kernel keeps that from everybody
		}
		if got == "" {
			t.Errorf("%s: got nothing", name)
		}
	}
	if len(hostileOnes(obeyed(a.log))) == 0 || a.calls != 2 || strings.Count(a.processes, "sleep 100000") < 4 || !strings.Contains(a.left, "/tmp/hostile-build\n") || len(a.changed) < 5+4 {
		t.Errorf("%d calls of the engine, %q runs, %q is left, %q changed", a.calls, a.processes, a.left, a.changed)
	}
}

// TestHostile runs the action on a repository that tries to get at all that it
// must not have.
func TestHostile(t *testing.T) {
	needContainer(t)
	program := build(t)
	t.Run("it gets nothing", func(t *testing.T) {
		a := attack(t, program, hostilePlan{}, "sealmark", "action")
		r := a.holds(t)
		if r.Status != result.Assessed {
			t.Fatalf("not assessed: %v\n%s%s", r.Reason, a.log, a.errors)
		}
		if len(a.loot) < 2*20 {
			t.Fatalf("not all was tried: %v", a.loot)
		}
		if i := r.Server.Isolation; !i.User || !i.Copy {
			t.Errorf("isolation is %+v", *i)
		}
		a.reports(t, r, "outlived", "workflow command set-env")
		if i := r.Server.Isolation; i.Network != "on" || !strings.Contains(a.page, "network: off could not be kept") {
			t.Errorf("nobody may make a network in a container, but that is %q, or not said in %s", i.Network, a.page)
		}
	})
	for _, tt := range []struct {
		name     string
		plan     hostilePlan
		status   result.Status
		breaches []string
	}{
		{"the build fills the memory", hostilePlan{Build: "memory"}, result.NotAssessed, []string{"768 MiB of memory"}},
		{"the build fills the disk", hostilePlan{Build: "disk"}, result.NotAssessed, []string{"It wrote more than"}},
		{"the build fills the disk unseen", hostilePlan{Build: "disk without names"}, result.NotAssessed, []string{"The disk ran full"}},
		{"the server fills the memory", hostilePlan{Server: "memory"}, result.Assessed, []string{"768 MiB of memory"}},
		{"the server fills the disk", hostilePlan{Server: "disk"}, result.Assessed, []string{"It wrote more than"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			a := attack(t, program, tt.plan, "sealmark", "action")
			r := a.holds(t)
			if r.Status != tt.status {
				t.Errorf("%s: %v\n%s%s", r.Status, r.Reason, a.log, a.errors)
			}
			a.reports(t, r, tt.breaches...)
		})
	}
}

// holds fails the test if anything was got, changed or left.
func (a assault) holds(t *testing.T) *result.Result {
	t.Helper()
	for name, got := range a.loot {
		if got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if len(a.loot) == 0 || a.calls > 0 {
		t.Errorf("%d attempts, %d calls of the engine", len(a.loot), a.calls)
	}
	if commands := hostileOnes(obeyed(a.log)); len(commands) > 0 {
		t.Errorf("the runner obeys %q", commands)
	}
	for _, path := range a.changed {
		ours := strings.HasPrefix(path, "workspace/sealmark-") || path == "file_commands/set_output" || path == "file_commands/step_summary"
		if !ours {
			t.Errorf("%s was changed", path)
		}
	}
	if strings.Contains(a.outputs, "HOSTILE") || strings.Contains(a.page, "HOSTILE=") || a.output("grade") == "hostile" {
		t.Errorf("outputs and summary are\n%s\n%s", a.outputs, a.page)
	}
	if a.processes != "" || a.left != "" {
		t.Errorf("%q runs, %q is left", a.processes, a.left)
	}
	os.RemoveAll(filepath.Join(a.dir, ".git")) // the token that was there from the start
	a.keepsToken(t)
	r, err := openResult(filepath.Join(a.dir, a.output("result-file")))
	if err != nil {
		t.Fatalf("%v\n%s%s", err, a.log, a.errors)
	}
	return r
}

// reports fails the test unless what was stopped is in the result, the summary
// and the log.
func (a assault) reports(t *testing.T, r *result.Result, parts ...string) {
	t.Helper()
	for _, part := range parts {
		for where, text := range map[string]string{"the isolation": strings.Join(r.Server.Isolation.Breaches, "\n"), "the summary": a.page, "the log": strings.Join(strings.Fields(a.log), " ")} {
			if !strings.Contains(text, part) {
				t.Errorf("%q is not in %s: %s", part, where, text)
			}
		}
	}
}

// kept are the attempts that get nothing at the desk either, where the server
// runs as the user of Sealmark.
var kept = []string{"variables of the runner", "environment of the parent", "environment of any process", "memory of any process", "environment of pid 1", "signal to pid 1", "rights of root"}

// TestHostileAtDesk runs the hostile server without a user of its own, and
// without a network.
func TestHostileAtDesk(t *testing.T) {
	needContainer(t)
	program := build(t)
	desk := []string{"setpriv", "--reuid=1234", "--regid=1234", "--clear-groups", "--bounding-set=-all"}
	control := attack(t, program, hostilePlan{}, append(desk, "sh", "-c", "node server.mjs </dev/null; exit")...)
	for _, name := range kept[:3] {
		if control.loot["server: "+name] == "" {
			t.Errorf("without Sealmark, %s: got nothing", name)
		}
	}
	a := attack(t, program, hostilePlan{}, append(desk, "sealmark", "run", "-q", "--network", "off", "--json", "/drop/result.json", "--fail-on", "never", "--", "node", "server.mjs")...)
	r, err := openResult(filepath.Join(a.files, "drop", "result.json"))
	if err != nil || len(a.loot) == 0 {
		t.Fatalf("%v %d\n%s%s%+v", err, len(a.loot), a.log, a.errors, r)
	}
	for _, name := range kept {
		if got := a.loot["server: "+name]; got != "" {
			t.Errorf("%s: got %q", name, got)
		}
	}
	if i := r.Server.Isolation; i == nil || i.Network != "off" || i.User || a.processes != "" {
		t.Errorf("isolation is %+v, %q runs", i, a.processes)
	}
}
