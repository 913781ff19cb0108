// Package config merges sealmark.yml, flags and the action's inputs into one
// checked Config. Every value knows where it came from, so that an error can
// name the place. It starts nothing.
package config

import (
	"slices"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// day is the longest duration that makes sense here, in seconds.
const day = 24 * 60 * 60

// Keys are the general configuration keys; those of the checks come from the
// checks themselves.
var Keys = slices.Concat(runKeys, compareKeys, contractKeys)

// runKeys are those of the run and of the server.
var runKeys = []rule.Key{
	{Name: "standard", Type: rule.Bool, Default: false, Flag: "--standard", Meaning: "Refuses settings that deviate from the standard. Without it such a run is marked as non-standard."},
	{Name: "timeout_sec", Type: rule.Duration, Default: 600, Min: new(0.001), Max: new(float64(day)), Flag: "--timeout", Meaning: "Limits the whole run. What is not done by then is unverified."},
	{Name: "timeout_start_sec", Type: rule.Duration, Default: 30, Min: new(0.001), Max: new(float64(day)), Flag: "--timeout-start", Meaning: "How long the server may take to answer initialize."},
	{Name: "timeout_probe_sec", Type: rule.Duration, Default: 10, Min: new(0.001), Max: new(float64(day)), Locked: true, Flag: "--timeout-probe", Meaning: "How long a probe waits before a call counts as running too long."},
	{Name: "lanes", Type: rule.Int, Default: 0, Min: new(0.0), Max: new(64.0), Flag: "--lanes", Meaning: "How many instances of the server run side by side. 0 means the number of CPUs, at most 4."},
	{Name: "active_probes", Type: rule.Enum, Default: "safe", Enum: []string{"none", "safe", "full"}, Locked: true, Flag: "--active-probes", Meaning: "Which probes are sent. none calls no tool; full adds heavy stimuli, of which this version has none."},
	{Name: "fail_on", Type: rule.Enum, Default: "error", Enum: []string{"error", "warning", "note", "never"}, Flag: "--fail-on", Meaning: "The mildest finding that fails the run."},
	{Name: "min_score", Type: rule.Number, Default: 0, Min: new(0.0), Max: new(100.0), Flag: "--min-score", Meaning: "The least score in per cent that passes."},
	{Name: "min_grade", Type: rule.Enum, Default: "", Enum: []string{"A", "B", "C", "D", "F"}, Flag: "--min-grade", Meaning: "The lowest letter that passes. Empty means any."},
	{Name: "min_coverage", Type: rule.Number, Default: 0, Min: new(0.0), Max: new(100.0), Flag: "--min-coverage", Meaning: "The least share of probed tools in per cent that passes."},
	{Name: "probes", Type: rule.List, Default: nil, Nullable: true, Meaning: "Calls that are known to be valid, invalid or to be denied. Only they, and read-only tools without arguments, are ever called validly."},
	{Name: "timeout_build_sec", Type: rule.Duration, Default: 600, Min: new(0.001), Max: new(float64(day)), Flag: "--timeout-build", Meaning: "How long building the server may take. It does not count towards timeout_sec."},
	{Name: "env_canaries", Type: rule.Enum, Default: "auto", Enum: []string{"auto", "off"}, Flag: "--env-canaries", Meaning: "Whether a server that ends at its start and asks for variables is started once more with harmless values for them. The result names them."},
	{Name: "network", Type: rule.Enum, Default: "on", Enum: []string{"on", "off"}, Flag: "--network", Meaning: "Whether the server may use the network while it is tested. The build always may. off needs a platform that permits it."},
	{Name: "servers", Type: rule.List, Default: nil, Nullable: true, Meaning: "Several servers of the repository: a list whose entries hold a name and whatever server may hold, or all for every server that is found. Each is tested by itself; --server picks one."},
	{Name: "server.command", Type: rule.String, Default: "", Meaning: "The launch command, as a list or as one string that is split as a shell would, without a shell. Left out, it is found out from the repository. ${PORT} is a free port."},
	{Name: "server.url", Type: rule.String, Default: "", Flag: "--url", Meaning: "The URL of the server. With a command it is started first and reached here, and ${PORT} is a free port; without one it must be running."},
	{Name: "server.env", Type: rule.String, Default: nil, Nullable: true, Flag: "--env", Meaning: "Variables for the server, as a map. ${NAME} reads the environment of Sealmark, ${PORT} is a free port."},
	{Name: "server.build", Type: rule.String, Default: nil, Nullable: true, Flag: "--build", Meaning: "The commands that build the server, as a list; each is a list or one string that is split as a shell would, without a shell. One string may hold several with && between them. Left out, they are found out with the command; an empty list builds nothing."},
	{Name: "server.build_env", Type: rule.String, Default: nil, Nullable: true, Flag: "--build-env", Meaning: "Variables for the build alone, as a map, such as the credentials of a private registry. ${NAME} reads the environment of Sealmark."},
	{Name: "server.working_directory", Type: rule.String, Default: "", Flag: "--working-directory", Meaning: "The folder in which the server is built and started, relative to the configuration file."},
}

// checkKeys returns the keys of a check: the two that every check has and its
// own.
func checkKeys(c rule.Check) []rule.Key {
	keys := []rule.Key{
		{Name: "checks." + c.ID + ".enabled", Type: rule.Bool, Default: true, Meaning: "Runs the check. Switching off a scored check deviates from the standard."},
		{Name: "checks." + c.ID + ".severity", Type: rule.Enum, Nullable: true, Enum: []string{"error", "warning", "note"}, Meaning: "The highest severity that a finding of the check is reported with. It does not act on points."},
	}
	return append(keys, c.Keys...)
}

// AllKeys returns the general keys and those of the checks, sorted by name.
func AllKeys(checks []rule.Check) []rule.Key {
	keys := slices.Clone(Keys)
	for _, c := range checks {
		keys = append(keys, checkKeys(c)...)
	}
	slices.SortFunc(keys, func(a, b rule.Key) int { return strings.Compare(a.Name, b.Name) })
	return keys
}

func keyNamed(name string) rule.Key {
	if i := keyIndex(name); i >= 0 {
		return Keys[i]
	}
	panic("no configuration key " + name)
}

// keyIndex is the place of a key in Keys, -1 if there is none of the name.
func keyIndex(name string) int {
	return slices.IndexFunc(Keys, func(k rule.Key) bool { return k.Name == name })
}
