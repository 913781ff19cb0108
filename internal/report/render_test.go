package report

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/sealmark/action/internal/result"
)

// rendered is what a browser made of a report.
type rendered struct {
	Name          string
	Before, After struct {
		Elements []struct {
			Name       string
			Attributes map[string]string
		}
		Comments, Texts, Asked []string
		Outside, Ran           bool
	}
	Widest int
}

// render shows reports in a browser. With SEALMARK_SHOTS=DIR it leaves
// pictures of them in the folder.
func render(t *testing.T, reports map[string]string) []rendered {
	t.Helper()
	modules := os.Getenv("SEALMARK_RENDER_MODULES")
	if modules == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("SEALMARK_RENDER_MODULES is not set: it is what scripts/render-tools prints")
		}
		t.Skip("needs a browser: SEALMARK_RENDER_MODULES=$(scripts/render-tools)")
	}
	type request struct {
		Name     string `json:"name"`
		Markdown string `json:"markdown"`
		Shots    string `json:"shots"`
	}
	var requests []request
	for name, markdown := range reports {
		requests = append(requests, request{name, markdown, os.Getenv("SEALMARK_SHOTS")})
	}
	in, err := json.Marshal(requests)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", "../../scripts/render.mjs", modules)
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, errs.Bytes())
	}
	var answers []rendered
	if err := json.Unmarshal(out.Bytes(), &answers); err != nil {
		t.Fatal(err)
	}
	if len(answers) != len(reports) {
		t.Fatalf("%d of %d reports were rendered", len(answers), len(reports))
	}
	return answers
}

// elements are those that a report may make, with their attributes.
var elements = map[string][]string{
	"h3": nil, "h4": nil, "p": nil, "strong": nil, "b": nil, "code": {"class"}, "pre": nil, "details": nil, "summary": nil, "a": {"href"},
	"table": nil, "thead": nil, "tbody": nil, "tr": nil, "th": nil, "td": nil, "ul": nil, "li": nil, "sub": nil,
}

// TestSurvival: a browser finds nothing of the server's making in a report,
// whether it is sanitised or not.
func TestSurvival(t *testing.T) {
	reports := map[string]string{}
	for name, r := range map[string]*result.Result{
		"well": well(), "changed": changedServer(), "findings": withContract(sample("hold", "quote")), "hostile": hostile(), "hostile-build": hostileBuild(),
		"not-assessed": notAssessed(), "build-failed": buildFailed(), "many": manyTools(),
	} {
		for _, kind := range []Kind{Comment, Summary} {
			o := MarkdownOptions{Kind: kind, Links: home}
			if strings.HasPrefix(name, "hostile") {
				o.Notices = evilNames
			}
			reports[name+"-"+string(kind)] = Markdown(r, checks, o)
		}
	}
	for _, page := range render(t, reports) {
		if page.Widest > 0 {
			t.Errorf("%s is %d pixels wider than the window", page.Name, page.Widest)
		}
		opened := strings.Count("\n"+reports[page.Name], "\n<details><summary>")
		for state, seen := range map[string]struct {
			of []struct {
				Name       string
				Attributes map[string]string
			}
			comments, texts, asked []string
			bad                    bool
		}{
			"before sanitising": {page.Before.Elements, page.Before.Comments, page.Before.Texts, page.Before.Asked, page.Before.Outside || page.Before.Ran},
			"after sanitising":  {page.After.Elements, page.After.Comments, page.After.Texts, page.After.Asked, page.After.Outside || page.After.Ran},
		} {
			if len(seen.comments)+len(seen.asked) > 0 || seen.bad {
				t.Errorf("%s, %s: comments %q, asked for %q, ran or left its place: %v", page.Name, state, seen.comments, seen.asked, seen.bad)
			}
			details := 0
			for _, e := range seen.of {
				allowed, known := elements[e.Name]
				if !known {
					t.Errorf("%s, %s: an element %s %v", page.Name, state, e.Name, e.Attributes)
				}
				if e.Name == "details" {
					details++
				}
				for name, value := range e.Attributes {
					if !slices.Contains(allowed, name) || name == "href" && !oursAddress(value) || name == "class" && value != "language-text" {
						t.Errorf("%s, %s: %s has %s=%q", page.Name, state, e.Name, name, value)
					}
				}
			}
			if details != opened {
				t.Errorf("%s, %s: %d details, %d were written", page.Name, state, details, opened)
			}
			for _, text := range seen.texts {
				if acting.MatchString(text) {
					t.Errorf("%s, %s: a mention, a reference or an address: %q", page.Name, state, text)
				}
			}
		}
	}
}
