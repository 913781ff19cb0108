package compare

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/check/surface"
	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
)

// whole is a result of a server with two tools, one finding and nothing to
// hide.
func whole() *result.Result {
	return &result.Result{
		SchemaVersion: result.SchemaVersion, Sealmark: result.Build{Version: "1.0.0", Methodology: "1.0"},
		Server: result.Server{Key: "barn", Name: "barn", Version: "1.2.0", ProtocolVersion: "2025-11-25"}, Status: result.Assessed,
		Completeness: result.Completeness{State: "complete", Capabilities: []result.Capability{{Name: "tools", State: "complete"}}},
		Deviations:   []string{}, Score: &result.Score{Percent: 90, Letter: "A"},
		Coverage: result.Coverage{ToolsListed: 2, ToolsProbed: 2},
		Checks: []result.Check{
			{ID: "robust-input", Weight: rule.Scored, Verdict: rule.Partial, Probes: map[string]int{"nulls": 2}},
			{ID: "user-probes", Weight: rule.Scored, Verdict: rule.Pass, Probes: map[string]int{"call": 2}},
			{ID: "argument-contract", Weight: rule.Scored, Verdict: rule.Pass},
			{ID: "surface", Weight: rule.Advisory, Verdict: rule.NotApplicable},
		},
		Findings: []rule.Finding{fault("robust.text-refusal", "robust-input", "tool:feed", rule.Note)},
		Rules: append(surface.Surface{}.Info().Rules, rule.Rule{ID: "robust.text-refusal"}, rule.Rule{ID: "robust.hang"}, rule.Rule{ID: "probe.not-ok"},
			rule.Rule{ID: "contract.enum-ignored"}),
		Snapshot: &result.Snapshot{
			Capabilities: []string{"prompts", "tools"}, Tools: []string{"feed", "count"}, Prompts: []string{"plan"}, Resources: []string{}, Templates: []string{},
			Surface: &result.Surface{
				Capabilities: json.RawMessage(`{"prompts":{},"tools":{"listChanged":true}}`),
				Tools: []result.Definition{
					defined("feed", `{"description":"Feeds.","inputSchema":{"type":"object","properties":{"animal":{"type":"string"}}},"annotations":{"readOnlyHint":true}}`),
					defined("count", `{"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}}}`),
				},
				Prompts:   []result.Definition{defined("plan", `{"arguments":[{"name":"day"}]}`)},
				Resources: []result.Definition{}, Templates: []result.Definition{},
			},
		},
		Contract: &result.Contract{Tools: []result.ContractTool{{Tool: "feed", Total: result.Outcomes{result.Rejected: 5}}}, Total: result.Outcomes{result.Rejected: 5}},
		Notices:  []string{},
	}
}

func fault(id, check, subject string, severity rule.Severity) rule.Finding {
	return rule.Finding{ID: rule.FindingID(id, subject), Rule: id, Check: check, Subject: subject, Severity: severity, Message: "It does.", Count: 1}
}

func defined(name, declared string) result.Definition {
	return result.Definition{Name: name, Digest: fmt.Sprintf("%x", len(declared)) + declared[len(declared)/2:][:1], Declared: json.RawMessage(declared)}
}

// redefine gives the tool of a result another definition.
func redefine(r *result.Result, name, declared string) {
	for i, d := range r.Snapshot.Surface.Tools {
		if d.Name == name {
			r.Snapshot.Surface.Tools[i] = result.Definition{Name: name, Digest: "other", Declared: json.RawMessage(declared)}
		}
	}
}

var hang = fault("robust.hang", "robust-input", "tool:feed", rule.Error)

