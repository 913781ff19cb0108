package sarif_test

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sealmark/action/internal/result"
	"github.com/sealmark/action/internal/rule"
	"github.com/sealmark/action/sarif"
)

// document is what the tests look at.
type document struct {
	Runs []struct {
		Tool struct {
			Driver struct {
				SemanticVersion string
				Rules           []struct {
					ID, Name, HelpURI                       string
					ShortDescription, FullDescription, Help struct{ Text, Markdown string }
					DefaultConfiguration                    struct{ Level string }
					Properties                              map[string]any
				}
			}
		}
		AutomationDetails struct{ ID string }
		Invocations       []struct {
			ExecutionSuccessful        bool
			ToolExecutionNotifications []struct {
				Level          string
				Message        struct{ Text string }
				AssociatedRule *struct{ ID string }
			}
		}
		Results []found
	}
}

type found struct {
	RuleID, Level   string
	RuleIndex       int
	OccurrenceCount int
	Message         struct{ Text string }
	Locations       []struct {
		PhysicalLocation struct {
			ArtifactLocation map[string]string
			Region           struct{ StartLine, EndLine int }
		}
		LogicalLocations []struct{ Name, FullyQualifiedName, Kind string }
	}
	PartialFingerprints map[string]string
	Properties          map[string]any
}

// schema is the SARIF schema with formats asserted.
var schema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	f, err := os.Open("../testdata/schemas/sarif-2.1.0.json")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := jsonschema.UnmarshalJSON(f)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", content); err != nil {
		return nil, err
	}
	return c.Compile("sarif.json")
})

// convert writes the result as SARIF and checks it against the schema unless
// it is large.
func convert(t *testing.T, r *result.Result, o sarif.Options) ([]byte, document) {
	t.Helper()
	in, err := r.Marshal()
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := sarif.Convert(bytes.NewReader(in), &out, o); err != nil {
		t.Fatal(err)
	}
	if out.Len() < 1<<20 { // a large one takes seconds and shows nothing new
		checkSchema(t, out.Bytes())
	}
	var d document
	if err := json.Unmarshal(out.Bytes(), &d); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), d
}

func checkSchema(t *testing.T, document []byte) {
	t.Helper()
	s, err := schema()
	if err != nil {
		t.Fatal(err)
	}
	content, err := jsonschema.UnmarshalJSON(bytes.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Validate(content); err != nil {
		t.Fatalf("against the SARIF schema: %v", err)
	}
}

// rules are those of the sample results.
func rules() []rule.Rule {
	return []rule.Rule{
		{ID: "robust.hang", Check: "robust-input", Severity: rule.Error, SecuritySeverity: 6.5, Precision: "high", Since: "1.0",
			Tags: []string{"mcp", "robustness"}, Title: "A malformed call is never answered", Description: "The call gets no answer.", Fix: "Check the arguments first.",
			Example: "Sent call:\n\n```json\n{\"name\": \"add\"}\n```"},
		{ID: "launch.exited", Check: "launch", Severity: rule.Error, Precision: "very-high", Since: "1.0",
			Tags: []string{"launch", "mcp"}, Title: "The server exits before it answers", Description: "It went before initialize was answered.", Fix: "Run the command by hand."},
		{ID: "robust.accepted-invalid", Check: "robust-input", Severity: rule.Warning, Precision: "high", Since: "1.0",
			Tags: []string{"mcp"}, Title: "A schema-invalid call succeeds", Description: "The arguments break the schema.", Fix: "Validate the arguments."},
		{ID: "stdio.crlf", Check: "stdio-clean", Severity: rule.Note, Precision: "medium", Since: "1.0",
			Title: "Messages end in CR LF", Description: "Each message ends in CR LF.", Fix: "End them in LF."},
	}
}

func finding(ruleID, subject string, severity rule.Severity, message string) rule.Finding {
	return rule.Finding{ID: rule.FindingID(ruleID, subject), Rule: ruleID, Check: "robust-input", Subject: subject, Severity: severity, Message: message, Count: 1}
}

// sample is an assessed run with one of each kind of finding.
func sample() *result.Result {
	hang := finding("robust.hang", "tool:fetch_parcel", rule.Error, `Tool "fetch_parcel" hangs on a malformed call (nulls): no answer within 10s.`)
	hang.Probe, hang.Count = "nulls", 3
	hang.Evidence = rule.Evidence{Request: `{"jsonrpc":"2.0","id":"sm-1002","method":"tools/call"}`, Detail: "no answer within 10s", Stderr: "parcel desk up\nwaiting\n"}
	accepted := finding("robust.accepted-invalid", "tool:print_label", rule.Warning, `Tool "print_label" accepted schema-invalid arguments {"copies": [1]} without any refusal.`)
	accepted.Location = &rule.Location{Path: "src/labels/print label.ts", Line: 42}
	accepted.Evidence = rule.Evidence{Reply: `{"result":{}}`, Match: "printed"}
	flaky := finding("robust.hang", "tool:book_pickup", rule.Error, `Tool "book_pickup" hangs on a malformed call.`)
	flaky.Flaky = true
	explained := finding("robust.accepted-invalid", "tool:fetch_parcel", rule.Warning, "explained away")
	explained.ExplainedBy = hang.ID
	return &result.Result{
		SchemaVersion: result.SchemaVersion, Sealmark: result.Build{Version: "v1.2.3", Methodology: "1.0"},
		Server: result.Server{Key: "parcel-desk", Name: "parcels", Transport: "stdio", Anchor: rule.Location{Path: "packages/desk/package.json", Line: 1}},
		Status: result.Assessed, Completeness: result.Completeness{State: "complete"},
		Rules:    rules(),
		Findings: []rule.Finding{flaky, accepted, hang, explained, finding("stdio.crlf", "server", rule.Note, "The server ends its messages in CR LF.")},
	}
}

// unassessed is a run whose server did not start.
func unassessed() *result.Result {
	r := sample()
	r.Status, r.Findings = result.NotAssessed, nil
	r.Reason = &result.Reason{Rule: "launch.exited", Text: "The server exited with status 1 before it answered: [fatal] {config} missing.", Next: "Run the command by hand."}
	return r
}

// subjects gives the names of the logical locations, "" for the server.
func subjects(d document) string {
	var names []string
	for _, f := range d.Runs[0].Results {
		name := ""
		if l := f.Locations[0].LogicalLocations; len(l) > 0 {
			name = l[0].FullyQualifiedName
		}
		names = append(names, name)
	}
	return strings.Join(names, " ")
}
