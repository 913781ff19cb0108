package config

import (
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAccept(t *testing.T) {
	in(t, `
server: {command: [x]}
accept:
  - { rule: robust.hang, reason: "a slow test server", until: 2027-03-31 }
  -
    rule: robust.*
    subject: tool:legacy_*
    reason: kept for old clients
`)
	c, err := Build(Sources{Environ: environ}, catalog())
	if err != nil {
		t.Fatal(err)
	}
	want := []Acceptance{
		{Rule: "robust.hang", Subject: "*", Reason: "a slow test server", Until: "2027-03-31", At: Origin{File: "sealmark.yml", Line: 4, Column: 7}},
		{Rule: "robust.*", Subject: "tool:legacy_*", Reason: "kept for old clients", At: Origin{File: "sealmark.yml", Line: 6, Column: 5}},
	}
	if diff := cmp.Diff(want, c.Accept); diff != "" {
		t.Error(diff)
	}
	if c.NewOnly || c.Compare != CompareFile || c.Baseline != "" || len(c.Deviations()) > 0 {
		t.Errorf("%+v", c)
	}
}

func TestCompare(t *testing.T) {
	in(t, "server: {command: [x]}\nbaseline: base/result.json\ncompare: build\nnew_only: true\n")
	c, err := Build(Sources{Environ: environ}, catalog())
	if err != nil || c.Baseline != filepath.Join("base", "result.json") || c.Compare != CompareBuild || !c.NewOnly {
		t.Errorf("%+v, %v", c, err)
	}
	c, err = Build(Sources{Environ: environ, Flags: map[string]string{"baseline": "other.json", "compare": "off", "new-only": "false"}}, catalog())
	if err != nil || c.Baseline != "other.json" || c.Compare != CompareOff || c.NewOnly {
		t.Errorf("%+v, %v", c, err)
	}
	if _, err := Build(Sources{Environ: environ, Flags: map[string]string{"new-only": "perhaps"}}, catalog()); err == nil || err.Error() != `--new-only: must be true or false, not "perhaps"` {
		t.Error(err)
	}
}
