package target

import (
	"path"
	"regexp"
	"slices"
	"strings"
)

func findDocker(f *finder, file string) {
	if f.dockerfile == "" {
		f.dockerfile = file
	}
	words, line := f.entrypoint(file)
	if len(words) == 0 {
		return
	}
	t := dockerTarget(words)
	if t.name == "" || len(t.args) == 0 || slices.ContainsFunc(t.args, ofTheContainer) {
		return
	}
	f.claims = append(f.claims, claim{detector: "Dockerfile", dir: path.Dir(file), target: t, explicit: true, silent: true,
		why: why(file, line, "the container starts it with %s", shown(strings.Join(t.args, " ")))})
}

var (
	entrypointLine = regexp.MustCompile(`(?mi)^[ \t]*(ENTRYPOINT|CMD)[ \t]+(\[.*\])[ \t]*\r?$`)
	stageLine      = regexp.MustCompile(`(?mi)^[ \t]*FROM[ \t]`)
)

// entrypoint is what the last stage of a Dockerfile starts, where it is written
// as a list.
func (f *finder) entrypoint(file string) (words []string, line int) {
	data := f.source(file)
	begin := 0
	if stages := stageLine.FindAllIndex(data, -1); len(stages) > 0 {
		begin = stages[len(stages)-1][0]
	}
	parts := map[string][]string{}
	for _, m := range entrypointLine.FindAllSubmatchIndex(data[begin:], -1) {
		list, err := parseJSON(data[begin+m[4] : begin+m[5]])
		if err != nil {
			continue
		}
		parts[strings.ToUpper(string(data[begin+m[2]:begin+m[3]]))] = list.strings()
		line = 1 + strings.Count(string(data[:begin+m[0]]), "\n")
	}
	return append(parts["ENTRYPOINT"], parts["CMD"]...), line
}

// dockerTarget is the program that a container starts. Its paths are those of
// the container: only names can be known again.
func dockerTarget(words []string) target {
	i := 0
	if fileArgument(words) > 0 {
		i = fileArgument(words)
	}
	name := path.Base(words[i])
	return target{name: strings.TrimSuffix(name, path.Ext(name)), command: true, args: words[i+1:]}
}

// ofTheContainer reports whether an argument makes sense in a container only.
func ofTheContainer(word string) bool {
	return regexp.MustCompile(`(?i)http|sse|port|host|addr|listen|bind|0\.0\.0\.0|\$|^/`).MatchString(word)
}
