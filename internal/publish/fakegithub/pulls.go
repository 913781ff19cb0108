package fakegithub

import (
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// PullRequest is a pull request.
type PullRequest struct {
	Number int
	Closed bool
	// HeadRepository is OWNER/NAME; so is BaseRepository, which is that of the
	// tests if it is "".
	HeadRepository, HeadBranch, HeadSHA string
	BaseRepository                      string
}

// pulls serves the open pull requests whose head is asked for. As GitHub does,
// it looks at the owner of the head's repository only.
func (g *GitHub) pulls(w http.ResponseWriter, r *http.Request) {
	head := r.URL.Query().Get("head")
	list := []any{}
	for _, p := range g.PullRequests {
		owner, _, _ := strings.Cut(p.HeadRepository, "/")
		if !p.Closed && (head == "" || head == owner+":"+p.HeadBranch) {
			list = append(list, g.shownPull("pull-request-simple", p))
		}
	}
	reply(w, http.StatusOK, list)
}

func (g *GitHub) pull(w http.ResponseWriter, number string) {
	i := slices.IndexFunc(g.PullRequests, func(p PullRequest) bool { return strconv.Itoa(p.Number) == number })
	if i < 0 {
		refuse(w, http.StatusNotFound, "Not Found")
		return
	}
	reply(w, http.StatusOK, g.shownPull("pull-request", g.PullRequests[i]))
}

// shownPull is a pull request as the API shows it.
func (g *GitHub) shownPull(schema string, p PullRequest) any {
	shown := sample(g.schema[schema].Value).(map[string]any)
	shown["number"], shown["state"] = p.Number, "open"
	if p.Closed {
		shown["state"] = "closed"
	}
	head, base := shown["head"].(map[string]any), shown["base"].(map[string]any)
	head["sha"], head["ref"] = p.HeadSHA, p.HeadBranch
	head["repo"].(map[string]any)["full_name"] = p.HeadRepository
	base["repo"].(map[string]any)["full_name"] = "example-barn/sheep-mcp"
	if p.BaseRepository != "" {
		base["repo"].(map[string]any)["full_name"] = p.BaseRepository
	}
	return shown
}

// sample is a small value that a schema allows.
func sample(s *openapi3.Schema) any {
	for _, choice := range []openapi3.SchemaRefs{s.AllOf, s.OneOf, s.AnyOf} {
		if len(choice) > 0 {
			return sample(choice[0].Value)
		}
	}
	switch {
	case s.Nullable:
		return nil
	case len(s.Enum) > 0:
		return s.Enum[0]
	case s.Type.Is("object"):
		object := map[string]any{}
		for _, name := range s.Required {
			object[name] = sample(s.Properties[name].Value)
		}
		return object
	case s.Type.Is("array"):
		return []any{}
	case s.Type.Is("boolean"):
		return false
	case s.Type.Is("integer"), s.Type.Is("number"):
		return 0
	case s.Format == "date-time":
		return "2031-05-06T07:08:09Z"
	}
	return "http://api.invalid/x"
}