func TestFindings(t *testing.T) {
	refusal := rule.FindingID("robust.text-refusal", "tool:feed")
	for _, tt := range []struct {
		name      string
		base, now func(*result.Result)
		want      string // lists with ids or rules, in the order of the type
	}{
		{"nothing changed", nil, nil, ""},
		{"new", nil, func(r *result.Result) { r.Findings = append(r.Findings, hang) }, "new robust.hang"},
		{"new, explained by another", nil, func(r *result.Result) {
			f := hang
			f.ExplainedBy = refusal
			r.Findings = append(r.Findings, f)
		}, ""},
		{"no longer explained", func(r *result.Result) {
			f := hang
			f.ExplainedBy = refusal
			r.Findings = append(r.Findings, f)
		}, func(r *result.Result) { r.Findings = append(r.Findings, hang) }, ""},
		{"fixed", nil, func(r *result.Result) { r.Findings = nil }, "fixed robust.text-refusal"},
		{"graver", nil, func(r *result.Result) { r.Findings[0].Severity = rule.Error }, "worse robust.text-refusal"},
		{"milder", func(r *result.Result) { r.Findings[0].Severity = rule.Error }, nil, ""},
		{"confirmed, flaky before", func(r *result.Result) { r.Findings[0].Flaky = true }, func(r *result.Result) { r.Findings[0].Severity = rule.Error }, ""},
		{"flaky and not before", nil, func(r *result.Result) {
			f := hang
			f.Flaky = true
			r.Findings = append(r.Findings, f)
		}, "unsure robust.hang"},
		{"flaky before and not now", func(r *result.Result) {
			f := hang
			f.Flaky = true
			r.Findings = append(r.Findings, f)
		}, nil, ""},
		{"check not run now", nil, func(r *result.Result) { r.Findings = nil; r.Checks[0].Verdict = rule.Unverified }, "unknown robust.text-refusal"},
		{"check failed now", nil, func(r *result.Result) { r.Findings = nil; r.Checks[0].Verdict = rule.Errored }, "unknown robust.text-refusal"},
		{"check switched off now", nil, func(r *result.Result) { r.Findings = nil; r.Checks[0].Verdict = rule.NotApplicable }, "unknown robust.text-refusal"},
		{"check gone now", nil, func(r *result.Result) { r.Findings = nil; r.Checks = r.Checks[1:] }, "unknown robust.text-refusal"},
		{"rule gone now", nil, func(r *result.Result) { r.Findings = nil; r.Rules = surface.Surface{}.Info().Rules }, "unknown robust.text-refusal"},
		{"check not run in the base", func(r *result.Result) { r.Checks[0].Verdict = rule.Unverified }, func(r *result.Result) { r.Findings = append(r.Findings, hang) }, "unsure robust.hang"},
		{"check not in the base", func(r *result.Result) { r.Checks = r.Checks[1:]; r.Findings = nil }, nil, "unsure robust.text-refusal"},
		{"rule not in the base", func(r *result.Result) { r.Rules = r.Rules[:len(r.Rules)-4] }, func(r *result.Result) { r.Findings = append(r.Findings, hang) }, "unsure robust.hang"},
		{"hidden by something graver", nil, func(r *result.Result) { r.Findings = []rule.Finding{hang} }, "new robust.hang, unknown robust.text-refusal"},
		{"no longer hidden by something graver", func(r *result.Result) { r.Findings = []rule.Finding{hang} }, nil, "unsure robust.text-refusal, fixed robust.hang"},
		{"tool gone", nil, func(r *result.Result) { r.Findings = nil; r.Snapshot.Tools = []string{"count"} }, "fixed robust.text-refusal"},
		{"tool gone and its check with it", nil, func(r *result.Result) {
			r.Findings, r.Snapshot.Tools, r.Checks[0].Verdict = nil, []string{"count"}, rule.NotApplicable
		}, "fixed robust.text-refusal"},
		{"tool not listed, the list was cut", nil, func(r *result.Result) {
			r.Findings, r.Snapshot.Tools, r.Completeness.Capabilities[0].State = nil, []string{"count"}, "gap"
		}, "unknown robust.text-refusal"},
		{"tool not listed in the base, the list was cut", func(r *result.Result) {
			r.Snapshot.Tools, r.Completeness.Capabilities[0].State = []string{"count"}, "gap"
		},
			func(r *result.Result) { r.Findings = append(r.Findings, hang) }, "unsure robust.hang"},
		{"tool not probed now", nil, func(r *result.Result) { r.Findings, r.Coverage.Unprobed = nil, []string{"feed"} }, "unknown robust.text-refusal"},
		{"tool never probed", func(r *result.Result) { r.Coverage.Unprobed = []string{"feed"} }, func(r *result.Result) { r.Findings, r.Coverage.Unprobed = nil, []string{"feed"} }, "fixed robust.text-refusal"},
		{"known call taken out", func(r *result.Result) {
			r.Findings = append(r.Findings, fault("probe.not-ok", "user-probes", "tool:count", rule.Error))
		}, func(r *result.Result) { r.Checks[1].Probes["call"] = 1 }, "unknown probe.not-ok"},
		{"known call mended", func(r *result.Result) {
			r.Findings = append(r.Findings, fault("probe.not-ok", "user-probes", "tool:count", rule.Error))
		}, nil, "fixed probe.not-ok"},
		{"fewer malformed calls", func(r *result.Result) {
			r.Findings = append(r.Findings, fault("contract.enum-ignored", "argument-contract", "tool:feed", rule.Error))
		}, func(r *result.Result) {
			r.Contract.Tools[0].Total = result.Outcomes{result.Rejected: 1, result.NotSent: 4}
		}, "unknown contract.enum-ignored"},
		{"more malformed calls", func(r *result.Result) { r.Contract = nil }, func(r *result.Result) {
			r.Findings = append(r.Findings, fault("contract.enum-ignored", "argument-contract", "tool:feed", rule.Error))
		}, "unsure contract.enum-ignored"},
		{"findings of the surface are not compared", func(r *result.Result) {
			r.Findings = append(r.Findings, fault("surface.tool-removed", "surface", "tool:x", rule.Warning), fault("config.stale-accept", "accepted", "accept:x", rule.Note))
		}, nil, ""},
		{"ids of a file count for nothing", func(r *result.Result) { r.Findings[0].ID = "robust.hang:0" }, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, now := whole(), whole()
			if tt.base != nil {
				tt.base(base)
			}
			if tt.now != nil {
				tt.now(now)
			}
			c := Results(now, base)
			if got := inLists(c); got != tt.want || !c.FindingsCompared {
				t.Errorf("got %q, want %q; %q", got, tt.want, c.Incomparable)
			}
		})
	}
}

