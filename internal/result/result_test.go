package result

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sealmark/action/internal/rule"
)

func TestRoundTrip(t *testing.T) {
	r := &Result{SchemaVersion: SchemaVersion, Status: Assessed, Score: &Score{Percent: 50, Letter: "F"}, Findings: []rule.Finding{{ID: "a:1", Rule: "a", Subject: "tool:<x>&"}}}
	data, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("tool:<x>&")) || data[len(data)-1] != '\n' {
		t.Errorf("%s", data)
	}
	again, err := Read(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, again); diff != "" {
		t.Error(diff)
	}
}

func TestRead(t *testing.T) {
	for in, want := range map[string]string{
		"":                          "not a sealmark result",
		"[]":                        "not a sealmark result",
		`{"schema_version":"2.0"}`:  "schema version \"2.0\"",
		`{}`:                        "schema version \"\"",
		`{"schema_version":"1.99"}`: "",
	} {
		_, err := Read(strings.NewReader(in))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", in, err, want)
		}
	}
}

func TestFinding(t *testing.T) {
	r := &Result{Findings: []rule.Finding{{ID: "robust.hang:12345678"}, {ID: "robust.hang:12999999"}, {ID: "robust.crashed:1"}}}
	for id, want := range map[string]string{"robust.hang:12345678": "robust.hang:12345678", "robust.hang:123": "robust.hang:12345678", "robust.c": "robust.crashed:1", "robust.hang": "", "": "", "x": ""} {
		if f, ok := r.Finding(id); f.ID != want || ok != (want != "") {
			t.Errorf("%q: %q", id, f.ID)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"schema_version":"1.0","findings":[{"id":"a"}]}`))
	f.Fuzz(func(t *testing.T, data []byte) { Read(bytes.NewReader(data)) })
}
