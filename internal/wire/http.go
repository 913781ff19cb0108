package wire

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	keptBody     = 4 << 10
	maxHeader    = 1 << 20
	maxRedirects = 3
	deleteWait   = 2 * time.Second
	// idleWait is when we close an idle connection: sooner than servers do,
	// so that no message is sent into one that is just being closed.
	idleWait = 2 * time.Second
)

// HTTPError says that a message got no complete HTTP response.
type HTTPError struct{ Err error }

func (e *HTTPError) Error() string {
	var dns *net.DNSError
	switch {
	case errors.Is(e.Err, syscall.ECONNREFUSED):
		return "connection refused"
	case errors.As(e.Err, &dns):
		return "the host name " + dns.Name + " does not resolve"
	case errors.Is(e.Err, io.ErrUnexpectedEOF):
		return "the connection was closed in the middle of a response"
	case errors.Is(e.Err, io.EOF), errors.Is(e.Err, syscall.ECONNRESET):
		return "the connection was closed without a response"
	case errors.Is(e.Err, context.DeadlineExceeded):
		return "no response in time"
	}
	var wrapped *url.Error
	if errors.As(e.Err, &wrapped) {
		return wrapped.Err.Error()
	}
	return e.Err.Error()
}

func (e *HTTPError) Unwrap() error { return e.Err }

// httpConn speaks Streamable HTTP: each message is a POST, each reply comes as
// JSON or as a stream of server-sent events.
type httpConn struct {
	url     string
	client  *http.Client
	header  http.Header
	limits  Limits
	handler Handler

	mu      sync.Mutex // guards session and version
	session string
	version string

	feed    sync.Mutex // one frame at a time
	ctx     context.Context
	cancel  context.CancelFunc
	close   sync.Once
	readers sync.WaitGroup
	done    chan struct{}
}

// DialHTTP returns a connection to a URL. Nothing is sent before the first
// message. header is sent with each request.
func DialHTTP(url string, header http.Header, limits Limits, h Handler) Conn {
	ctx, cancel := context.WithCancel(context.Background())
	return &httpConn{
		url: url, header: header, limits: limits.withDefaults(), handler: h, ctx: ctx, cancel: cancel, done: make(chan struct{}),
		client: &http.Client{
			Transport:     readable{&http.Transport{Proxy: http.ProxyFromEnvironment, MaxIdleConnsPerHost: 8, IdleConnTimeout: idleWait, MaxResponseHeaderBytes: maxHeader}},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
}

// readable takes a Location that is no URL out of a response, so that its
// status still counts: the client would give up the whole response.
type readable struct{ *http.Transport }

func (t readable) RoundTrip(request *http.Request) (*http.Response, error) {
	response, err := t.Transport.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	if _, err := response.Location(); err != nil {
		response.Header.Del("Location")
	}
	return response, nil
}

// SetProtocolVersion makes the connection send MCP-Protocol-Version from now
// on (MCP 2025-06-18, Transports, Protocol Version Header). A version that can
// stand in no header is ignored.
func (c *httpConn) SetProtocolVersion(version string) {
	if !visible(version) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.version = version
}

// visible reports whether a string is visible ASCII, which a session id must be
// (MCP 2025-11-25, Transports, Session Management), and of decent length.
func visible(s string) bool {
	for i := range len(s) {
		if s[i] < 0x21 || s[i] > 0x7e {
			return false
		}
	}
	return s != "" && len(s) <= keptBody
}

func (c *httpConn) Send(ctx context.Context, message []byte) (*Receipt, error) {
	target := c.url
	for redirects := 0; ; redirects++ {
		response, err := c.post(ctx, target, message)
		if err != nil {
			return nil, &HTTPError{err}
		}
		if response.StatusCode < 300 || response.StatusCode > 399 || response.Header.Get("Location") == "" {
			return c.receive(ctx, response)
		}
		response.Body.Close()
		next, err := response.Location()
		if err != nil {
			return nil, &HTTPError{err} // readable leaves none that can't be read
		}
		crossOrigin := !sameOrigin(response.Request.URL, next)
		if crossOrigin || redirects == maxRedirects || !keepsMethod(response.StatusCode) {
			ended := make(chan struct{})
			close(ended)
			return &Receipt{Status: response.StatusCode, Redirect: bare(response.Header.Get("Location")), CrossOrigin: crossOrigin, Ended: ended}, nil
		}
		target = next.String()
	}
}

// keepsMethod reports whether a client may send a POST again to where a
// redirect points. After 301, 302 and 303 clients send GET, without the
// message (RFC 9110, §15.4).
func keepsMethod(status int) bool {
	return status == http.StatusTemporaryRedirect || status == http.StatusPermanentRedirect
}

// bare is an address without user, query and fragment: these may hold secrets,
// and often change with each request.
func bare(location string) string {
	u, err := url.Parse(location)
	if err != nil {
		return ""
	}
	u.User, u.RawQuery, u.ForceQuery, u.Fragment = nil, "", false, ""
	return u.String()
}

// sameOrigin compares scheme, host and port (RFC 6454, §5).
func sameOrigin(from, to *url.URL) bool {
	port := func(u *url.URL) string {
		return cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme])
	}
	return from.Scheme == to.Scheme && strings.EqualFold(from.Hostname(), to.Hostname()) && port(from) == port(to)
}

