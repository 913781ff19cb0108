// Package mergebase finds the commit that a change starts from and writes its
// files to a folder. It runs git to read, and nothing of the repository: no
// hook, no filter, no file system monitor, no credential helper. The checkout
// may be of another user, and its content hostile.
package mergebase

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// ErrShallow: the history that is needed is not in the checkout.
var ErrShallow = errors.New("the history is not in the checkout: set fetch-depth: 0 at actions/checkout")

// ErrSame: what is checked out is the base.
var ErrSame = errors.New("what is checked out is the base itself")

// Repository is a checkout.
type Repository struct {
	// Root is its folder.
	Root string
}

// objectID matches a commit's name, SHA-1 or SHA-256.
var objectID = regexp.MustCompile(`^([0-9a-f]{40}|[0-9a-f]{64})$`)

// git prepares a command of git that reads the repository. It gets a small
// environment, no configuration but the repository's own, and of that nothing
// that starts a program.
func (r Repository) git(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "git", append([]string{
		"-c", "safe.directory=*", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull, "-c", "core.alternateRefsCommand=",
		"-c", "protocol.allow=never", "-c", "credential.helper=", "-c", "core.pager=cat", "-c", "gc.auto=0", "--no-replace-objects",
	}, args...)...)
	cmd.Dir = r.Root
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.DevNull, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull,
		"GIT_TERMINAL_PROMPT=0", "GIT_NO_LAZY_FETCH=1", "GIT_OPTIONAL_LOCKS=0"}
	if root := os.Getenv("SystemRoot"); root != "" {
		cmd.Env = append(cmd.Env, "SystemRoot="+root)
	}
	return cmd
}

// line runs git and returns the one line that it writes.
func (r Repository) line(ctx context.Context, args ...string) (string, error) {
	cmd := r.git(ctx, args...)
	var out, complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaint
	if err := cmd.Run(); err != nil {
		if ctx.Err() != nil {
			return "", ctx.Err()
		}
		if errors.Is(err, exec.ErrNotFound) {
			return "", errors.New("git is not installed")
		}
		return "", fmt.Errorf("git %s: %w: %.200q", args[0], err, strings.TrimSpace(complaint.String()))
	}
	return strings.TrimSpace(out.String()), nil
}

// branches are where the base is looked for if nobody names it.
var branches = []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"}

// Find returns the last commit that what is checked out and the base have in
// common. base is a commit or the full name of a ref, "" for the main branch.
// Its error is ErrShallow, ErrSame, or says what git said.
func (r Repository) Find(ctx context.Context, base string) (string, error) {
	head, err := r.commit(ctx, "HEAD")
	if err != nil {
		return "", fmt.Errorf("there is no commit to find the base of: %w", err)
	}
	candidates := []string{base}
	if base == "" {
		candidates = branches
	}
	var tip string
	for _, name := range candidates {
		if !objectID.MatchString(name) && !strings.HasPrefix(name, "refs/") {
			return "", fmt.Errorf("%.100q is neither a commit nor the full name of a ref", name)
		}
		if tip, err = r.commit(ctx, name); err == nil {
			break
		}
	}
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case tip == "" && base == "":
		return "", errors.New("there is no branch main or master to compare with")
	case tip == "":
		return "", ErrShallow
	}
	common, err := r.line(ctx, "merge-base", head, tip)
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case err != nil || !objectID.MatchString(common):
		return "", ErrShallow
	case common == head:
		return "", ErrSame
	}
	return common, nil
}

// commit returns the name of a commit that is in the repository.
func (r Repository) commit(ctx context.Context, name string) (string, error) {
	id, err := r.line(ctx, "rev-parse", "--verify", "--quiet", "--end-of-options", name+"^{commit}")
	if err == nil && !objectID.MatchString(id) {
		err = fmt.Errorf("git rev-parse said %.100q", id)
	}
	if err != nil {
		return "", err
	}
	return id, nil
}
