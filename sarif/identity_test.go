package sarif_test

import (
	"bytes"
	"slices"
	"testing"
	"time"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/sarif"
)

// prints gives the fingerprints of all results by rule and subject.
func prints(d document) map[string]string {
	m := map[string]string{}
	for _, f := range d.Runs[0].Results {
		subject := ""
		if l := f.Locations[0].LogicalLocations; len(l) > 0 {
			subject = l[0].FullyQualifiedName
		}
		m[f.RuleID+" "+subject] = f.PartialFingerprints["primaryLocationLineHash"] + " " + f.PartialFingerprints["sealmark/v1"]
	}
	return m
}

func TestRerunIsTheSame(t *testing.T) {
	first, _ := convert(t, sample(), sarif.Options{})
	again := sample()
	slices.Reverse(again.Findings)
	slices.Reverse(again.Rules)
	again.Volatile = result.Volatile{Started: time.Unix(1, 0), Seconds: 3, Lanes: 4, Instances: 9, CheckSeconds: map[string]float64{"launch": 1}}
	second, _ := convert(t, again, sarif.Options{})
	if !bytes.Equal(first, second) {
		t.Error("two runs with the same findings differ")
	}
}

func TestIdentitySurvivesChange(t *testing.T) {
	_, before := convert(t, sample(), sarif.Options{})
	moved := sample()
	for i := range moved.Findings {
		f := &moved.Findings[i]
		f.Message, f.Count, f.Probe, f.Severity = "Said in other words.", 99, "missing-required", rule.Note
		f.Evidence = rule.Evidence{Reply: "another reply", Detail: "no answer within 30s"}
		if f.Location != nil {
			f.Location.Line += 17
		}
	}
	moved.Server.Anchor.Line = 8
	_, after := convert(t, moved, sarif.Options{})
	was, is := prints(before), prints(after)
	if len(was) != 4 || len(is) != 4 {
		t.Fatalf("%d and %d results", len(was), len(is))
	}
	for id, print := range was {
		if is[id] != print {
			t.Errorf("%s: %s became %s", id, print, is[id])
		}
	}
}

// M04: two servers of one repository must not replace each other's alerts.
func TestTwoServers(t *testing.T) {
	other := sample()
	other.Server.Key = "services/tracking"
	_, first := convert(t, sample(), sarif.Options{})
	_, second := convert(t, other, sarif.Options{})
	if a, b := first.Runs[0].AutomationDetails.ID, second.Runs[0].AutomationDetails.ID; a != "sealmark/parcel-desk/" || b != "sealmark/services/tracking/" {
		t.Errorf("ids %s and %s", a, b)
	}
	seen := map[string]bool{}
	for _, d := range []document{first, second} {
		for _, print := range prints(d) {
			if seen[print] {
				t.Errorf("fingerprint %s stands twice", print)
			}
			seen[print] = true
		}
	}
}

func TestCategory(t *testing.T) {
	for _, c := range []struct{ key, asked, want string }{
		{"demo", "", "sealmark/demo"},
		{"packages/desk", "", "sealmark/packages/desk"},
		{"", "", "sealmark"},
		{"demo", "mine", "mine"},
		{"demo", "mine/", "mine"},
		{"demo", "/team a/desk/", "team a/desk"},
		{"demo", " / ", "sealmark/demo"},
		{"demo", "a\nb", "a b"},
	} {
		if got := sarif.Category(c.key, c.asked); got != c.want {
			t.Errorf("Category(%q, %q) = %q, want %q", c.key, c.asked, got, c.want)
		}
	}
	keys := []string{"a b", "a-b", "a_b", "a\tb", "/a-b", "a-b/", "日本", "中国", string(bytes.Repeat([]byte("k"), 300)), string(bytes.Repeat([]byte("k"), 301))}
	seen := map[string]string{}
	for _, key := range keys {
		category := sarif.Category(key, "")
		if other, twice := seen[category]; twice {
			t.Errorf("keys %q and %q share the category %q", key, other, category)
		}
		seen[category] = key
	}
}
