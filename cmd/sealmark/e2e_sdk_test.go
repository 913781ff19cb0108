package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/config"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/internal/suite"
)

// TestSDKDies: a server on versions of the Go SDK that can't encode their own
// refusal dies of a resource URI with a control character; that is found,
// confirmed, and the other probes run all the same.
func TestSDKDies(t *testing.T) {
	for _, version := range []string{"v1.7.0", sdkNewest} {
		t.Run(version, func(t *testing.T) {
			program := buildServer(t, "go-sdk", sdkModule, version)
			c, err := config.Build(config.Sources{Path: config.NoFile, Command: []string{program}}, suite.Catalog())
			if err != nil {
				t.Fatal(err)
			}
			r := suite.Run{Config: c, Version: "test", Key: "go-sdk"}.Do(t.Context())
			found := false
			for _, f := range r.Findings {
				if f.Rule != "protocol.probe-connection-died" || f.Subject != "method:resources/read" {
					continue
				}
				found = true
				if f.Flaky || f.Severity != rule.Error || !strings.Contains(f.Evidence.Request, `\u0001"`) || !strings.Contains(f.Evidence.Stderr, "marshaling message") {
					t.Errorf("%+v", f)
				}
			}
			if !found {
				t.Errorf("the death is not found: %+v", r.Findings)
			}
			// The server has tools and resources and no prompts.
			want := []string{"undeclared-prompt", "completion-ref", "unadvertised-tools", "unadvertised-resources"}
			if got := skipped(r); !slices.Equal(got, want) {
				t.Errorf("the probes %q did not run, want %q", got, want)
			}
		})
	}
}

// skipped lists the probes of protocol-probes that did not run.
func skipped(r *result.Result) []string {
	var list []string
	for _, c := range r.Checks {
		if c.ID != "protocol-probes" {
			continue
		}
		for _, p := range suite.Catalog()[slices.IndexFunc(suite.Catalog(), func(k rule.Check) bool { return k.ID == c.ID })].Probes {
			if c.Probes[p.ID] == 0 {
				list = append(list, p.ID)
			}
		}
	}
	return list
}