func (c *httpConn) post(ctx context.Context, target string, body []byte) (*http.Response, error) {
	// The request must outlive ctx while its stream is read, and end with the
	// connection.
	request, err := http.NewRequestWithContext(c.ctx, http.MethodPost, target, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	c.set(request.Header)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	type outcome struct {
		response *http.Response
		err      error
	}
	sent, cancel := context.WithCancel(c.ctx)
	result := make(chan outcome, 1)
	go func() {
		response, err := c.client.Do(request.WithContext(sent))
		result <- outcome{response, err}
	}()
	select {
	case o := <-result:
		if o.err != nil {
			cancel()
			return nil, o.err
		}
		o.response.Body = &cancelBody{o.response.Body, cancel}
		return o.response, nil
	case <-ctx.Done():
		cancel()
		if o := <-result; o.err == nil {
			o.response.Body.Close()
		}
		return nil, ctx.Err()
	}
}

// cancelBody frees the request's context when the body is closed.
type cancelBody struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (b *cancelBody) Close() error {
	err := b.ReadCloser.Close()
	b.cancel()
	return err
}

// set adds the headers that each request of the session carries.
func (c *httpConn) set(h http.Header) {
	for name, values := range c.header {
		h[name] = values
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.session != "" {
		h.Set("Mcp-Session-Id", c.session)
	}
	if c.version != "" {
		h.Set("Mcp-Protocol-Version", c.version)
	}
}

// receive reads a response: JSON until ctx ends, a stream in the background.
func (c *httpConn) receive(ctx context.Context, response *http.Response) (*Receipt, error) {
	if id := response.Header.Get("Mcp-Session-Id"); visible(id) {
		c.mu.Lock()
		c.session = id
		c.mu.Unlock()
	}
	kind, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	ended := make(chan struct{})
	receipt := &Receipt{Status: response.StatusCode, ContentType: kind, Ended: ended}
	if kind == "text/event-stream" {
		c.readers.Go(func() {
			defer close(ended)
			receipt.Err = c.readStream(response.Body)
		})
		return receipt, nil
	}
	defer close(ended)
	defer response.Body.Close()
	stop := context.AfterFunc(ctx, func() { response.Body.(*cancelBody).cancel() })
	defer stop()
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(c.limits.MaxFrame)))
	if ctx.Err() != nil {
		return nil, &HTTPError{ctx.Err()}
	}
	if err != nil {
		return nil, &HTTPError{err}
	}
	messages := decode(bytes.TrimSpace(body))
	if messages == nil || receipt.Status > 299 {
		receipt.Body = bytes.Clone(body[:min(len(body), keptBody)])
	}
	for _, m := range messages {
		c.deliver(m)
	}
	return receipt, nil
}

func (c *httpConn) deliver(raw []byte) {
	c.feed.Lock()
	defer c.feed.Unlock()
	c.handler.Frame(Frame{raw})
}

func (c *httpConn) SendRaw(ctx context.Context, b []byte) error {
	_, err := c.Send(ctx, b)
	return err
}

func (c *httpConn) Done() <-chan struct{} { return c.done }
func (c *httpConn) Exit() Exit            { <-c.done; return Exit{Code: -1, Closed: true} }
func (c *httpConn) Stderr() string        { return "" }
func (c *httpConn) NoiseBytes() int64     { return 0 }

// Close ends the session with DELETE where there is one, then the connection.
func (c *httpConn) Close(ctx context.Context) {
	c.mu.Lock()
	session := c.session
	c.mu.Unlock()
	if session != "" && ctx.Err() == nil && c.ctx.Err() == nil {
		ctx, cancel := context.WithTimeout(ctx, deleteWait)
		defer cancel()
		if request, err := http.NewRequestWithContext(ctx, http.MethodDelete, c.url, nil); err == nil {
			c.set(request.Header)
			if response, err := c.client.Do(request); err == nil {
				response.Body.Close()
			}
		}
	}
	c.Kill()
}

func (c *httpConn) Kill() {
	c.close.Do(func() {
		c.cancel()
		c.readers.Wait()
		c.client.CloseIdleConnections()
		close(c.done)
	})
}

// StatusText is an HTTP status for a sentence: "HTTP status 502 Bad Gateway".
func StatusText(status int) string {
	return strings.TrimSpace(fmt.Sprintf("HTTP status %d %s", status, http.StatusText(status)))
}
