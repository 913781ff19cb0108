package publish

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/sealmark/action/internal/publish/fakegithub"
)

// hosts keeps who got which authorization.
type hosts struct {
	next http.RoundTripper
	seen map[string]string
}

func (h *hosts) RoundTrip(r *http.Request) (*http.Response, error) {
	h.seen[r.URL.Scheme+"://"+r.URL.Host] = r.Header.Get("Authorization")
	return h.next.RoundTrip(r)
}

func TestTokenStaysWithItsHost(t *testing.T) {
	const home = "https://api.github.invalid"
	for _, elsewhere := range []string{"https://evil.invalid", "http://api.github.invalid", "https://api.github.invalid:8443", "https://api.github.invalid.evil.invalid"} {
		for _, status := range []int{301, 302, 307, 308} {
			bubble(t, func(t *testing.T) {
				g := newGitHub(t, fakegithub.Cloud)
				h := &hosts{next: g, seen: map[string]string{}}
				http.DefaultTransport = h
				g.Fault = func(r *http.Request) *fakegithub.Answer {
					return &fakegithub.Answer{Status: status, Header: map[string]string{"Location": elsewhere + r.URL.Path}}
				}
				e := pull()
				p := publisher(t, e)
				upload := p.UploadSARIF(t.Context(), []byte(document), time.Time{})
				_, comment := p.PostComment(t.Context(), body("k", "1", "x"))
				if upload == "" || comment == "" {
					t.Errorf("no notice: %q, %q", upload, comment)
				}
				if len(h.seen) != 1 || h.seen[home] != "Bearer "+canary {
					t.Errorf("%d to %s: seen %v", status, elsewhere, h.seen)
				}
			})
		}
	}
}

func TestTokenIsNotSentToAnotherGraphQLHost(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		h := &hosts{next: g, seen: map[string]string{}}
		http.DefaultTransport = h
		e := pull()
		e.GraphQLURL = "https://other.invalid/graphql"
		if _, notice := publisher(t, e).PostComment(t.Context(), body("k", "1", "x")); notice != "" || len(g.Comments) != 1 {
			t.Errorf("%q, %d comments", notice, len(g.Comments))
		}
		if got := h.seen["https://other.invalid"]; got != "" {
			t.Error("the token was sent to another host")
		}
	})
}

// A repository that was renamed answers with a redirect on the same host.
func TestRedirectsOnTheSameHostAreFollowed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Fault = func(r *http.Request) *fakegithub.Answer {
			if !strings.Contains(r.URL.Path, "/old-name/") {
				return nil
			}
			return &fakegithub.Answer{Status: 307, Header: map[string]string{"Location": strings.Replace(r.URL.String(), "/old-name/", "/sheep-mcp/", 1)}}
		}
		e := pull()
		e.Repo = "old-name"
		p := publisher(t, e)
		if notice := p.UploadSARIF(t.Context(), []byte(document), time.Time{}); notice != "" || len(g.Uploads) != 1 {
			t.Errorf("%q, %d uploads", notice, len(g.Uploads))
		}
		if _, notice := p.PostComment(t.Context(), body("k", "1", "x")); notice != "" || len(g.Comments) != 1 {
			t.Errorf("%q, %d comments", notice, len(g.Comments))
		}
	})
}

func TestAddressesOfTheAPI(t *testing.T) {
	for _, address := range []string{"", "api.github.com", "/api/v3", "https://", "http://[::1"} {
		e := pull()
		e.APIURL = address
		if _, err := New(e, canary); err == nil || !strings.Contains(err.Error(), "GITHUB_API_URL") {
			t.Errorf("%q: %v", address, err)
		}
	}
}

func TestNoErrorHoldsTheToken(t *testing.T) {
	bubble(t, func(t *testing.T) {
		g := newGitHub(t, fakegithub.Cloud)
		g.Fault = on("/", says(400, "who sends "+canary+" here?"))
		p := publisher(t, pull())
		hasCanary(t, "the notice of an upload", p.UploadSARIF(t.Context(), []byte(document), time.Time{}))
		_, notice := p.PostComment(t.Context(), body("k", "1", "x"))
		hasCanary(t, "the notice of a comment", notice)
	})
}
