package publish

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
)

// contract is GitHub's published description of the operations that we use.
type contract struct{ router routers.Router }

// loadContract reads the description, cut down by scripts/openapi-subset.
func loadContract(t *testing.T) *contract {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromFile(filepath.Join("..", "..", "testdata", "openapi", "github-subset.json"))
	if err != nil {
		t.Fatal(err)
	}
	doc.Servers = openapi3.Servers{{URL: "https://api.github.com"}}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		t.Fatal(err)
	}
	return &contract{router}
}

// check holds a request, and the answer of the fake, against the description.
func (c *contract) check(t *testing.T, r *http.Request, body []byte, status int, answer []byte) {
	if r.URL.Path == "/graphql" || status == http.StatusNotFound {
		return
	}
	request := r.Clone(context.Background())
	request.URL = &url.URL{Scheme: "https", Host: "api.github.com", Path: r.URL.Path, RawQuery: r.URL.RawQuery}
	request.Host = "api.github.com"
	request.Body = io.NopCloser(bytes.NewReader(body))
	route, params, err := c.router.FindRoute(request)
	if err != nil {
		t.Errorf("%s %s is not in GitHub's description: %v", r.Method, r.URL.Path, err)
		return
	}
	options := &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc}
	input := &openapi3filter.RequestValidationInput{Request: request, PathParams: params, Route: route, Options: options}
	if err := openapi3filter.ValidateRequest(context.Background(), input); err != nil {
		t.Errorf("%s %s: %v", r.Method, r.URL.Path, strings.SplitN(err.Error(), "\n", 2)[0])
	}
	if len(answer) == 0 {
		return
	}
	output := &openapi3filter.ResponseValidationInput{RequestValidationInput: input, Status: status, Header: http.Header{"Content-Type": {"application/json"}}, Options: options}
	output.SetBodyBytes(answer)
	if err := openapi3filter.ValidateResponse(context.Background(), output); err != nil {
		t.Errorf("the fake's answer to %s %s: %v", r.Method, r.URL.Path, strings.SplitN(err.Error(), "\n", 2)[0])
	}
}
