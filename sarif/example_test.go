package sarif_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sealmark/action/sarif"
)

// What `sealmark run --json FILE` writes, cut down to what matters here.
const resultFile = `{
  "schema_version": "1.0",
  "sealmark": {"version": "1.2.3"},
  "server": {"key": "parcel-desk", "anchor": {"path": "package.json", "line": 1}},
  "status": "assessed",
  "findings": [{
    "id": "robust.hang:1a2b3c4d", "rule": "robust.hang", "subject": "tool:fetch_parcel", "severity": "error",
    "message": "Tool \"fetch_parcel\" hangs on a malformed call: no answer within 10s."
  }],
  "rules": [{
    "id": "robust.hang", "check": "robust-input", "severity": "error", "precision": "high",
    "title": "A malformed call is never answered", "description": "The call gets no answer.", "fix": "Check the arguments first."
  }]
}`

func ExampleConvert() {
	var out bytes.Buffer
	if err := sarif.Convert(strings.NewReader(resultFile), &out, sarif.Options{}); err != nil {
		fmt.Println(err)
		return
	}
	var log struct {
		Runs []struct {
			AutomationDetails struct{ ID string }
			Results           []struct {
				RuleID, Level string
				Message       struct{ Text string }
			}
		}
	}
	if err := json.Unmarshal(out.Bytes(), &log); err != nil {
		fmt.Println(err)
		return
	}
	run := log.Runs[0]
	fmt.Println("category:", run.AutomationDetails.ID)
	for _, r := range run.Results {
		fmt.Println(r.Level, r.RuleID+":", r.Message.Text)
	}
	// Output:
	// category: sealmark/parcel-desk/
	// error robust.hang: Tool "fetch_parcel" hangs on a malformed call: no answer within 10s.
}

func ExampleValidate() {
	document := `{"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0", "runs": [{
	  "tool": {"driver": {"name": "Mine", "rules": []}},
	  "automationDetails": {"id": "nightly"},
	  "results": []
	}]}`
	for _, fault := range sarif.Validate([]byte(document)) {
		fmt.Println(fault)
	}
	// Output:
	// run 0: automationDetails.id "nightly" has no category before a slash
}
