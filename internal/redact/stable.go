package redact

import "regexp"

// passing lists what differs from run to run in the last words of a process,
// and what is written in its place.
var passing = []struct {
	pattern *regexp.Regexp
	with    string
}{
	{regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}[T ]\d{2}[:_-]\d{2}(?:[:_-]\d{2}(?:[._,]\d+)?)?(?:Z\b|[+-]\d{2}:?\d{2}\b)?`), "<time>"},
	{regexp.MustCompile(`\b\d{4}/\d{2}/\d{2} \d{2}:\d{2}:\d{2}(?:\.\d+)?`), "<time>"},
	{regexp.MustCompile(`\b\d{2}:\d{2}:\d{2}(?:[.,]\d+)?\b`), "<time>"},
	{regexp.MustCompile(`\b1[5-9]\d{8}(?:\d{3}|\.\d+)?\b`), "<time>"},
	{regexp.MustCompile(`\b0x[0-9a-fA-F]{4,16}\b`), "0x<address>"},
	{regexp.MustCompile(`(?i)\b(pid|process id|process|tid|thread)(["' =:#]+)\d+\b`), "$1$2<id>"},
	{regexp.MustCompile(`\b(hs_err_pid|node:|goroutine )\d+\b`), "$1<id>"},
	{regexp.MustCompile(`==\d+==`), "==<id>=="},
	{regexp.MustCompile(`(\w)\[\d+\]:`), "$1[<id>]:"},
	{regexp.MustCompile(`\b(line \d+: +)\d+ (Segmentation fault|Aborted|Killed|Terminated|Bus error|Illegal instruction|Floating point exception)`), "$1<id> $2"},
	{regexp.MustCompile(`(/tmp/|/T/|\\Temp\\)(?:[A-Za-z0-9._-]*\d[A-Za-z0-9._-]*|tmp[a-z0-9_]{6,12}\b)`), "$1<name>"},
	{regexp.MustCompile(`(\blocalhost|\b127\.0\.0\.1|\b0\.0\.0\.0|\[::1?\]):\d{4,5}\b`), "$1:<port>"},
	{regexp.MustCompile(`\b[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}\b`), "<uuid>"},
}

// Stable replaces what differs from run to run in the output of a dying
// process: times, addresses, process ids, names of temporary files, ports,
// and UUIDs.
func Stable(s string) string {
	for _, p := range passing {
		s = p.pattern.ReplaceAllString(s, p.with)
	}
	return s
}
