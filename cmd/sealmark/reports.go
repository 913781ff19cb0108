package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/sealmark/action/internal/publish"
	"github.com/sealmark/action/sarif"
)

// reports writes the results, their SARIF documents and the logs of the builds
// to a new folder. The paths hold for later steps too.
func reports(all []tested, workspace, category string) ([]publish.Report, error) {
	dir, shown, err := folder(workspace)
	if err != nil {
		return nil, err
	}
	var list []publish.Report
	names := suffixes(all)
	for i, t := range all {
		own := category
		if len(all) > 1 && category != "" {
			own += "/" + t.Key
		}
		r := publish.Report{Result: t.Result, Key: sarif.Category(t.Key, own)}
		put := func(name string, data []byte) (string, error) {
			path := filepath.Join(dir, name)
			if err := save(nil, path, data); err != nil {
				return "", err
			}
			adopt(path, workspace)
			return filepath.Join(shown, name), nil
		}
		if t.Log != nil {
			if r.BuildLog, err = put("build"+names[i]+".log", t.Log); err != nil {
				return nil, err
			}
			t.Result.Volatile.BuildLog = r.BuildLog
		}
		document, err := t.Result.Marshal()
		if err != nil {
			return nil, err
		}
		o := sarif.Options{Category: own, Root: repositoryRoot()}
		findings, err := toSARIF(document, o)
		if err != nil {
			return nil, err
		}
		o.OmitAccepted = true
		if r.SARIF, err = toSARIF(document, o); err != nil {
			return nil, err
		}
		if r.ResultFile, err = put("result"+names[i]+".json", document); err != nil {
			return nil, err
		}
		if r.SARIFFile, err = put("sealmark"+names[i]+".sarif", findings); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, nil
}

// unsafe is what stands in no file's name.
var unsafe = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// suffixes tell the files of several servers apart: "" for the only one.
func suffixes(all []tested) []string {
	if len(all) == 1 {
		return []string{""}
	}
	var list []string
	used := map[string]bool{}
	for i, t := range all {
		name := "-" + unsafe.ReplaceAllString(t.Key, "-")
		for n := i + 1; used[name]; n++ {
			name = fmt.Sprintf("-%s-%d", unsafe.ReplaceAllString(t.Key, "-"), n)
		}
		used[name] = true
		list = append(list, name)
	}
	return list
}

// folder makes a folder in the checkout, which git ignores and whose name the
// code under test can't know. It is shown relative to the checkout: later
// steps see the checkout elsewhere than this container does. Without a
// checkout that can be written, it is in the temporary folder.
func folder(workspace string) (dir, shown string, err error) {
	if workspace != "" {
		dir, err = os.MkdirTemp(workspace, "sealmark-")
	}
	if workspace == "" || err != nil {
		dir, err = os.MkdirTemp("", "sealmark-")
		return dir, dir, err
	}
	if err := os.Chmod(dir, 0o755); err != nil {
		return "", "", err
	}
	ignore := filepath.Join(dir, ".gitignore")
	if err := os.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
		return "", "", err
	}
	adopt(ignore, workspace)
	adopt(dir, workspace)
	return dir, filepath.Base(dir), nil
}
