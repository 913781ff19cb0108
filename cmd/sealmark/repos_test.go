package main

import (
	"context"
	"encoding/json"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/session"
	"github.com/sealmark/action/internal/target"
	"github.com/sealmark/action/internal/wire"
)

// launchable are the sample repositories that are really built and launched, with
// the names by which their servers introduce themselves, in the order of the
// plans.
var launchable = map[string]string{
	"node-bin":            "tide",
	"node-bin-string":     "clock",
	"node-start":          "bakery",
	"node-main":           "kiln",
	"node-exports":        "loom",
	"node-build":          "quarry",
	"node-prepare":        "mill",
	"node-typescript":     "cellar",
	"node-workspaces":     "orchard",
	"node-two-servers":    "arrivals departures",
	"node-two-bins":       "bees birds",
	"node-alias-bins":     "lantern",
	"node-imports":        "forge",
	"node-env-example":    "ledger",
	"node-compose-start":  "beacon",
	"node-http":           "canal",
	"node-http-fixed":     "lock",
	"mcp-json-own":        "almanac",
	"mcp-json-script":     "tools",
	"vscode-mcp-json":     "compass",
	"smithery":            "sundial",
	"mcpb":                "vault",
	"registry":            "granary",
	"registry-transports": "signal",
	"merged":              "tower",
	"go-cmd":              "anchor",
	"go-root":             "buoy",
	"go-two-commands":     "cargo crew",
	"go-one-of-commands":  "rudder",
	"go-internal":         "mast",
	"go-nested":           "hull",
	"go-handwritten":      "oar",
	"go-arguments":        "keel",
	"go-docker-arguments": "sextant",
	"go-run-json":         "winch pulley",
}

// networked are those whose packages come from a registry.
var networked = map[string]bool{"node-typescript": true}

// TestReposLaunch builds and launches sample repositories as their plans say,
// each in a copy.
func TestReposLaunch(t *testing.T) {
	if testing.Short() {
		t.Skip("SKIPPED: builds some thirty servers")
	}
	if _, err := exec.LookPath("npm"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("npm is not installed")
		}
		t.Skip("SKIPPED: npm is not installed")
	}
	for name, servers := range launchable {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			if err := os.CopyFS(root, os.DirFS(filepath.Join("..", "..", "testdata", "repos", name))); err != nil {
				t.Fatal(err)
			}
			d, err := target.Detect(root)
			if err != nil {
				t.Fatal(err)
			}
			want := strings.Fields(servers)
			if len(d.Plans) != len(want) {
				t.Fatalf("%d plans, want %d", len(d.Plans), len(want))
			}
			for i, plan := range d.Plans {
				if !buildPlan(t, root, plan, !networked[name]) {
					return
				}
				if got := launchPlan(t, root, plan); got != want[i] {
					t.Errorf("%s is answered by %q, want %q", plan.Name, got, want[i])
				}
			}
		})
	}
}

// buildPlan runs the steps of a plan. It returns false where packages from a
// registry can't be had.
func buildPlan(t *testing.T, root string, plan target.Plan, offline bool) bool {
	t.Helper()
	env := append(os.Environ(), "npm_config_audit=false", "npm_config_fund=false", "npm_config_update_notifier=false", "GOWORK=off", "GOFLAGS=-mod=mod")
	if offline {
		env = append(env, "npm_config_offline=true", "GOPROXY=off")
	}
	for _, step := range plan.Build {
		cmd := exec.CommandContext(t.Context(), step.Args[0], step.Args[1:]...)
		cmd.Dir, cmd.Env = filepath.Join(root, filepath.FromSlash(step.Dir)), env
		out, err := cmd.CombinedOutput()
		if err == nil {
			continue
		}
		if !offline && os.Getenv("CI") == "" {
			t.Logf("SKIPPED: %s failed, which needs a network: %v\n%s", strings.Join(step.Args, " "), err, out)
			return false
		}
		t.Fatalf("%s: %v\n%s", strings.Join(step.Args, " "), err, out)
	}
	return true
}

// launchPlan launches a server as its plan says first, and returns the name by
// which it introduces itself.
func launchPlan(t *testing.T, root string, plan target.Plan) string {
	t.Helper()
	const limit = 60 * time.Second
	port := freePort(t)
	fill := func(text string) string { return strings.ReplaceAll(text, target.PortPlaceholder, port) }
	command := wire.Command{Dir: filepath.Join(root, filepath.FromSlash(plan.Directory)), Env: os.Environ()}
	for _, word := range plan.Command {
		command.Args = append(command.Args, fill(word))
	}
	for _, v := range plan.Env {
		if v.Value != "" {
			command.Env = append(command.Env, v.Name+"="+fill(v.Value))
		}
	}
	dial := func(h wire.Handler) (wire.Conn, error) { return wire.StartStdio(command, wire.Limits{}, h) }
	if plan.URL != "" {
		cmd := exec.Command(command.Args[0], command.Args[1:]...)
		cmd.Dir, cmd.Env = command.Dir, command.Env
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		defer cmd.Wait()
		defer cmd.Process.Kill()
		at := fill(plan.URL)
		awaitPort(t, at, limit)
		dial = func(h wire.Handler) (wire.Conn, error) {
			return wire.DialHTTP(at, http.Header{}, wire.Limits{}, h), nil
		}
	}
	s, err := session.Open(t.Context(), session.Options{Dial: dial, StartLimit: limit, ProbeLimit: limit})
	if err != nil {
		t.Fatalf("%s: %v", plan.Name, err)
	}
	defer s.Kill()
	var answer struct{ ServerInfo struct{ Name string } }
	if err := json.Unmarshal(s.Initialize, &answer); err != nil {
		t.Fatal(err)
	}
	return answer.ServerInfo.Name
}

func freePort(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return strconv.Itoa(l.Addr().(*net.TCPAddr).Port)
}

// awaitPort returns when something listens at the address.
func awaitPort(t *testing.T, address string, limit time.Duration) {
	t.Helper()
	at, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	for ctx.Err() == nil {
		conn, err := new(net.Dialer).DialContext(ctx, "tcp", at.Host)
		if err == nil {
			conn.Close()
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("nothing listens at %s", at.Host)
}
