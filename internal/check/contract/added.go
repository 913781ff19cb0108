package contract

import (
	"encoding/json"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strconv"

	"github.com/sealmark/action/internal/rawjson"
)

// The values of the added fields. They are such that no result holds them by
// chance.
const (
	extraValue = "sm-forwarded-7d41c9"
	otherText  = "sm-override-7d41c9"
	// otherNumber takes the place of a number of the result.
	otherNumber = json.Number("730741")
)

// authorityFields are fields that decide who may do what, with values of their
// usual kind.
func authorityFields() map[string]any {
	return map[string]any{
		"tenant": otherText, "tenant_id": otherText, "role": otherText, "permissions": []any{otherText},
		"approved": true, "is_admin": true,
	}
}

// Bounds of a result that is looked through.
const (
	maxResultFields = 12
	maxResultDepth  = 8
)

// resultFields are members of a result as arguments, with other values.
// Booleans are left out: they may change by chance.
func resultFields(result any) map[string]any {
	fields := map[string]any{}
	eachMember(result, func(_ string, name string, value any) {
		if len(fields) >= maxResultFields {
			return
		}
		switch value.(type) {
		case string:
			fields[name] = otherText
		case json.Number:
			fields[name] = otherNumber
		}
	})
	return fields
}

// eachMember calls f with each member below a value, outer ones first, in the
// order of their names, with its JSON pointer.
func eachMember(value any, f func(at, name string, value any)) {
	type place struct {
		at    string
		value any
	}
	level := []place{{"", value}}
	for depth := 0; depth < maxResultDepth && len(level) > 0; depth++ {
		var next []place
		for _, p := range level {
			switch v := p.value.(type) {
			case map[string]any:
				for _, name := range slices.Sorted(maps.Keys(v)) {
					at := p.at + "/" + rawjson.Escape(name)
					f(at, name, v[name])
					next = append(next, place{at, v[name]})
				}
			case []any:
				for i, item := range v[:min(len(v), 20)] {
					next = append(next, place{p.at + "/" + strconv.Itoa(i), item})
				}
			}
		}
		level = next
	}
}

// setAside matches the pointer of what a result tells as left out, and so
// not as passed on.
var setAside = regexp.MustCompile(`(?i)/[^/]*(?:ignored|unknown|unexpected|unrecogni[sz]ed|unsupported|dropped|removed|stripped|rejected|skipped|warning|error|invalid)[^/]*(?:/|$)`)

// came returns where a value comes back in a result as the member of a name,
// "" if it does not.
func came(result any, name string, sent any) string {
	found := ""
	eachMember(result, func(at, member string, value any) {
		own := setAside.MatchString(at[:len(at)-len(rawjson.Escape(member))])
		if found == "" && member == name && reflect.DeepEqual(value, sent) && !own {
			found = at
		}
	})
	return found
}

// overrides returns where a value that was sent takes effect in a result, ""
// if nowhere. own: the result of the call without it held another value in
// that place.
func overrides(before, after any, name string, sent any) (at string, own bool) {
	if at = came(after, name, sent); at == "" {
		return "", false
	}
	known := false
	same := false
	eachMember(before, func(place, _ string, value any) {
		if place == at {
			known, same = true, reflect.DeepEqual(value, sent)
		}
	})
	if same {
		return "", false
	}
	return at, known
}
