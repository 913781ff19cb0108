package source

import (
	"os"
	"path"
	"slices"
	"strings"
)

// entryOf is the file or folder of the repository that a command launches, ""
// if it names none. own: it launches something of the repository; what has to
// be built first need not be there.
func entryOf(root *os.Root, dir string, command []string) (entry string, own bool) {
	for i, arg := range command {
		arg, relative := inRoot(root.Name(), dir, arg)
		if arg == "" || i > 0 && !relative && familyOf(arg) == 0 {
			continue
		}
		code := i == 0 && relative || familyOf(arg) != 0 && familyOf(arg) != document || slices.Contains([]string{".jar", ".dll", ".exe"}, path.Ext(arg))
		info, err := root.Stat(arg)
		switch {
		case code && familyOf(arg) == 0 && !within(arg, dir): // where a workspace is built
			own = true
		case err == nil && (code && info.Mode().IsRegular() || info.IsDir() && arg != dir && holdsCode(root, arg)):
			return arg, true
		case err != nil && code:
			for up := path.Dir(arg); up != "." && up != dir; up = path.Dir(up) {
				if info, err := root.Stat(up); err == nil && info.IsDir() {
					return up, true
				}
			}
			if entry == "" && within(arg, dir) {
				entry = arg
			}
			own = true
		}
	}
	return entry, own
}

// inRoot is a word of a command as a path in the repository, "" if it can't
// be one. relative: it is written as a path.
func inRoot(root, dir, arg string) (name string, relative bool) {
	arg, root = strings.ReplaceAll(arg, `\`, "/"), strings.ReplaceAll(root, `\`, "/")
	if arg == "" || arg[0] == '-' || strings.Contains(arg, "://") || len(arg) > 500 {
		return "", false
	}
	relative = strings.Contains(arg, "/") && arg[0] != '@'
	if rest, ok := strings.CutPrefix(arg, root+"/"); ok {
		arg = rest
	} else if path.IsAbs(arg) || strings.Contains(arg, ":/") {
		return "", false
	} else {
		arg = path.Join(dir, arg)
	}
	if arg == ".." || strings.HasPrefix(arg, "../") || strings.Contains("/"+arg, "/node_modules/") {
		return "", false
	}
	return arg, relative
}

// holdsCode reports whether there is source directly in a folder.
func holdsCode(root *os.Root, dir string) bool {
	f, err := root.Open(dir)
	if err != nil {
		return false
	}
	defer f.Close()
	names, _ := f.Readdirnames(1000)
	return slices.ContainsFunc(names, func(n string) bool { return familyOf(n) != 0 && familyOf(n) != document })
}

// named returns the package whose name the command has, as in npx NAME.
func (x *index) named(command []string) (dir string, ok bool) {
	for _, arg := range command {
		arg, _, _ = strings.Cut(strings.TrimPrefix(arg, "@"), "@")
		for at, h := range x.homes {
			if h.name != "" && strings.TrimPrefix(h.name, "@") == arg && (!ok || at < dir) {
				dir, ok = at, true
			}
		}
	}
	return dir, ok
}

// programs are the folders of the programs of Go among the files.
func programs(files []*file) map[string]bool {
	found := map[string]bool{}
	for _, f := range files {
		if f.family == golang && (strings.HasPrefix(f.src, "package main") || strings.Contains(f.src, "\npackage main")) {
			found[folderOf(f.path)] = true
		}
	}
	return found
}

func folderOf(name string) string {
	if name = path.Dir(name); name == "." {
		return ""
	}
	return name
}

// madeFrom is the folder of the program that the binary of a command is made from,
// which by custom has its name; "" if that is none or one of several in the
// folder of the server. A name without a folder is not of the repository.
func (x *index) madeFrom(root, dir string, command []string) string {
	if len(command) == 0 {
		return ""
	}
	binary, relative := inRoot(root, dir, command[0])
	if !relative {
		return ""
	}
	name, made := strings.TrimSuffix(path.Base(binary), ".exe"), ""
	for program := range x.programs {
		if path.Base(program) != name || !within(program, dir) {
			continue
		}
		if made != "" {
			return ""
		}
		made = program
	}
	return made
}

// programOf is the folder of the program that an entry is or lies in, "" for
// none.
func (x *index) programOf(entry string) string {
	if familyOf(entry) == golang {
		entry = folderOf(entry)
	}
	if x.programs[entry] {
		return entry
	}
	return ""
}

// otherProgram reports whether a file belongs to a program that is not the one
// which is launched.
func (x *index) otherProgram(f *file) bool {
	dir := folderOf(f.path)
	return x.program != "" && f.family == golang && dir != x.program && x.programs[dir]
}
