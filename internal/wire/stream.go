package wire

import (
	"bytes"
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"
)

const (
	// maxResumes is how often the stream of one response is taken up again.
	maxResumes = 20
	// The time before a stream is taken up again, unless the server says
	// another within these bounds.
	retryWait                   = time.Second
	shortestRetry, longestRetry = 50 * time.Millisecond, 5 * time.Second
)

// streamed is what a stream has brought.
type streamed struct {
	// replied: a response to a request came.
	replied bool
	// lastID is the id of the last event, "" for none.
	lastID string
	// retry is how long to wait before the stream is taken up again.
	retry time.Duration
}

// readStream reads the stream of a response to its end. One that the server
// ends before its response, and that has event ids, is taken up again with GET
// (MCP 2025-11-25, Transports, Sending Messages to the Server, 6). Its error is
// an *HTTPError if the connection broke.
func (c *httpConn) readStream(body io.ReadCloser) error {
	got := streamed{retry: retryWait}
	err := c.stream(body, &got)
	for range maxResumes {
		if got.replied || got.lastID == "" || errors.Is(err, errTooMuchWaste) || errors.Is(err, errEventTooLarge) {
			break
		}
		next := c.resume(got)
		if next == nil {
			break
		}
		err = c.stream(next, &got)
	}
	return err
}

// stream reads server-sent events and delivers the messages in them. It gives
// up on a stream of anything else.
func (c *httpConn) stream(body io.ReadCloser, got *streamed) error {
	defer body.Close()
	events := newEventReader(body, c.limits.MaxFrame)
	events.maxWaste = c.limits.MaxNoise
	for {
		event, err := events.next()
		if visible(events.lastID) {
			got.lastID = events.lastID
		}
		if events.retry > 0 {
			got.retry = min(max(events.retry, shortestRetry), longestRetry)
		}
		switch {
		case err == io.EOF:
			return nil
		case err == errTooMuchWaste || err == errEventTooLarge:
			return err
		case err != nil:
			return &HTTPError{err}
		}
		messages := decode(bytes.TrimSpace(event.data))
		if messages == nil {
			events.waste += int64(len(event.data))
		}
		for _, m := range messages {
			got.replied = got.replied || isResponse(m)
			c.deliver(m)
		}
	}
}

// resume asks for what comes after the last event, and returns nil if the
// server has no stream for that.
func (c *httpConn) resume(got streamed) io.ReadCloser {
	timer := time.NewTimer(got.retry)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-c.ctx.Done():
		return nil
	}
	ctx, cancel := context.WithCancel(c.ctx)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, nil)
	if err != nil {
		cancel()
		return nil
	}
	c.set(request.Header)
	request.Header.Set("Accept", "text/event-stream")
	request.Header.Set("Last-Event-ID", got.lastID)
	response, err := c.client.Do(request)
	if err != nil {
		cancel()
		return nil
	}
	body := &cancelBody{response.Body, cancel}
	if kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type")); response.StatusCode != http.StatusOK || kind != "text/event-stream" {
		body.Close()
		return nil
	}
	return body
}
