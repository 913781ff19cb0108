// Package protocol holds the checks of pack protocol: what a server says of
// itself, and how it answers what no conforming client would send.
package protocol

import (
	"slices"

	"github.com/sealmark/action/internal/rule"
)

// The revisions that the checks of this pack judge, oldest first.
var revisions = []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"}

const site = "https://modelcontextprotocol.io/specification/"

// cite returns the reference to a section of each revision. page is the path
// of the page with its fragment.
func cite(section, page string, of ...string) []rule.Reference {
	list := make([]rule.Reference, 0, len(of))
	for _, revision := range of {
		list = append(list, rule.Reference{Title: "Model Context Protocol", Revision: revision, Section: section, URL: site + revision + "/" + page})
	}
	return list
}

// since lists the revisions from the given one on.
func since(revision string) []string {
	return revisions[slices.Index(revisions, revision):]
}
