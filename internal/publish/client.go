// Package publish brings a result to GitHub: the SARIF upload and one comment
// per pull request. Each output fails on its own, with a notice, and never
// decides the exit code.
package publish

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/go-github/v60/github"

	"github.com/sealmark/action/internal/gha"
	"github.com/sealmark/action/internal/redact"
)

// firstWait is the wait before the first repetition; tests shorten it.
var firstWait = 2 * time.Second

// patience bounds all tries of one output.
const patience = 2 * time.Minute

// Publisher speaks to GitHub's API.
type Publisher struct {
	event  gha.Event
	client *github.Client
	secret *redact.Redactor
	// first is the wait before the first repetition.
	first time.Duration
}

// New returns a publisher for the repository of the event. The token is sent
// to the host of the event's API only.
func New(event gha.Event, token string) (*Publisher, error) {
	base, err := url.Parse(strings.TrimSuffix(event.APIURL, "/") + "/")
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("GITHUB_API_URL %q is no address", event.APIURL)
	}
	graph, err := url.Parse(event.GraphQLURL)
	if err != nil {
		return nil, fmt.Errorf("GITHUB_GRAPHQL_URL %q is no address", event.GraphQLURL)
	}
	hosts := []string{base.Host, graph.Host}
	client := github.NewClient(&http.Client{
		Timeout:   30 * time.Second,
		Transport: &transport{token: token, hosts: hosts, next: http.DefaultTransport.(*http.Transport).Clone()},
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			if request.URL.Host != via[0].URL.Host || len(via) > 3 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	})
	client.BaseURL, client.UserAgent = base, "sealmark"
	return &Publisher{event: event, client: client, secret: redact.New(map[string]string{"token": token}), first: firstWait}, nil
}

// transport adds the token to requests to known hosts.
type transport struct {
	token string
	hosts []string
	next  http.RoundTripper
}

func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	for _, host := range t.hosts {
		if request.URL.Host == host {
			request = request.Clone(request.Context())
			request.Header.Set("Authorization", "Bearer "+t.token)
			break
		}
	}
	return t.next.RoundTrip(request)
}

// retried repeats what may succeed later: a rate limit after the time that
// GitHub names, and an error of its servers. temporary says which other
// statuses may pass.
func retried[T any](ctx context.Context, p *Publisher, temporary []int, do func() (T, error)) (T, error) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = p.first
	return backoff.Retry(ctx, func() (T, error) {
		value, err := do()
		if err == nil {
			return value, nil
		}
		return value, classify(err, temporary)
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(5), backoff.WithMaxElapsedTime(patience))
}

// classify tells what may pass from what stays.
func classify(err error, temporary []int) error {
	var secondary *github.AbuseRateLimitError
	var primary *github.RateLimitError
	switch {
	case errors.As(err, &secondary):
		return after(secondary.GetRetryAfter(), err)
	case errors.As(err, &primary):
		return after(time.Until(primary.Rate.Reset.Time), err)
	}
	status, header := statusOf(err)
	switch {
	case status == http.StatusTooManyRequests || header.Get("Retry-After") != "":
		seconds, _ := strconv.Atoi(header.Get("Retry-After"))
		return after(time.Duration(seconds)*time.Second, err)
	case status >= 500 || status == 0:
		return err
	}
	for _, s := range temporary {
		if status == s {
			return err
		}
	}
	return backoff.Permanent(err)
}

// after waits as long as asked for, unless that is beyond all patience.
func after(wait time.Duration, err error) error {
	if wait > patience {
		return backoff.Permanent(err)
	}
	return &backoff.RetryAfterError{Duration: max(wait, time.Second)}
}

// statusOf returns the HTTP status of an error of the API, 0 if no response
// came.
func statusOf(err error) (int, http.Header) {
	var response *github.ErrorResponse
	if errors.As(err, &response) && response.Response != nil {
		return response.Response.StatusCode, response.Response.Header
	}
	var secondary *github.AbuseRateLimitError
	if errors.As(err, &secondary) && secondary.Response != nil {
		return secondary.Response.StatusCode, secondary.Response.Header
	}
	return 0, http.Header{}
}

// reason is an error of the API in a sentence, without the token.
func (p *Publisher) reason(err error) string {
	var response *github.ErrorResponse
	if errors.As(err, &response) && response.Response != nil {
		return p.secret.Line(fmt.Sprintf("%s (HTTP status %d)", response.Message, response.Response.StatusCode), 500)
	}
	var retry *backoff.RetryAfterError
	if errors.As(err, &retry) {
		return "GitHub limits the rate of requests"
	}
	return p.secret.Line(err.Error(), 500)
}

// denied reports whether the token may not do what was asked.
func denied(err error) bool {
	status, _ := statusOf(err)
	return status == http.StatusForbidden || status == http.StatusNotFound || status == http.StatusUnauthorized
}
