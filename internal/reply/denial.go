package reply

import (
	"regexp"
	"strings"
)

// denialStart begins a text that denies access to what was asked for, or says
// that there is no such thing, as servers do that don't tell the two apart.
var denialStart = regexp.MustCompile(`(?i)^(?:error:? )?(?:you (?:are|do) not (?:authori[sz]ed|allowed|permitted|have)|(?:access|permission|request|operation)s? (?:is |was )?(?:denied|forbidden|not (?:allowed|permitted))|not[ _](?:authori[sz]ed|allowed|permitted|found)|unauthori[sz]ed|forbidden|denied|insufficient (?:permissions?|privileges?|scopes?|rights?)|no (?:access|permission|such)\b|40[134]\b|[\w ."'#:-]{1,80} (?:(?:was|is|does|could) not (?:found|be found|exist|allowed|permitted|authori[sz]ed)|not found|is forbidden|access denied)[.!]?$)`)

// denialMember are machine's words for a denial.
var denialMember = regexp.MustCompile(`(?i)^(?:e_|err_|error_)?(?:not_?authori[sz]ed|unauthori[sz]ed|forbidden|access_?denied|permission_?denied|denied|not_?found|not_?allowed|insufficient_?\w+)$`)

// Denial returns the words by which a result that is not marked as an error
// denies its call, "" if it does not. It is for calls that must be denied:
// elsewhere the words may be what was asked for.
func Denial(a Answer) string {
	if a.Kind != Answered || a.Error != nil {
		return ""
	}
	h := hear(a)
	if h.failed {
		return ""
	}
	if words := denied(h.first); words != "" {
		return words
	}
	return denied(string(h.structured))
}

func denied(text string) string {
	text = strings.TrimSpace(text)
	if strings.HasPrefix(text, "{") {
		for _, raw := range members([]byte(text), "status", "code", "error", "reason", "message", "detail", "outcome", "result") {
			word := strings.Trim(strings.TrimSpace(string(raw)), `"`)
			if denialMember.MatchString(word) || denialStart.MatchString(word) {
				return short(text)
			}
		}
		return ""
	}
	line, _, _ := strings.Cut(text, "\n")
	line = strings.TrimLeft(strings.TrimSpace(line), " \t*_#>`~-–—•❌✗✘⚠️🚫⛔[(\"'")
	line = strings.TrimRight(line[:min(len(line), firstLine)], "*_`~ ])\"'")
	if denialStart.MatchString(line) || denialMember.MatchString(line) {
		return short(line)
	}
	return ""
}
