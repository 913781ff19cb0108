// Package nearest finds the name that somebody meant.
package nearest

import "strings"

// Name returns the known name that is most like a wrong one, or that begins
// with it; "" if none is near.
func Name(wrong string, known []string) string {
	const longest = 100
	if len(wrong) > longest {
		return ""
	}
	best, least := "", max(2, len(wrong)/3)+1
	for _, name := range known {
		begins := len(wrong) >= 3 && strings.HasPrefix(name, strings.ToLower(wrong))
		if begins && (best == "" || least > 0 || len(name) < len(best)) {
			best, least = name, 0
		}
		if d := distance(strings.ToLower(wrong), strings.ToLower(name)); d < least {
			best, least = name, d
		}
	}
	return best
}

// distance is the Levenshtein distance of two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
