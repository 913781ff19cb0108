package protocol

import (
	_ "embed"

	"github.com/sealmark/action/internal/check"
	"github.com/sealmark/action/internal/rule"
)

//go:embed spec.md
var specProse string

// Spec holds a server against the text of the protocol revision that it
// negotiated: the messages that it sent during the whole run, and its answers
// to well-formed requests. No tool is called.
type Spec struct{}

// Info describes the check.
func (Spec) Info() rule.Check { return specInfo }

var specTags = []string{"mcp", "specification"}

var specInfo = check.MustProse(rule.Check{
	ID: "spec", Pack: "protocol", Weight: rule.Scored, Scope: "server", DecidedBy: "protocol response", Since: check.FirstMethodology,
	Probes: []rule.Probe{
		{ID: "messages", Core: true, Text: "read off: every message of the server in the whole run, against the shapes of the negotiated revision"},
		{ID: "ping", Core: true, Text: "`ping`"},
		{ID: "batch", Core: true, Text: "a batch of one `ping`, where 2025-03-26 is negotiated, the only revision with batches"},
		{ID: "unknown-method", Core: true, Part: true, Text: "a request of a method that does not exist"},
		{ID: "older-revisions", Core: true, Text: "`initialize` with each older revision, on a server of its own"},
		{ID: "before-initialized", Text: "half a second between the reply to `initialize` and `notifications/initialized`"},
		{ID: "set-level", Text: "`logging/setLevel` with a level that does not exist, then with `info`, where logging is declared"},
		{ID: "unknown-prompt", Text: "`prompts/get` with the name of no prompt, where prompts are declared"},
		{ID: "missing-argument", Text: "`prompts/get` without its required arguments, for up to five prompts"},
		{ID: "complete", Text: "`completion/complete` with an empty value for up to five arguments, where completions are declared"},
		{ID: "unknown-resource", Text: "`resources/read` with a URI of no resource, where resources are declared"},
		{ID: "listed-resource", Text: "`resources/read` with a progress token, for up to five listed resources"},
		{ID: "subscribe", Text: "`resources/subscribe` and `resources/unsubscribe` for a listed resource, where subscriptions are declared"},
	},
	Verdicts: []rule.VerdictRow{
		{Verdict: rule.Fail, When: "a message breaks the shapes of the revision, or a well-formed request is answered against a MUST"},
		{Verdict: rule.Partial, When: "another MUST is broken"},
		{Verdict: rule.Unverified, When: "nothing failed, but a probe got no answer or the server could not be started again"},
		{Verdict: rule.NotApplicable, When: "the negotiated revision is none that this check knows"},
		{Verdict: rule.Pass, When: "the messages and answers keep to the revision"},
	},
	Rules: []rule.Rule{
		{ID: "spec.schema-violation", Severity: rule.Error, Precision: "very-high", Tags: specTags, References: append(cite("Schema reference", "schema", since("2025-06-18")...), cite("Base protocol, Messages", "basic", revisions...)...)},
		{ID: "spec.ping", Severity: rule.Error, Also: []rule.Severity{rule.Note}, Precision: "very-high", Tags: specTags, References: cite("Base protocol, Utilities, Ping", "basic/utilities/ping", revisions...)},
		{ID: "spec.batch", Severity: rule.Note, Also: []rule.Severity{rule.Error}, Precision: "very-high", Tags: specTags, References: cite("Base protocol, Batching", "basic#batching", "2025-03-26")},
		{ID: "spec.version-negotiation", Severity: rule.Error, Precision: "high", Tags: specTags, References: cite("Base protocol, Lifecycle, Version negotiation", "basic/lifecycle#version-negotiation", revisions...)},
		{ID: "spec.error-code", Severity: rule.Warning, Also: []rule.Severity{rule.Note}, Precision: "very-high", Tags: specTags, References: append(append(
			[]rule.Reference{{Title: "JSON-RPC", Revision: "2.0", Section: "5.1 Error object", URL: "https://www.jsonrpc.org/specification#error_object"}},
			cite("Server features, Prompts, Error handling", "server/prompts#error-handling", revisions...)...),
			append(cite("Server features, Utilities, Logging, Error handling", "server/utilities/logging#error-handling", revisions...),
				cite("Server features, Utilities, Completion, Error handling", "server/utilities/completion#error-handling", since("2025-03-26")...)...)...)},
		{ID: "spec.capability-unserved", Severity: rule.Warning, Precision: "high", Tags: specTags, References: cite("Base protocol, Lifecycle, Capability negotiation", "basic/lifecycle#capability-negotiation", revisions...)},
		{ID: "spec.completion-limit", Severity: rule.Warning, Precision: "very-high", Tags: specTags, References: cite("Server features, Utilities, Completion, Completion results", "server/utilities/completion#completion-results", since("2025-03-26")...)},
		{ID: "spec.logging-level", Severity: rule.Note, Precision: "high", Tags: specTags, References: cite("Server features, Utilities, Logging, Error handling", "server/utilities/logging#error-handling", revisions...)},
		{ID: "spec.prompt-required-argument", Severity: rule.Note, Precision: "high", Tags: specTags, References: cite("Server features, Prompts, Error handling", "server/prompts#error-handling", revisions...)},
		{ID: "spec.resource-not-found", Severity: rule.Warning, Also: []rule.Severity{rule.Note}, Precision: "high", Tags: specTags, References: cite("Server features, Resources, Error handling", "server/resources#error-handling", revisions...)},
		{ID: "spec.resource-read-mismatch", Severity: rule.Note, Precision: "medium", Tags: specTags, References: cite("Server features, Resources, Reading resources", "server/resources#reading-resources", revisions...)},
		{ID: "spec.meta-key", Severity: rule.Warning, Precision: "very-high", Tags: specTags, References: cite("Base protocol, General fields, _meta", "basic#meta", since("2025-06-18")...)},
		{ID: "spec.progress", Severity: rule.Warning, Precision: "high", Tags: specTags, References: cite("Base protocol, Utilities, Progress", "basic/utilities/progress", revisions...)},
		{ID: "spec.early-message", Severity: rule.Note, Precision: "high", Tags: specTags, References: cite("Base protocol, Lifecycle, Initialization", "basic/lifecycle#initialization", revisions...)},
		{ID: "spec.unnegotiated-message", Severity: rule.Warning, Also: []rule.Severity{rule.Note}, Precision: "high", Tags: specTags, References: cite("Base protocol, Lifecycle, Operation", "basic/lifecycle#operation", revisions...)},
		{ID: "spec.request-id-reused", Severity: rule.Warning, Precision: "high", Tags: specTags, References: cite("Base protocol, Requests", "basic", revisions...)},
	},
}, specProse, nil)
