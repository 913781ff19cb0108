package report

import (
	"fmt"
	"net/url"
	"path"
	"regexp"
	"strings"

	"github.com/sealmark/action/internal/rule"
)

// Links are what addresses on GitHub are made of. They come from the workflow
// run, never from a result.
type Links struct {
	// Server is the address of GitHub, for example "https://github.com".
	Server string
	// Repository is OWNER/NAME of the repository that has the commit. For a
	// pull request from a fork that is the base's repository: it has the head
	// commit too.
	Repository string
	// Commit is the commit whose files the places are in: the head of a pull
	// request.
	Commit string
	// Run is the address of the workflow run, where the full report is.
	Run string
}

var (
	repositoryName = regexp.MustCompile(`^[A-Za-z0-9._-]+/[A-Za-z0-9._-]+$`)
	commitID       = regexp.MustCompile(`^[0-9a-f]{40}([0-9a-f]{24})?$`)
)

// place is the address of a line at the commit, "" if it can't be made.
func (l Links) place(at rule.Location) string {
	file, ok := relative(at.Path)
	repository := l.repository()
	if !ok || repository == "" || !commitID.MatchString(l.Commit) {
		return ""
	}
	link := fmt.Sprintf("%s/blob/%s/%s", repository, l.Commit, escapedPath(file))
	if at.Line > 0 {
		link += fmt.Sprintf("#L%d", at.Line)
	}
	return link
}

// repository is the address of the repository, "" if it can't be made.
func (l Links) repository() string {
	server := address(l.Server)
	if server == "" || !repositoryName.MatchString(l.Repository) {
		return ""
	}
	return strings.TrimRight(server, "/") + "/" + l.Repository
}

// commit names the commit in Markdown, "" if it is not known.
func (l Links) commit() string {
	switch repository := l.repository(); {
	case !commitID.MatchString(l.Commit):
		return ""
	case repository == "":
		return l.Commit[:7]
	default:
		return "[" + l.Commit[:7] + "](" + repository + "/commit/" + l.Commit + ")"
	}
}

// run is the address of the workflow run, "" if there is none.
func (l Links) run() string { return address(l.Run) }

// address returns a web address that needs no escape in Markdown or HTML, or
// "".
func address(s string) string {
	u, err := url.Parse(s)
	if err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.User != nil || strings.Trim(s, addressCharacters) != "" {
		return ""
	}
	return s
}

const addressCharacters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/:"

// relative cleans a path within the repository.
func relative(file string) (clean string, ok bool) {
	if file == "" || len(file) > 1000 || strings.ContainsRune(file, 0) {
		return "", false
	}
	file = path.Clean(file)
	if path.IsAbs(file) || file == "." || file == ".." || strings.HasPrefix(file, "../") {
		return "", false
	}
	return file, true
}

// escapedPath escapes all of a path but slashes and what is unreserved (RFC
// 3986, section 2.3), so that nothing of it means anything in Markdown.
func escapedPath(file string) string {
	var b strings.Builder
	for i := range len(file) {
		switch c := file[i]; {
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c >= '0' && c <= '9', strings.IndexByte("/-._~", c) >= 0:
			b.WriteByte(c)
		default:
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
