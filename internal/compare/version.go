package compare

import (
	"regexp"
	"strconv"
)

// versions is what two versions of a server say of what lies between them.
type versions int

const (
	// untold: nothing, or that nothing breaks.
	untold versions = iota
	// unchanged: the server calls itself the same.
	unchanged
	// announced: something may break.
	announced
)

// semantic matches a version by Semantic Versioning 2.0.0, with or without v.
var semantic = regexp.MustCompile(`^v?(\d{1,9})\.(\d{1,9})(?:\.(\d{1,9}))?(-[0-9A-Za-z.-]+)?(?:\+[0-9A-Za-z.-]+)?$`)

// bump compares the versions of a server: a new major version announces that
// something breaks, and so does a new minor one before 1.0 and another
// pre-release (Semantic Versioning 2.0.0, 4, 8 and 9). Versions of another kind
// announce it when they differ.
func bump(base, now string) versions {
	switch {
	case base == "" || now == "":
		return untold
	case base == now:
		return unchanged
	}
	was, is := semantic.FindStringSubmatch(base), semantic.FindStringSubmatch(now)
	if was == nil || is == nil {
		return announced
	}
	number := func(parts []string, i int) int { n, _ := strconv.Atoi(parts[i]); return n }
	for i := 1; i <= 3; i++ {
		n, m := number(was, i), number(is, i)
		switch {
		case m < n:
			return untold
		case m == n:
			continue
		case i == 1, i == 2 && number(was, 1) == 0, number(was, 1) == 0 && number(was, 2) == 0:
			return announced
		}
		return untold
	}
	if was[4] != "" && is[4] != was[4] {
		return announced
	}
	return untold
}
