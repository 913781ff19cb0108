package sarif_test

import (
	"encoding/base64"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sealmark/action/sarif"
)

// object is a JSON object that a test may edit.
type object = map[string]any

// at walks to a member or an item.
func at(v any, path ...any) any {
	for _, step := range path {
		switch step := step.(type) {
		case string:
			v = v.(object)[step]
		case int:
			v = v.([]any)[step]
		}
	}
	return v
}

func TestValidateAcceptsOurOwn(t *testing.T) {
	data, _ := convert(t, sample(), sarif.Options{})
	if faults := sarif.Validate(data); len(faults) > 0 {
		t.Error(faults)
	}
}

// Each of these changes makes code scanning refuse a document or lose alerts.
func TestValidateRefuses(t *testing.T) {
	driver := func(run object) object { return at(run, "tool", "driver").(object) }
	rule := func(run object) object { return at(run, "tool", "driver", "rules", 2).(object) }
	res := func(run object) object { return at(run, "results", 0).(object) }
	physical := func(run object) object { return at(run, "results", 0, "locations", 0, "physicalLocation").(object) }
	uri := func(text string) func(doc, run object) {
		return func(_, run object) { physical(run)["artifactLocation"] = object{"uri": text} }
	}
	severity := func(v any) func(doc, run object) {
		return func(_, run object) { rule(run)["properties"].(object)["security-severity"] = v }
	}
	repeat := func(n int, v any) []any {
		list := make([]any, n)
		for i := range list {
			list[i] = v
		}
		return list
	}
	const notRelative = "not a URI relative to the repository"
	for name, c := range map[string]struct {
		change func(doc, run object)
		want   string
	}{
		"no schema":     {func(doc, _ object) { delete(doc, "$schema") }, "$schema"},
		"other version": {func(doc, _ object) { doc["version"] = "2.2" }, "version"},
		"no runs":       {func(doc, _ object) { doc["runs"] = []any{} }, "0 runs"},
		"21 runs":       {func(doc, run object) { doc["runs"] = repeat(21, run) }, "21 runs"},
		"two runs, one category": {func(doc, run object) { doc["runs"] = []any{run, run} },
			"second run of the category"},
		"no category":      {func(_, run object) { delete(run, "automationDetails") }, "no category"},
		"id without slash": {func(_, run object) { run["automationDetails"] = object{"id": "sealmark"} }, "no category"},
		"no tool name":     {func(_, run object) { driver(run)["name"] = "" }, "driver.name"},
		"no rules":         {func(_, run object) { delete(driver(run), "rules") }, "rules is not an array"},
		"101 extensions": {func(_, run object) { run["tool"].(object)["extensions"] = repeat(101, object{"name": "x"}) },
			"101 tool extensions"},
		"too many rules":    {func(_, run object) { driver(run)["rules"] = repeat(25_001, object{}) }, "25001 rules"},
		"rule twice":        {func(_, run object) { rule(run)["id"] = "launch.exited" }, "stands twice"},
		"rule without id":   {func(_, run object) { rule(run)["id"] = "" }, "id is empty"},
		"long name":         {func(_, run object) { rule(run)["name"] = strings.Repeat("n", 256) }, "over 255 characters"},
		"no short text":     {func(_, run object) { rule(run)["shortDescription"] = nil }, "shortDescription.text is empty"},
		"blank full text":   {func(_, run object) { rule(run)["fullDescription"] = object{"text": " "} }, "fullDescription.text is empty"},
		"long full text":    {func(_, run object) { rule(run)["fullDescription"] = object{"text": strings.Repeat("ü", 1025)} }, "over 1024 characters"},
		"no help":           {func(_, run object) { rule(run)["help"] = object{"markdown": "x"} }, "help.text is empty"},
		"empty help":        {func(_, run object) { rule(run)["help"] = object{"text": "x", "markdown": ""} }, "help.markdown is empty"},
		"default level":     {func(_, run object) { rule(run)["defaultConfiguration"] = object{"level": "high"} }, "defaultConfiguration.level"},
		"precision":         {func(_, run object) { rule(run)["properties"].(object)["precision"] = "exact" }, "precision"},
		"21 tags":           {func(_, run object) { rule(run)["properties"].(object)["tags"] = repeat(21, "t") }, "21 tags"},
		"severity in words": {severity("high"), "security-severity"},
		"severity a number": {severity(7.5), "security-severity"},
		"severity zero":     {severity("0.0"), "security-severity"},
		"severity above":    {severity("10.1"), "security-severity"},
		"severity infinite": {severity("Inf"), "security-severity"},
		"severity hex":      {severity("0x1p1"), "security-severity"},

		"results null":       {func(_, run object) { run["results"] = nil }, "results is not an array"},
		"results missing":    {func(_, run object) { delete(run, "results") }, "results is not an array"},
		"results an object":  {func(_, run object) { run["results"] = object{} }, "not a SARIF document"},
		"too many results":   {func(_, run object) { run["results"] = repeat(25_001, object{}) }, "25001 results"},
		"no message":         {func(_, run object) { res(run)["message"] = object{"text": ""} }, "message.text is empty"},
		"level":              {func(_, run object) { res(run)["level"] = "high" }, "level"},
		"no rule index":      {func(_, run object) { delete(res(run), "ruleIndex") }, "ruleIndex"},
		"wrong rule index":   {func(_, run object) { res(run)["ruleIndex"] = 0 }, "ruleIndex"},
		"index out of range": {func(_, run object) { res(run)["ruleIndex"] = 99 }, "ruleIndex"},
		"index overflown":    {func(_, run object) { res(run)["ruleIndex"] = json.Number("18446744073709551615") }, "not a SARIF document"},
		"other rule id":      {func(_, run object) { res(run)["ruleId"] = "stdio.crlf" }, "ruleIndex"},
		"no fingerprint":     {func(_, run object) { delete(res(run), "partialFingerprints") }, "primaryLocationLineHash is missing"},
		"fingerprint twice": {func(_, run object) {
			at(run, "results", 2).(object)["partialFingerprints"] = res(run)["partialFingerprints"]
		}, "same fingerprint"},

		"no locations":      {func(_, run object) { delete(res(run), "locations") }, "no location"},
		"empty locations":   {func(_, run object) { res(run)["locations"] = []any{} }, "no location"},
		"logical only":      {func(_, run object) { delete(at(run, "results", 0, "locations", 0).(object), "physicalLocation") }, "no physical location"},
		"no artifact":       {func(_, run object) { delete(physical(run), "artifactLocation") }, "no physical location"},
		"1001 locations":    {func(_, run object) { res(run)["locations"] = repeat(1001, at(run, "results", 0, "locations", 0)) }, "1001 locations"},
		"empty URI":         {uri(""), notRelative},
		"sentence":          {uri("no file associated with this alert"), notRelative},
		"http URI":          {uri("http://localhost:8000/mcp"), notRelative},
		"host as a scheme":  {uri("localhost:8000/mcp"), notRelative},
		"file URI":          {uri("file:///repo/a.ts"), notRelative},
		"absolute path":     {uri("/repo/a.ts"), notRelative},
		"hidden absolute":   {uri("%2Frepo/a.ts"), notRelative},
		"network path":      {uri("//host/a.ts"), notRelative},
		"out of the root":   {uri("a/../../b"), notRelative},
		"hidden dots":       {uri("%2e%2e/b"), notRelative},
		"backslashes":       {uri(`a\b.ts`), notRelative},
		"bare percent":      {uri("100%.ts"), notRelative},
		"query":             {uri("a.ts?x=1"), notRelative},
		"fragment":          {uri("a.ts#L1"), notRelative},
		"base id":           {func(_, run object) { at(physical(run), "artifactLocation").(object)["uriBaseId"] = "ROOT" }, "uriBaseId"},
		"no region":         {func(_, run object) { delete(physical(run), "region") }, "line from 1"},
		"line 0":            {func(_, run object) { at(physical(run), "region").(object)["startLine"] = 0 }, "line from 1"},
		"ends before start": {func(_, run object) { physical(run)["region"] = object{"startLine": 3, "endLine": 2} }, "ends before"},
	} {
		t.Run(name, func(t *testing.T) {
			data, _ := convert(t, sample(), sarif.Options{})
			var doc object
			if err := json.Unmarshal(data, &doc); err != nil {
				t.Fatal(err)
			}
			c.change(doc, at(doc, "runs", 0).(object))
			changed, err := json.Marshal(doc)
			if err != nil {
				t.Fatal(err)
			}
			expect(t, sarif.Validate(changed), c.want)
		})
	}
}

