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

const (
	// patience bounds all tries of one output.
	patience = 2 * time.Minute
	// patienceInAll bounds the outputs of all servers of a step.
	patienceInAll = 10 * time.Minute
)

// Publisher speaks to GitHub's API.
type Publisher struct {
	event  gha.Event
	target gha.Target
	client *github.Client
	secret *redact.Redactor
	// login is who we are, "" until it was asked.
	login string
}

// New returns a publisher for the repository of the event. The token is sent
// to the scheme and host of the event's API only.
func New(event gha.Event, token string) (*Publisher, error) {
	base, err := url.Parse(strings.TrimSuffix(event.APIURL, "/") + "/")
	if err != nil || base.Host == "" {
		return nil, fmt.Errorf("GITHUB_API_URL %q is no address", event.APIURL)
	}
	client := github.NewClient(&http.Client{
		Timeout:   30 * time.Second,
		Transport: &transport{token: token, home: origin(base), next: http.DefaultTransport},
		CheckRedirect: func(request *http.Request, via []*http.Request) error {
			if origin(request.URL) != origin(base) || len(via) > 3 {
				return http.ErrUseLastResponse
			}
			return nil
		},
	})
	client.BaseURL, client.UserAgent = base, "sealmark"
	return &Publisher{event: event, target: event.Target(), client: client, secret: redact.New(map[string]string{"token": token})}, nil
}

// origin is the part of an address that says who gets a request, and whether
// others can read it.
func origin(u *url.URL) string { return u.Scheme + "://" + u.Host }

// transport adds the token to requests to one origin.
type transport struct {
	token, home string
	next        http.RoundTripper
}

// RoundTrip implements [http.RoundTripper].
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	if origin(request.URL) == t.home {
		request = request.Clone(request.Context())
		request.Header.Set("Authorization", "Bearer "+t.token)
	}
	return t.next.RoundTrip(request)
}

const (
	// maxTries is how often a request is sent at most.
	maxTries = 5
	// firstWait is the wait before the first repetition; later ones are longer.
	firstWait = 2 * time.Second
	// limitWait is the wait after a secondary rate limit that names no time.
	// GitHub asks for a minute at least.
	limitWait = time.Minute
)

// retried repeats what may succeed later: a rate limit after the time that
// GitHub names, an error of its servers, and what passes holds for. The error
// is that of the last try that was answered, if there was one.
func retried[T any](ctx context.Context, passes func(error) bool, do func() (T, error)) (T, error) {
	wait := backoff.NewExponentialBackOff()
	wait.InitialInterval = firstWait
	var last error
	value, err := backoff.Retry(ctx, func() (value T, err error) {
		value, err = do()
		if err == nil || last != nil && ctx.Err() != nil {
			return value, err
		}
		last = err
		if passes != nil && passes(err) {
			return value, err
		}
		return value, classify(err)
	}, backoff.WithBackOff(wait), backoff.WithMaxTries(maxTries), backoff.WithMaxElapsedTime(patience))
	if err != nil {
		return value, last
	}
	return value, nil
}

// classify tells what may pass from what stays.
func classify(err error) error {
	var secondary *github.AbuseRateLimitError
	var primary *github.RateLimitError
	switch {
	case errors.As(err, &secondary) && secondary.RetryAfter == nil:
		return after(limitWait, err)
	case errors.As(err, &secondary):
		return after(secondary.GetRetryAfter(), err)
	case errors.As(err, &primary):
		return after(time.Until(primary.Rate.Reset.Time), err)
	}
	status, header := statusOf(err)
	switch {
	case status == http.StatusTooManyRequests || header.Get("Retry-After") != "":
		return after(asked(header), err)
	case status >= 500 || status == 0:
		return err
	}
	return backoff.Permanent(err)
}

// asked is the wait that the header of a refusal asks for.
func asked(header http.Header) time.Duration {
	if seconds, err := strconv.Atoi(header.Get("Retry-After")); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if reset, err := strconv.ParseInt(header.Get("X-RateLimit-Reset"), 10, 64); err == nil {
		return time.Until(time.Unix(reset, 0))
	}
	return limitWait
}

// after waits as long as asked for, unless that is beyond all patience.
func after(wait time.Duration, err error) error {
	if wait > patience {
		return backoff.Permanent(err)
	}
	return errors.Join(err, &backoff.RetryAfterError{Duration: max(wait, time.Second)})
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
	switch {
	case limited(err):
		return "the rate of requests is limited"
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &response) && response.Response != nil:
		status := response.Response.StatusCode
		text := response.Message
		if text == "" {
			text = http.StatusText(status)
		}
		return p.secret.Line(fmt.Sprintf("%s (HTTP status %d)", text, status), 500)
	}
	return p.secret.Line(err.Error(), 500)
}

// denied reports whether the token may not do what was asked.
func denied(err error) bool {
	status, _ := statusOf(err)
	return !limited(err) && (status == http.StatusForbidden || status == http.StatusNotFound || status == http.StatusUnauthorized)
}

// limited reports whether the rate of requests was the reason.
func limited(err error) bool {
	var secondary *github.AbuseRateLimitError
	var primary *github.RateLimitError
	status, header := statusOf(err)
	return errors.As(err, &secondary) || errors.As(err, &primary) || status == http.StatusTooManyRequests || header.Get("Retry-After") != ""
}
