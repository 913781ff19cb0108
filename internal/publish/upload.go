package publish

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/google/go-github/v60/github"
)

// upload is the state of an upload; go-github's own type lacks the errors.
type upload struct {
	Status string   `json:"processing_status"`
	Errors []string `json:"errors"`
}

const (
	// maxPacked is the size of a compressed document that GitHub still takes.
	maxPacked = 10 << 20
	// firstLook is the wait before the state of an upload is read. Each later
	// wait is twice as long.
	firstLook = 5 * time.Second
)

// UploadSARIF uploads a SARIF document, of a run that began at a time, for the
// commit of the target and waits until it is processed. The notice says what
// went wrong, "" if nothing did.
func (p *Publisher) UploadSARIF(ctx context.Context, document []byte, started time.Time) (notice string) {
	if why := p.target.NoUpload; why != "" {
		return "The findings were not uploaded to code scanning: " + why + "."
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	packed, err := pack(document)
	if err != nil {
		return "The findings were not uploaded to code scanning: " + err.Error() + "."
	}
	analysis := &github.SarifAnalysis{CommitSHA: &p.target.SHA, Ref: &p.target.Ref, Sarif: &packed, ToolName: new("Sealmark")}
	if p.event.Workspace != "" {
		analysis.CheckoutURI = new((&url.URL{Scheme: "file", Path: filepath.ToSlash(p.event.Workspace)}).String())
	}
	if !started.IsZero() {
		analysis.StartedAt = &github.Timestamp{Time: started.UTC()}
	}
	doubts := 0
	passes := func(err error) bool {
		doubts++
		return doubts == 1 && doubtful(err)
	}
	id, err := retried(ctx, passes, func() (*github.SarifID, error) {
		id, response, err := p.client.CodeScanning.UploadSarif(ctx, p.event.Owner, p.event.Repo, analysis)
		if err == nil && id == nil && response != nil {
			return nil, backoff.Permanent(fmt.Errorf("unexpected HTTP status %d", response.StatusCode))
		}
		return id, err
	})
	if err != nil {
		return p.refused(err)
	}
	if id.GetID() == "" {
		return "The findings were uploaded; GitHub did not say where to read their state."
	}
	return p.processed(ctx, id.GetID())
}

// doubtful reports whether a refusal may be a passing one: GitHub was seen to
// answer 401, 403 and 404 to uploads that it took a moment later.
func doubtful(err error) bool {
	text := strings.ToLower(err.Error())
	return denied(err) && !strings.Contains(text, "not accessible") && !unavailable(text)
}

// unavailable reports whether the text of a refusal, in lower case, says that
// the repository has no code scanning.
func unavailable(text string) bool {
	return strings.Contains(text, "advanced security") || strings.Contains(text, "code security") || strings.Contains(text, "code scanning is not enabled")
}

// pack compresses and encodes a document as the API asks for.
func pack(document []byte) (string, error) {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write(document); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	if b.Len() > maxPacked {
		return "", fmt.Errorf("the document has %d bytes when compressed, and GitHub takes %d", b.Len(), maxPacked)
	}
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// refused explains why an upload was not taken.
func (p *Publisher) refused(err error) string {
	text := p.reason(err)
	switch {
	case unavailable(strings.ToLower(text)):
		return "Code scanning is not available for this repository, so the findings are in this summary only. Set upload-sarif to false to silence this. GitHub says: " + text
	case denied(err):
		return "The findings were not uploaded to code scanning: " + p.missing() + " GitHub says: " + text
	}
	return "The findings were not uploaded to code scanning. GitHub says: " + text
}

// processed waits until an upload is processed.
func (p *Publisher) processed(ctx context.Context, id string) (notice string) {
	for wait := firstLook; ; wait *= 2 {
		select {
		case <-time.After(wait):
		case <-ctx.Done():
			return "The findings were uploaded; code scanning had not processed them in time."
		}
		state, err := p.state(ctx, id)
		var refusal *backoff.PermanentError
		status, _ := statusOf(err)
		switch {
		case errors.As(err, &refusal) && status != http.StatusNotFound:
			return "The findings were uploaded; whether code scanning processed them is not known: " + p.reason(err)
		case err == nil && state.Status == "failed":
			return "Code scanning could not process the findings: " + p.secret.Line(strings.Join(state.Errors, "; "), 8000)
		case err == nil && state.Status != "pending":
			return ""
		}
	}
}

// state reads the state of an upload.
func (p *Publisher) state(ctx context.Context, id string) (upload, error) {
	var state upload
	request, err := p.client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/code-scanning/sarifs/%s", p.event.Owner, p.event.Repo, url.PathEscape(id)), nil)
	if err != nil {
		return state, backoff.Permanent(err)
	}
	if _, err := p.client.Do(ctx, request, &state); err != nil {
		return state, classify(err)
	}
	return state, nil
}
