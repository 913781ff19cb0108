package config

import "github.com/sealmark/action/internal/rule"

// catalog is a catalogue with a key of each kind.
func catalog() []rule.Check {
	return []rule.Check{
		{ID: "launch", Weight: rule.Gate, Rules: []rule.Rule{{ID: "launch.exited", Title: "The server ends"}}},
		{ID: "robust-input", Title: "Bad input", Weight: rule.Scored, Keys: []rule.Key{
			{Name: "checks.robust-input.max_tools", Type: rule.Int, Default: 25, Locked: true, Min: new(1.0), Meaning: "Most tools."},
			{Name: "checks.robust-input.hang_ms", Type: rule.Int, Nullable: true, Locked: true, Min: new(1.0), Meaning: "Most milliseconds."},
		}, Rules: []rule.Rule{{ID: "robust.hang", Title: "No answer"}, {ID: "robust.crash", Title: "It dies"}}},
		{ID: "stdio-clean", Weight: rule.Cap},
		{ID: "hints", Weight: rule.Advisory},
	}
}

// environ is the environment of the tests.
func environ(name string) (string, bool) {
	v, ok := map[string]string{
		"DEMO_TOKEN": "demo-token-value", "HOST": "api.example.test", "EMPTY": "", "PORT": "8080", "DIR": "sub",
	}[name]
	return v, ok
}
