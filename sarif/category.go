package sarif

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// maxCategory bounds a category in bytes.
const maxCategory = 200

// Category is the code-scanning category of a server: what was asked for, else
// "sealmark/" and the server's key. Runs of one category replace each other,
// so a key that must be changed to be part of a category, or cut, gets a hash
// that keeps it apart from others.
func Category(key, asked string) string {
	if asked = strings.Trim(line(asked, maxCategory), "/ "); asked != "" {
		return asked
	}
	return strings.TrimSuffix("sealmark/"+tidy(key), "/")
}

// tidy keeps letters, digits and a few marks, and no slash at the ends.
func tidy(s string) string {
	clean := strings.Map(func(c rune) rune {
		switch {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.ContainsRune("/-_.:@+", c):
			return c
		}
		return '-'
	}, s)
	clean = strings.Trim(clean[:min(len(clean), maxCategory)], "/")
	if clean == s {
		return clean
	}
	sum := sha256.Sum256([]byte(s))
	return clean + "-" + hex.EncodeToString(sum[:4])
}
