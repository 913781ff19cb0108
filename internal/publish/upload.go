package publish

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/google/go-github/v60/github"
)

// upload is the state of an upload; go-github's own type lacks the errors.
type upload struct {
	Status string   `json:"processing_status"`
	Errors []string `json:"errors"`
}

// errPending says that an upload is not processed yet.
var errPending = errors.New("still pending")

// UploadSARIF uploads a SARIF document for the commit of the event and waits
// until it is processed. The notice says what went wrong, "" if nothing did.
func (p *Publisher) UploadSARIF(ctx context.Context, document []byte) (notice string) {
	sha, ref, why := p.event.Analysed()
	if why != "" {
		return "The findings were not uploaded to code scanning: " + why + "."
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	packed, err := pack(document)
	if err != nil {
		return "The findings were not uploaded to code scanning: " + err.Error()
	}
	analysis := &github.SarifAnalysis{CommitSHA: &sha, Ref: &ref, Sarif: &packed}
	id, err := retried(ctx, p, nil, func() (*github.SarifID, error) {
		id, response, err := p.client.CodeScanning.UploadSarif(ctx, p.event.Owner, p.event.Repo, analysis)
		if err == nil && id == nil && response != nil {
			return nil, fmt.Errorf("unexpected HTTP status %d", response.StatusCode)
		}
		return id, err
	})
	if err != nil {
		return p.refused(err)
	}
	return p.processed(ctx, id.GetID())
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
	return base64.StdEncoding.EncodeToString(b.Bytes()), nil
}

// refused explains why an upload was not taken.
func (p *Publisher) refused(err error) string {
	text := p.reason(err)
	lower := strings.ToLower(text)
	switch {
	case strings.Contains(lower, "advanced security") || strings.Contains(lower, "code security") || strings.Contains(lower, "code scanning is not enabled"):
		return "Code scanning is not available for this repository, so the findings are in this summary only. Set upload-sarif to false to silence this. GitHub says: " + text
	case p.event.Fork && denied(err):
		return "The findings were not uploaded to code scanning: the token of a fork's pull request may not do that. GitHub says: " + text
	case denied(err):
		return "The findings were not uploaded to code scanning: the job needs the permission security-events: write. GitHub says: " + text
	}
	return "The findings were not uploaded to code scanning. GitHub says: " + text
}

// processed waits until an upload is processed.
func (p *Publisher) processed(ctx context.Context, id string) (notice string) {
	timer := time.NewTimer(p.first)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-ctx.Done():
	}
	state, err := retried(ctx, p, []int{http.StatusNotFound}, func() (upload, error) {
		var state upload
		request, err := p.client.NewRequest(http.MethodGet, fmt.Sprintf("repos/%s/%s/code-scanning/sarifs/%s", p.event.Owner, p.event.Repo, id), nil)
		if err != nil {
			return state, err
		}
		if _, err := p.client.Do(ctx, request, &state); err != nil {
			return state, err
		}
		if state.Status == "pending" {
			return state, errPending
		}
		return state, nil
	})
	switch {
	case errors.Is(err, errPending) || ctx.Err() != nil:
		return "The findings were uploaded; code scanning had not processed them in time."
	case err != nil:
		return "The findings were uploaded; whether code scanning processed them is not known: " + p.reason(err)
	case state.Status == "failed":
		return "Code scanning could not process the findings: " + p.secret.Line(strings.Join(state.Errors, "; "), 2000)
	}
	return ""
}