// lists writes what is in the lists of a comparison.
func inLists(c *result.Comparison) string {
	var all []string
	for _, list := range []struct {
		name string
		ids  []string
	}{{"new", c.New}, {"worse", c.Worse}, {"unsure", c.Unsure}} {
		for _, id := range list.ids {
			name, _, _ := strings.Cut(id, ":")
			all = append(all, list.name+" "+name)
		}
	}
	for _, list := range []struct {
		name     string
		findings []rule.Finding
	}{{"fixed", c.Fixed}, {"unknown", c.Unknown}} {
		for _, f := range list.findings {
			all = append(all, list.name+" "+f.Rule)
		}
	}
	return strings.Join(all, ", ")
}

func TestIncomparable(t *testing.T) {
	notAssessed := func(r *result.Result) {
		r.Status, r.Score, r.Reason = result.NotAssessed, nil, &result.Reason{Text: "It did not start."}
	}
	for _, tt := range []struct {
		name              string
		base, now         func(*result.Result)
		want              string // part of a reason
		findings, surface bool
		change            bool
	}{
		{"same", nil, nil, "", true, true, true},
		{"another key", func(r *result.Result) { r.Server.Key, r.Server.Name = "shed", "shed" }, nil, `its key is "shed", here it is "barn"`, false, false, false},
		{"another key, no name", func(r *result.Result) { r.Server.Key, r.Server.Name = "shed", "" }, func(r *result.Result) { r.Server.Name = "" }, "another server", false, false, false},
		{"another key, the same name", func(r *result.Result) { r.Server.Key = "old/barn" }, nil, "both servers call themselves", true, true, true},
		{"base not assessed", notAssessed, nil, "not assessed in the base", false, false, false},
		{"not assessed now", nil, notAssessed, "not assessed now", false, false, false},
		{"another methodology", func(r *result.Result) { r.Sealmark.Methodology = "0.9" }, nil, `methodology "0.9", this run by "1.0"`, false, true, false},
		{"deviation now", nil, func(r *result.Result) { r.Deviations = []string{"active_probes"} }, "This run deviates from the standard in active_probes", false, true, false},
		{"deviation in the base", func(r *result.Result) { r.Deviations = []string{"active_probes"} }, nil, "The base deviates from the standard in active_probes", false, true, false},
		{"the same deviation", func(r *result.Result) { r.Deviations = []string{"active_probes"} }, func(r *result.Result) { r.Deviations = []string{"active_probes"} }, "", true, true, true},
		{"check not run in the base", func(r *result.Result) { r.Checks[1].Verdict = rule.Unverified }, nil, "base does not count user-probes", true, true, true},
		{"check not run now", nil, func(r *result.Result) { r.Checks[1].Verdict = rule.Unverified }, "this run does not count user-probes", true, true, true},
		{"list cut now", nil, func(r *result.Result) { r.Completeness.Capabilities[0].State = "gap" }, "list of tools was not read to its end now", true, true, true},
		{"list cut in the base", func(r *result.Result) { r.Completeness.Capabilities[0].State = "skipped" }, nil, "list of tools was not read to its end in the base", true, true, true},
		{"no definitions", func(r *result.Result) { r.Snapshot.Surface = nil }, nil, "has the names", true, true, true},
		{"no snapshot", func(r *result.Result) { r.Snapshot = nil }, nil, "not in both results", true, false, true},
		{"impossible score", func(r *result.Result) { r.Score.Percent = -1e9 }, nil, "no percentage", true, true, false},
		{"secret in a definition", func(r *result.Result) { r.Snapshot.Surface.Tools[0].Digest = "" }, nil, "1 definition can't be compared", true, true, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, now := whole(), whole()
			if tt.base != nil {
				tt.base(base)
			}
			if tt.now != nil {
				tt.now(now)
			}
			c := Results(now, base)
			why := strings.Join(c.Incomparable, " ")
			if (why == "") != (tt.want == "") || !strings.Contains(why, tt.want) {
				t.Errorf("reasons %q, want %q", c.Incomparable, tt.want)
			}
			if c.FindingsCompared != tt.findings || c.SurfaceCompared != tt.surface || (c.Change != nil) != tt.change {
				t.Errorf("findings %v, surface %v, change %v", c.FindingsCompared, c.SurfaceCompared, c.Change)
			}
			if !c.FindingsCompared && inLists(c) != "" || !c.SurfaceCompared && len(c.Surface) > 0 {
				t.Errorf("%+v", c)
			}
		})
	}
}

