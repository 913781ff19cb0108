package confine

import (
	"bytes"
	"fmt"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

// gitFiles and gitFolders are what is copied of a Git folder: the objects and
// what names them. Hooks, logs, credentials and all else are left out.
var (
	gitFiles   = []string{"HEAD", "packed-refs", "shallow", "index", "ORIG_HEAD", "info/exclude", "info/sparse-checkout"}
	gitFolders = []string{"refs", "objects", "reftable"}
)

// git copies a Git folder without what gives access to other places. A file
// in its stead is copied if it names the folder of a submodule; the one of a
// worktree names a folder outside, and is dropped.
func (c *copier) git(name string, top bool) error {
	info, err := c.from.Lstat(name)
	switch {
	case err != nil:
		return nil
	case info.IsDir():
		return c.into(name, func() error { return c.gitFolder(name, 0) })
	case !info.Mode().IsRegular() || top:
		return nil
	}
	text, err := c.read(name)
	dir, ok := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
	if err != nil || !ok || filepath.IsAbs(dir) || !filepath.IsLocal(path.Join(path.Dir(name), filepath.ToSlash(dir))) {
		return nil
	}
	return c.file(name)
}

func (c *copier) gitFolder(dir string, depth int) error {
	if depth > 20 {
		return nil
	}
	for _, name := range gitFiles {
		name = path.Join(dir, name)
		if _, err := c.from.Lstat(name); err != nil {
			continue
		}
		if err := c.to.MkdirAll(path.Dir(name), 0o700); err != nil {
			return err
		}
		if err := c.file(name); err != nil {
			return err
		}
	}
	for _, name := range gitFolders {
		if err := c.raw(path.Join(dir, name), 0); err != nil {
			return err
		}
	}
	if config, err := c.read(path.Join(dir, "config")); err == nil && len(config) <= maxConfig {
		if err := c.to.WriteFile(path.Join(dir, "config"), harmlessConfig(config), 0o600); err != nil {
			return err
		}
	}
	return c.into(path.Join(dir, "modules"), func() error { return c.modules(path.Join(dir, "modules"), depth) })
}

// modules copies the Git folders of submodules, whose names may hold slashes.
func (c *copier) modules(dir string, depth int) error {
	entries, err := c.list(dir)
	if err != nil || depth > 20 {
		return err
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		fill := func() error { return c.modules(name, depth+1) }
		if _, err := c.from.Lstat(path.Join(name, "HEAD")); err == nil {
			fill = func() error { return c.gitFolder(name, depth+1) }
		}
		if err := c.into(name, fill); err != nil {
			return err
		}
	}
	return nil
}

// raw copies a folder as it is.
func (c *copier) raw(dir string, depth int) error {
	if depth > maxDepth {
		return nil
	}
	return c.into(dir, func() error {
		entries, err := c.list(dir)
		if err != nil {
			return err
		}
		for _, e := range entries {
			name := path.Join(dir, e.Name())
			if err := c.ctx.Err(); err != nil {
				return err
			}
			if e.IsDir() {
				err = c.raw(name, depth+1)
			} else if e.Type().IsRegular() {
				err = c.file(name)
			}
			if err != nil && !os.IsNotExist(err) {
				return err
			}
		}
		return nil
	})
}

// settings are the keys of a Git configuration that are kept, as they are if
// their value is a plain word.
var settings = map[string]bool{
	"core.repositoryformatversion": true, "core.filemode": true, "core.bare": true, "core.ignorecase": true, "core.symlinks": true,
	"core.precomposeunicode": true, "core.autocrlf": true, "core.eol": true, "core.sparsecheckout": true, "core.sparsecheckoutcone": true,
	"extensions.objectformat": true, "extensions.refstorage": true,
	"remote.fetch": true, "branch.remote": true, "branch.merge": true, "submodule.active": true,
}

var (
	section = regexp.MustCompile(`^\[\s*([A-Za-z0-9.-]+)(?:\s+"([A-Za-z0-9._/ -]{1,200})")?\s*\]\s*$`)
	setting = regexp.MustCompile(`^([A-Za-z][A-Za-z0-9-]*)\s*=\s*"?([A-Za-z0-9+*:._/@~%?=&-]{1,500})"?\s*$`)
	scp     = regexp.MustCompile(`^(?:git@)?[A-Za-z0-9.-]+:[A-Za-z0-9._/~-]+$`)
)

// Bounds of a configuration of Git: one that is larger is left out.
const (
	maxConfig = 1 << 20
	maxLine   = 1000
)

// harmlessConfig is a Git configuration with the keys that describe the
// repository, and without any that runs a program, reads another file or
// holds a credential. It is written anew, so that nothing else comes along.
func harmlessConfig(config []byte) []byte {
	var out bytes.Buffer
	kind, header := "", ""
	for line := range strings.Lines(string(config)) {
		if line = strings.TrimSpace(line); len(line) > maxLine {
			continue
		}
		if m := section.FindStringSubmatch(line); m != nil {
			kind, header = strings.ToLower(m[1]), "["+m[1]+"]\n"
			if m[2] != "" {
				header = fmt.Sprintf("[%s %q]\n", m[1], m[2])
			}
			continue
		}
		if strings.HasPrefix(line, "[") {
			kind = "" // one that is not understood
			continue
		}
		m := setting.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value, ok := harmlessValue(kind+"."+strings.ToLower(m[1]), m[2])
		if !ok {
			continue
		}
		out.WriteString(header)
		header = ""
		fmt.Fprintf(&out, "\t%s = %s\n", m[1], value)
	}
	return out.Bytes()
}

func harmlessValue(key, value string) (string, bool) {
	switch {
	case settings[key]:
		return value, !strings.Contains(value, "@")
	case key == "core.worktree":
		return value, !filepath.IsAbs(value)
	case key != "remote.url" && key != "submodule.url":
		return "", false
	case scp.MatchString(value) && !strings.Contains(value, "://"):
		return value, true
	}
	u, err := url.Parse(value)
	if err != nil || u.Scheme == "" || u.Host == "" {
		return value, err == nil && u.Scheme == "" && !strings.Contains(value, "@")
	}
	return (&url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}).String(), true
}
