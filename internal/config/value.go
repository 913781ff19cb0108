package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/sealmark/action/internal/rule"
)

// convert checks a value against its key and returns it in the key's Go type:
// bool, int, float64, string, or seconds as float64. nil is null.
func convert(key rule.Key, value any) (any, error) {
	if value == nil {
		if key.Nullable {
			return nil, nil
		}
		return nil, errors.New("must not be null")
	}
	switch key.Type {
	case rule.Texts:
		return value, listed(value)
	case rule.Bool:
		if b, ok := value.(bool); ok {
			return b, nil
		}
		return nil, fmt.Errorf("must be true or false, not %s", shown(value))
	case rule.Enum, rule.String:
		s, ok := value.(string)
		if !ok {
			return nil, fmt.Errorf("must be a text, not %s", shown(value))
		}
		if key.Type == rule.Enum && !slices.Contains(key.Enum, s) && !(s == "" && key.Default == "") {
			return nil, fmt.Errorf("must be %s, not %s", oneOf(key.Enum), quoted(s))
		}
		return s, nil
	case rule.Duration:
		seconds, err := seconds(value)
		if err != nil {
			return nil, err
		}
		return seconds, inRange(key, seconds, value)
	}
	number, ok := asNumber(value)
	if !ok {
		return nil, fmt.Errorf("must be a number, not %s", shown(value))
	}
	if err := inRange(key, number, value); err != nil {
		return nil, err
	}
	if key.Type == rule.Int {
		if number != math.Trunc(number) || math.Abs(number) > 1<<40 {
			return nil, fmt.Errorf("must be a whole number, not %s", shown(value))
		}
		return int(number), nil
	}
	return number, nil
}

// listed checks a list of texts.
func listed(value any) error {
	list, ok := value.([]string)
	if !ok {
		return fmt.Errorf("must be a list of texts, not %s", shown(value))
	}
	if slices.Contains(list, "") {
		return errors.New("must not hold an empty text")
	}
	return nil
}

// parseText reads the text of a flag or an input as a value for convert.
func parseText(key rule.Key, text string) (any, error) {
	text = strings.TrimSpace(text)
	switch key.Type {
	case rule.Bool:
		switch strings.ToLower(text) {
		case "true", "yes", "on", "1":
			return true, nil
		case "false", "no", "off", "0":
			return false, nil
		}
		return nil, fmt.Errorf("must be true or false, not %s", quoted(text))
	case rule.Texts:
		list := []string{}
		for part := range strings.SplitSeq(text, ",") {
			if part = strings.TrimSpace(part); part != "" {
				list = append(list, part)
			}
		}
		return list, nil
	case rule.Int, rule.Number:
		number, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return nil, fmt.Errorf("must be a number, not %s", quoted(text))
		}
		return number, nil
	}
	return text, nil
}

// seconds reads a duration: a number of seconds, or a text with a unit such as
// "500ms".
func seconds(value any) (float64, error) {
	if number, ok := asNumber(value); ok {
		return number, nil
	}
	text, ok := value.(string)
	if !ok {
		return 0, fmt.Errorf("must be a duration such as 2.5 (seconds) or 500ms, not %s", shown(value))
	}
	if number, err := strconv.ParseFloat(text, 64); err == nil {
		return number, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("must be a duration such as 2.5 (seconds) or 500ms, not %s", quoted(text))
	}
	return d.Seconds(), nil
}

func asNumber(value any) (float64, bool) {
	switch v := value.(type) {
	case int:
		return float64(v), true
	case int64:
		return float64(v), true
	case uint64:
		return float64(v), true
	case float64:
		return v, true
	}
	return 0, false
}

func inRange(key rule.Key, number float64, value any) error {
	switch {
	case math.IsNaN(number) || math.IsInf(number, 0):
		return fmt.Errorf("must be a finite number, not %s", shown(value))
	case key.Type == rule.Duration && number <= 0:
		return fmt.Errorf("must be more than zero, not %s", shown(value))
	case key.Type == rule.Duration && key.Min != nil && number < *key.Min:
		return fmt.Errorf("must be at least 1ms, not %s", shown(value))
	case key.Min != nil && number < *key.Min:
		return fmt.Errorf("must be at least %g, not %s", *key.Min, shown(value))
	case key.Max != nil && number > *key.Max && key.Type == rule.Duration:
		return fmt.Errorf("must be at most 24h, not %s", shown(value))
	case key.Max != nil && number > *key.Max:
		return fmt.Errorf("must be at most %g, not %s", *key.Max, shown(value))
	}
	return nil
}

// shown writes a value for an error message.
func shown(value any) string {
	const most = 60
	var text string
	switch v := value.(type) {
	case string:
		return quoted(v)
	case nil:
		text = "null"
	case map[string]any:
		return "a map"
	case []any:
		return "a list"
	default:
		data, err := json.Marshal(v)
		if err != nil {
			data = fmt.Append(nil, v)
		}
		text = string(data)
	}
	return clip(text, most)
}

func clip(text string, most int) string {
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

// quoted writes a name for an error message: on one line, and bounded.
func quoted(name string) string { return strconv.Quote(clip(name, 60)) }

// brief bounds the text of another package's error.
func brief(text string) string { return clip(text, 200) }

func oneOf(names []string) string {
	if len(names) == 1 {
		return names[0]
	}
	return strings.Join(names[:len(names)-1], ", ") + " or " + names[len(names)-1]
}
