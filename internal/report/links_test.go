package report

import (
	"strings"
	"testing"

	"github.com/sealmark/action/internal/rule"
)

// home are links as a workflow run gives them.
var home = Links{Server: "https://github.com", Repository: "parcels/desk", Commit: strings.Repeat("0a", 20), Run: "https://github.com/parcels/desk/actions/runs/7/attempts/1"}

func TestPlaces(t *testing.T) {
	at := home.Server + "/" + home.Repository + "/blob/" + home.Commit + "/"
	for _, tt := range []struct {
		links Links
		place rule.Location
		want  string
	}{
		{home, rule.Location{Path: "src/index.ts", Line: 12}, at + "src/index.ts#L12"},
		{home, rule.Location{Path: "package.json"}, at + "package.json"},
		{home, rule.Location{Path: "./a b/(c)&copy;[d]_e_@x.ts", Line: 1}, at + "a%20b/%28c%29%26copy%3B%5Bd%5D_e_%40x.ts#L1"},
		{home, rule.Location{Path: "ü.go", Line: 1}, at + "%C3%BC.go#L1"},
		{home, rule.Location{Path: "../x", Line: 1}, ""},
		{home, rule.Location{Path: "/etc/passwd", Line: 1}, ""},
		{home, rule.Location{}, ""},
		{Links{Server: "https://ghe.example:8443/", Repository: home.Repository, Commit: home.Commit}, rule.Location{Path: "x", Line: 2}, "https://ghe.example:8443/parcels/desk/blob/" + home.Commit + "/x#L2"},
		{Links{Server: "javascript:alert(1)", Repository: home.Repository, Commit: home.Commit}, rule.Location{Path: "x"}, ""},
		{Links{Server: home.Server, Repository: "a/b)c", Commit: home.Commit}, rule.Location{Path: "x"}, ""},
		{Links{Server: home.Server, Repository: home.Repository, Commit: "main"}, rule.Location{Path: "x"}, ""},
		{Links{}, rule.Location{Path: "x", Line: 1}, ""},
	} {
		if got := tt.links.place(tt.place); got != tt.want {
			t.Errorf("%+v: %q, want %q", tt.place, got, tt.want)
		}
	}
	for run, want := range map[string]string{home.Run: home.Run, "": "", "https://u@x.example/": "", "https://x.example/)[a](": "", "ftp://x.example": ""} {
		if got := (Links{Run: run}).run(); got != want {
			t.Errorf("run %q: %q", run, got)
		}
	}
}
