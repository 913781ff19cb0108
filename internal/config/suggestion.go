package config

import (
	"fmt"
	"strings"

	"github.com/sealmark/action/internal/nearest"
)

// suggestion ends an error about an unknown name.
func suggestion(wrong string, known []string) string {
	if name := nearest.Name(wrong, known); name != "" {
		return fmt.Sprintf(": did you mean %q?", name)
	}
	if len(known) > 0 && len(known) <= 12 {
		return ": known are " + strings.Join(known, ", ")
	}
	return ""
}
