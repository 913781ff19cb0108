package sarif

import "compress/gzip"

// Limits over which code scanning refuses a document (GitHub documentation,
// "SARIF support for code scanning" and "SARIF results exceed one or more
// limits").
const (
	limitZipped     = 10_000_000 // bytes
	limitRuns       = 20
	limitResults    = 25_000
	limitRules      = 25_000
	limitExtensions = 100
	limitLocations  = 1000
	limitTags       = 20
	limitName       = 255  // characters
	limitText       = 1024 // characters
)

// precisions are the values of the property precision.
var precisions = []string{"very-high", "high", "medium", "low"}

// levels are the values of level; it may be absent.
var levels = []string{"", "none", "note", "warning", "error"}

// zipped is the size of the data when compressed with gzip, or an upper bound
// where that is within the limit anyway.
func zipped(data []byte) int {
	if bound := len(data) + len(data)/100 + 100; bound <= limitZipped {
		return bound
	}
	var n counter
	w := gzip.NewWriter(&n)
	w.Write(data)
	w.Close()
	return int(n)
}

// counter counts what is written to it.
type counter int

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}