func TestScore(t *testing.T) {
	base, now := whole(), whole()
	base.Score, now.Score = &result.Score{Percent: 84.2, Letter: "B"}, &result.Score{Percent: 91.5, Letter: "A"}
	c := Results(now, base)
	if c.Change == nil || *c.Change != 7.3 || c.Base.Letter != "B" || *c.Base.Percent != 84.2 || c.Base.Version != "1.2.0" || c.Base.Sealmark != "1.0.0" {
		t.Errorf("%+v, %+v", c.Change, c.Base)
	}
}

const feedSchema = `"inputSchema":{"type":"object","properties":{"animal":{"type":"string"}}}`

func TestSurface(t *testing.T) {
	for _, tt := range []struct {
		name string
		now  func(*result.Result)
		want []string // kind, rule and subject
	}{
		{"nothing", func(*result.Result) {}, nil},
		{"tool removed", func(r *result.Result) {
			r.Snapshot.Tools = []string{"feed"}
			r.Snapshot.Surface.Tools = r.Snapshot.Surface.Tools[:1]
		}, []string{"breaking tool-removed tool:count"}},
		{"tool removed, names only", func(r *result.Result) { r.Snapshot.Tools, r.Snapshot.Surface = []string{"feed"}, nil }, []string{"breaking tool-removed tool:count"}},
		{"tool not listed, the list was cut", func(r *result.Result) {
			r.Snapshot.Tools, r.Completeness.Capabilities[0].State = []string{"feed"}, "gap"
		}, nil},
		{"tool added", func(r *result.Result) { r.Snapshot.Tools = append(r.Snapshot.Tools, "sell") }, []string{"added tool-added tool:sell"}},
		{"tool renamed", func(r *result.Result) {
			r.Snapshot.Tools = []string{"nourish", "count"}
			r.Snapshot.Surface.Tools[0].Name = "nourish"
		}, []string{"breaking tool-removed tool:feed", "added tool-added tool:nourish"}},
		{"prompt removed", func(r *result.Result) { r.Snapshot.Prompts = nil; r.Snapshot.Surface.Prompts = nil }, []string{"breaking prompt-removed prompt:plan"}},
		{"template and resource", func(r *result.Result) {
			r.Snapshot.Templates, r.Snapshot.Resources = []string{"x://{id}"}, []string{"x://1"}
		}, []string{"added resource-added template:x://{id}", "added resource-added resource:x://1"}},
		{"argument required", func(r *result.Result) {
			redefine(r, "feed", `{"description":"Feeds.","inputSchema":{"type":"object","properties":{"animal":{"type":"string"}},"required":["animal"]},"annotations":{"readOnlyHint":true}}`)
		}, []string{"breaking argument-required tool:feed"}},
		{"argument of a prompt required", func(r *result.Result) {
			r.Snapshot.Surface.Prompts[0] = result.Definition{Name: "plan", Digest: "x", Declared: json.RawMessage(`{"arguments":[{"name":"day","required":true},{"name":"hour"}]}`)}
		}, []string{"breaking argument-required prompt:plan", "added argument-added prompt:plan"}},
		{"field of a result removed", func(r *result.Result) {
			redefine(r, "count", `{"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{}}}`)
		}, []string{"breaking output-changed tool:count"}},
		{"output schema removed", func(r *result.Result) { redefine(r, "count", `{"inputSchema":{"type":"object"}}`) }, []string{"breaking output-changed tool:count"}},
		{"output schema added", func(r *result.Result) {
			redefine(r, "feed", `{"description":"Feeds.",`+feedSchema+`,"outputSchema":{"type":"object"},"annotations":{"readOnlyHint":true}}`)
		}, []string{"added output-added tool:feed"}},
		{"no longer read-only", func(r *result.Result) { redefine(r, "feed", `{"description":"Feeds.",`+feedSchema+`}`) }, []string{"breaking annotation-changed tool:feed"}},
		{"read-only now", func(r *result.Result) {
			redefine(r, "count", `{"inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"n":{"type":"integer"}}},"annotations":{"readOnlyHint":true}}`)
		}, []string{"other schema-changed tool:count"}},
		{"description", func(r *result.Result) {
			redefine(r, "feed", `{"description":"Feeds an animal.",`+feedSchema+`,"annotations":{"readOnlyHint":true}}`)
		}, []string{"other description-changed tool:feed"}},
		{"too large to say how", func(r *result.Result) { r.Snapshot.Surface.Tools[0] = result.Definition{Name: "feed", Digest: "other"} }, []string{"other schema-changed tool:feed"}},
		{"changed beyond what is kept", func(r *result.Result) { r.Snapshot.Surface.Tools[0].Digest = "other" }, []string{"other schema-changed tool:feed"}},
		{"capability removed", func(r *result.Result) { r.Snapshot.Capabilities = []string{"tools"} }, []string{"breaking capability-removed server"}},
		{"capability added", func(r *result.Result) { r.Snapshot.Capabilities = append(r.Snapshot.Capabilities, "logging") }, []string{"added capability-added server"}},
		{"details of a capability", func(r *result.Result) { r.Snapshot.Surface.Capabilities = json.RawMessage(`{"prompts":{},"tools":{}}`) }, []string{"other server-changed server"}},
		{"version, name and protocol", func(r *result.Result) {
			r.Server.Version, r.Server.Name, r.Server.ProtocolVersion = "2.0.0", "b", "2025-06-18"
		},
			[]string{"other server-changed server", "other server-changed server", "other server-changed server"}},
		{"instructions", func(r *result.Result) { r.Snapshot.Surface.Instructions = "abc" }, []string{"other description-changed server"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			base, now := whole(), whole()
			tt.now(now)
			c := Results(now, base)
			var got []string
			for _, ch := range c.Surface {
				got = append(got, ch.Kind+" "+strings.TrimPrefix(ch.Rule, "surface.")+" "+ch.Subject)
				if ch.Text == "" || !strings.HasSuffix(ch.Text, ".") {
					t.Errorf("no sentence: %q", ch.Text)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("%s\n%+v", diff, c.Surface)
			}
		})
	}
	base, now := whole(), whole()
	now.Snapshot.Tools = []string{"nourish", "count"}
	now.Snapshot.Surface.Tools[0].Name = "nourish"
	if text := Results(now, base).Surface[0].Text; !strings.Contains(text, `"nourish" has the same definition, so it may be renamed`) {
		t.Error(text)
	}
	base.Snapshot.Surface.Capabilities = json.RawMessage(`{"tools":{},"prompts":{"subscribe":true}}`)
	now = whole()
	if ch := Results(now, base).Surface[0]; ch.Rule != capabilityRemoved || !strings.Contains(ch.Text, `"prompts.subscribe"`) {
		t.Errorf("%+v", ch)
	}
}

// TestRaised: what breaks is a finding; which one depends on the version.
func TestRaised(t *testing.T) {
	for _, tt := range []struct {
		base, now string
		reported  []string
		severity  rule.Severity
		verdict   rule.Verdict
	}{
		{"1.2.0", "1.2.0", []string{breakingUnversioned, toolAdded}, rule.Warning, rule.Partial},
		{"1.2.0", "1.2.1", []string{toolRemoved, serverChanged, toolAdded}, rule.Warning, rule.Partial},
		{"1.2.0", "2.0.0", []string{toolRemoved, serverChanged, toolAdded}, rule.Note, rule.Pass},
		{"0.2.0", "0.3.0", []string{toolRemoved, serverChanged, toolAdded}, rule.Note, rule.Pass},
		{"", "", []string{toolRemoved, toolAdded}, rule.Warning, rule.Partial},
	} {
		t.Run(tt.base+" to "+tt.now, func(t *testing.T) {
			base, now := whole(), whole()
			base.Server.Version, now.Server.Version = tt.base, tt.now
			now.Snapshot.Tools = []string{"feed", "sell"}
			Apply(now, base, result.FromBaseline, "abc")
			Apply(now, base, result.FromBaseline, "abc") // which is the same as once
			var reported []string
			for _, f := range now.Reported() {
				if f.Check != surfaceCheck {
					continue
				}
				reported = append(reported, f.Rule)
				info, declared := surface.Surface{}.Info().Rule(f.Rule)
				if !declared || !info.Allows(f.Severity) || f.Message == "" || f.Observed != (f.Rule == toolAdded || f.Rule == serverChanged) {
					t.Errorf("%+v", f)
				}
				if f.Rule == breakingUnversioned || f.Rule == toolRemoved {
					if f.Severity != tt.severity || !slices.Contains(now.Comparison.New, f.ID) {
						t.Errorf("%+v, new %q", f, now.Comparison.New)
					}
				}
			}
			slices.Sort(reported)
			slices.Sort(tt.reported)
			if diff := cmp.Diff(tt.reported, reported); diff != "" {
				t.Error(diff)
			}
			line, _ := checkNamed(now.Checks, surfaceCheck)
			if line.Verdict != tt.verdict || line.Reason == "" || now.Comparison.Base.Commit != "abc" || now.Comparison.Base.Source != result.FromBaseline {
				t.Errorf("%+v, %+v", line, now.Comparison.Base)
			}
		})
	}
}

func TestBump(t *testing.T) {
	for pair, want := range map[string]versions{
		"1.0.0 1.0.0": unchanged, "1.0.0 1.0.1": untold, "1.0.0 1.1.0": untold, "1.9.9 2.0.0": announced, "v1.0 v2.0": announced, "2.0.0 1.0.0": untold,
		"0.1.0 0.1.1": untold, "0.1.0 0.2.0": announced, "0.0.1 0.0.2": announced, "0.9.0 1.0.0": announced, "2.0.0-beta.1 2.0.0-beta.2": announced,
		"2.0.0-beta.1 2.0.0": announced, "1.0.0 1.0.0+build": untold, "x y": announced, "x x": unchanged, " 1.0.0": untold, "1.0.0 ": untold,
	} {
		base, now, _ := strings.Cut(pair, " ")
		if got := bump(base, now); got != want {
			t.Errorf("%s: %d, want %d", pair, got, want)
		}
	}
}

// TestDeclared: each rule that is named here is one of the check, and each of
// the check is named here.
func TestDeclared(t *testing.T) {
	named := []string{toolRemoved, promptRemoved, templateRemoved, argumentRequired, argumentRemoved, argumentsClosed, typeChanged, enumNarrowed, boundTightened,
		outputChanged, annotationChanged, capabilityRemoved, breakingUnversioned, toolAdded, argumentAdded, outputAdded, promptAdded, resourceAdded, resourceRemoved,
		capabilityAdded, descriptionChanged, schemaChanged, serverChanged}
	var declared []string
	for _, r := range (surface.Surface{}).Info().Rules {
		declared = append(declared, r.ID)
	}
	slices.Sort(named)
	slices.Sort(declared)
	if diff := cmp.Diff(declared, named); diff != "" {
		t.Error(diff)
	}
}

func TestBaseline(t *testing.T) {
	r := whole()
	r.Findings[0].Evidence = rule.Evidence{Request: "secret", Reply: "secret"}
	r.Findings = append(r.Findings, fault("surface.tool-removed", "surface", "tool:x", rule.Warning))
	r.Volatile = result.Volatile{Seconds: 3, Commit: "abc"}
	document, err := Baseline(r).Marshal()
	if err != nil || bytes.Contains(document, []byte("secret")) || bytes.Contains(document, []byte("tool:x")) || bytes.Contains(document, []byte(`"seconds": 3`)) {
		t.Errorf("%v\n%s", err, document)
	}
	base, err := result.Read(bytes.NewReader(document))
	if err != nil || base.Volatile.Commit != "abc" || base.Check() != nil {
		t.Fatalf("%v, %v", err, base.Check())
	}
	if c := Results(whole(), base); inLists(c) != "" || len(c.Surface) > 0 || len(c.Incomparable) > 0 {
		t.Errorf("%+v", c)
	}
	again, _ := Baseline(base).Marshal()
	if !bytes.Equal(document, again) {
		t.Error("the baseline of a baseline is another one")
	}
}

// TestHostile: a base that anybody wrote makes no more of the comparison than
// it may be.
func TestHostile(t *testing.T) {
	base, now := whole(), whole()
	evil := "::error::x\x1b[31m</details><script>\u202e" + strings.Repeat("y", 5000)
	base.Server.Name, base.Server.Version, base.Score.Letter, base.Sealmark.Version = "barn", evil, evil, evil
	for i := range 3000 {
		base.Findings = append(base.Findings, rule.Finding{ID: evil, Rule: evil, Check: "robust-input", Subject: fmt.Sprintf("tool:%d%s", i, evil), Severity: "fatal", Message: evil, Count: -5, Evidence: rule.Evidence{Reply: evil}})
		base.Snapshot.Tools = append(base.Snapshot.Tools, fmt.Sprintf("%d%s", i, evil))
	}
	Apply(now, base, result.FromBaseline, evil)
	c := now.Comparison
	if len(c.Fixed)+len(c.Unknown) > 2*maxFindings || len(c.Surface) != maxChanges || c.SurfaceLeft == 0 {
		t.Errorf("%d fixed, %d unknown, %d and %d changes", len(c.Fixed), len(c.Unknown), len(c.Surface), c.SurfaceLeft)
	}
	document, err := json.Marshal(c)
	if err != nil || len(document) > 4<<20 || bytes.Contains(document, []byte(`\u001b`)) || strings.ContainsRune(string(document), '\u202e') {
		t.Errorf("%v, %d bytes", err, len(document))
	}
	for _, f := range append(c.Fixed, c.Unknown...) {
		if f.Count < 1 || f.Severity.Rank() == 0 || f.Evidence.Reply != "" {
			t.Errorf("%+v", f)
		}
	}
}

// FuzzResults: whatever two documents hold, they are compared, the same each
// time, and a result with itself without a change.
func FuzzResults(f *testing.F) {
	document, err := whole().Marshal()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(document, document)
	f.Add([]byte(`{"schema_version":"1.0","status":"assessed","score":{},"server":{},"snapshot":{"surface":{"tools":[{"name":"a","digest":"x","declared":{"inputSchema":{"$ref":"#"}}}]}}}`), document)
	for _, tt := range schemaPairs {
		one, two := whole(), whole()
		redefine(one, "feed", `{"inputSchema":`+tt.base+`}`)
		redefine(two, "feed", `{"inputSchema":`+tt.now+`,"outputSchema":`+tt.base+`}`)
		two.Snapshot.Surface.Tools[0].Digest = "two"
		a, _ := one.Marshal()
		b, _ := two.Marshal()
		f.Add(a, b)
	}
	f.Fuzz(func(t *testing.T, nowDocument, baseDocument []byte) {
		now, err := result.Read(bytes.NewReader(nowDocument))
		if err != nil {
			return
		}
		base, err := result.Read(bytes.NewReader(baseDocument))
		if err != nil {
			return
		}
		first, second := Results(now, base), Results(now, base)
		if diff := cmp.Diff(first, second); diff != "" {
			t.Errorf("it differs from time to time: %s", diff)
		}
		if own := Results(now, now); inLists(own) != "" || len(own.Surface) > 0 {
			t.Errorf("it differs from itself: %s, %+v", inLists(own), own.Surface)
		}
		Apply(now, base, result.FromBaseline, "")
		if _, err := now.Marshal(); err != nil {
			t.Error(err)
		}
	})
}
