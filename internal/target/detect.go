package target

import "errors"

// Detect finds the MCP servers of the repository at root. It runs nothing, and
// reads a bounded number of files below root.
func Detect(root string) (Detection, error) {
	return Detection{}, errors.New("not yet")
}
