package reply

import (
	"regexp"
	"strings"
)

// declared holds the declared parameter names, by their form in lower case.
type declared map[string]string

func parameters(names []string) declared {
	d := declared{}
	for _, name := range names {
		if lower := strings.ToLower(name); d[lower] == "" {
			d[lower] = name
		}
	}
	return d
}

// What stands around the name of a parameter in a decision to reject it.
// Each is tried on a short piece of text beside the name, so that a name and a
// "required" that merely occur in one text are no decision.
var (
	// afterName: "name is required", "name: Invalid input", "name must be …".
	afterName = regexp.MustCompile(`(?i)^["'\x60\])}>*]*(?:\s*\([^()\n]{0,40}\))?(?:\s+(?:argument|parameter|param|field|property|value|input|option|key|arg)s?)?["'\x60]?\s*(?:[:=–—-]+\s*)?(?:error: )?(?:` +
		`(?:is|are|was|were) (?:a |an )?(?:required|missing|mandatory|invalid|empty|null|undefined|malformed|unknown|unsupported)\b|` +
		`(?:\S{1,40} )?(?:is|are|was|were) not (?:(?:a|an|of) )?(?:valid|type|supported|allowed|defined|set|provided|specified|given|string|number|integer|boolean|array|object|list|recognized|null)\b|` +
		`isn't (?:a |an )?(?:valid|string|number|integer|boolean|array|object)\b|` +
		`(?:must|should|has to|have to|needs to) (?:not )?(?:be|match|have|contain|equal|start|exist|consist)\b|` +
		`(?:cannot|can't|can not|may not) be\b|(?:value )?(?:does not|doesn't) match\b|` +
		`(?:field |is |value )?(?:required|missing)\b|(?:is )?(?:invalid|expected|unexpected|unrecognized|not a valid)\b|not (?:provided|specified|given|valid|of type)\b|` +
		`input should\b|value (?:should|must|is not)\b|wrong type|has type\b|type: |of type \w|expects?\b|got \w|received \w|unable to parse)`)
	// beforeName: "missing required parameter: name", "Required at name".
	beforeName = regexp.MustCompile(`(?i)(?:` +
		`\b(?:invalid|missing|required|requires?|unexpected|unknown|unrecognized|unsupported|bad|illegal|malformed|incorrect|wrong|empty|provide|specify|supply)(?: ` + filler + `)*(?:\(s\))?\s*(?:[:=]\s*)?(?:[\w$]+\.|\[?["'\x60],? ?)*["'\x60\[({/$.]*|` +
		`\b(?:expected|received|required|invalid input|invalid option|validation failed)\b[^.\n]{0,100} (?:at|for|on|field|property) (?:[\w$]+\.)*["'\x60$./]*|` +
		`\bcannot unmarshal \w+ into Go struct field [\w.]*\.|` +
		`\bfor call\[?[\w.]*\]?\n)$`)
	// pathBefore: the way to the value in a validator's report, as in
	// "path": ["params", "name"], instancePath: /name, Path: $.name.
	pathBefore = regexp.MustCompile(`(?i)(?:\b(?:path|loc|location|instance_?path|data_?path|json_?path|pointer|param|parameter|field|property|argument|missing_?property)["']?\s*[:=]\s*["'\x60\[\s/$.\w,-]*?|/properties/|reference chain: [^)\n]*)["'\x60\[/.$]$|(?:\binstancePath: |\bpath: |\bloc: |\bfield: |\bparam: |\bparameter: |\bproperty: |\bargument: )$`)
	// verdicts are the words that make a path a decision.
	verdicts = regexp.MustCompile(`(?i)\brequired\b|\binvalid|\bmissing\b|\bmust\b|\bexpected\b|\bshould\b|\bnot valid\b|\bnot of type\b|could not be converted|cannot deserialize|\bunrecognized`)
)

const filler = `(?:required|input|value|values|type|types|format|for|in|of|the|a|an|your|valid|following|field|fields|parameter|parameters|param|params|argument|arguments|arg|args|property|properties|key|keys|option|options|member|additional|positional|query|body|named|name|numeric|string|\d+)`

// Bounds of the search for a name.
const (
	namedText   = 64 << 10 // bytes of text
	namedTries  = 2000     // places of a name
	besideBytes = 160      // bytes before and after it
)

var identifier = regexp.MustCompile(`[A-Za-z0-9_$][A-Za-z0-9_$-]*`)

// named returns the declared parameter that a text calls invalid or required,
// and the words that say so; "" for none.
func (d declared) named(text string) (name, phrase string) {
	if len(d) == 0 {
		return "", ""
	}
	text = text[:min(len(text), namedText)]
	report, tries := verdicts.MatchString(text), 0
	for _, at := range identifier.FindAllStringIndex(text, -1) {
		found := d[strings.ToLower(strings.TrimRight(text[at[0]:at[1]], "-"))]
		if found == "" {
			continue
		}
		if tries++; tries > namedTries {
			break
		}
		before, after := text[max(0, at[0]-besideBytes):at[0]], text[at[1]:min(len(text), at[1]+besideBytes)]
		if m := afterName.FindString(after); m != "" {
			return found, text[at[0]:at[1]] + strings.TrimRight(m, " ")
		}
		if m := beforeName.FindString(before); m != "" {
			return found, m + text[at[0]:at[1]]
		}
		if report && pathBefore.MatchString(before) {
			return found, verdicts.FindString(text)
		}
	}
	return "", ""
}