func expect(t *testing.T, faults []error, want string) {
	t.Helper()
	if len(faults) > 50 {
		t.Errorf("%d faults", len(faults))
	}
	for _, fault := range faults {
		if strings.Contains(fault.Error(), want) {
			return
		}
	}
	t.Errorf("faults %v, want one about %q", faults, want)
}

func TestValidateRefusesOtherInput(t *testing.T) {
	for _, in := range []string{"", "null", "[]", "{", `{"runs":null}`, `{"runs":[null]}`, `{"runs":[{"results":[null]}]}`, "\xff"} {
		if len(sarif.Validate([]byte(in))) == 0 {
			t.Errorf("%q is accepted", in)
		}
	}
}

func TestValidateSize(t *testing.T) {
	data, _ := convert(t, sample(), sarif.Options{})
	with := func(noise string) []error {
		return sarif.Validate([]byte(`{"properties":{"noise":"` + noise + `"},` + string(data[1:])))
	}
	noise := make([]byte, 10_100_000)
	rand.NewChaCha8([32]byte{2}).Read(noise)
	expect(t, with(base64.StdEncoding.EncodeToString(noise)), "when compressed")
	if faults := with(strings.Repeat("0", 11_000_000)); len(faults) > 0 {
		t.Errorf("what compresses well: %v", faults)
	}
}
