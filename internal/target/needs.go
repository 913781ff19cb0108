package target

import (
	"slices"
	"strings"
)

// needsAlso are the programs that another one needs.
var needsAlso = map[string][]string{
	"npm": {"node"}, "npx": {"node", "npm"}, "pnpm": {"node"}, "yarn": {"node"}, "poetry": {"python3"},
	"mvn": {"java"}, "./mvnw": {"java"}, "gradle": {"java"}, "./gradlew": {"java"}, "bundle": {"ruby"}, "composer": {"php"},
}

// programsOf are those that the commands of a plan need and do not make
// themselves.
func programsOf(p Plan) []string {
	programs := []string{}
	add := func(command []string) {
		if len(command) == 0 {
			return
		}
		name := strings.TrimSuffix(command[0], ".cmd")
		programs = append(programs, needsAlso[name]...)
		if !strings.Contains(name, "/") {
			programs = append(programs, name)
		}
	}
	for _, step := range p.Build {
		add(step.Args)
	}
	for _, l := range append([]Launch{p.Launch}, p.Alternatives...) {
		add(l.Command)
	}
	slices.Sort(programs)
	return slices.Compact(programs)
}
