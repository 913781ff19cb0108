package config

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Elsewhere is the configuration of the same server in another version of the
// repository, whose files lie in folder. How the server is built and launched
// is read from the file of that version; flags win over it, and all that
// verdicts rest on stays as it is here. root is the repository here.
func (c *Config) Elsewhere(root, folder string) (*Config, error) {
	s := c.sources
	if s.Static || c.URL != "" && len(c.Command) == 0 {
		return nil, errors.New("a server that is not started here can't be started there either")
	}
	for _, word := range s.Command {
		if _, inside := under(root, word); inside && filepath.IsAbs(word) {
			return nil, fmt.Errorf("the command names a file of this checkout, %s: name it relative to the working directory", quoted(word))
		}
	}
	directory, ok := under(root, s.Directory)
	if !ok {
		return nil, errors.New("the working directory is not in the repository")
	}
	at := filepath.Join(folder, directory)
	if s.Directory != "" {
		s.Directory = at // else the file of the other version may name one
	}
	if s.Within != "" {
		s.Within = folder
	}
	if s.Path != NoFile {
		var err error
		if s.Path, err = c.fileIn(root, folder, at); err != nil {
			return nil, err
		}
	}
	list, err := BuildAll(s, c.checks)
	if err != nil {
		return nil, err
	}
	i := slices.IndexFunc(list, func(o *Config) bool { return o.Name == c.Name })
	if i < 0 && len(list) == 1 {
		i = 0
	}
	if i < 0 {
		return nil, fmt.Errorf("no server of the name %s is listed there", quoted(c.Name))
	}
	there, here := list[i], *c
	here.Name, here.All, here.Command, here.URL, here.Directory = there.Name, there.All, there.Command, there.URL, there.Directory
	if here.Directory == "" {
		here.Directory = at
	}
	here.Build, here.Env, here.BuildEnv = there.Build, there.Env, there.BuildEnv
	here.Secrets = maps.Clone(c.Secrets)
	maps.Copy(here.Secrets, there.Secrets)
	return &here, nil
}

// fileIn is the configuration file of the other version: at the same place, or
// where one is looked for.
func (c *Config) fileIn(root, folder, directory string) (string, error) {
	if rel, ok := under(root, c.Path); ok && c.Path != "" {
		path := filepath.Join(folder, rel)
		if _, err := os.Lstat(path); err == nil {
			return path, nil
		}
	}
	for _, dir := range []string{directory, folder} {
		path, err := find(dir)
		if path, ok := under(folder, path); ok && path != "." {
			return filepath.Join(folder, path), err
		}
		if err != nil {
			return "", err
		}
	}
	return NoFile, nil
}

// under returns a path relative to a folder, if it lies in it; a relative path
// is one of the current folder.
func under(folder, path string) (string, bool) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", false
	}
	rel, err := filepath.Rel(folder, abs)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", false
	}
	return rel, true
}
