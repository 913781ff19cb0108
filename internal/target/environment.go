package target

import (
	"path"
	"strings"
)

// envExamples are files that name variables for the user to set.
var envExamples = []string{".env.example", ".env.sample", ".env.template", "env.example", ".env.dist", "example.env"}

// environment adds the variables that an example of an .env file names, and
// puts all of them in order.
func (f *finder) environment(c *candidate) {
	var more []Variable
	for _, name := range envExamples {
		file := path.Join(c.Directory, name)
		if !f.exists(file) {
			continue
		}
		for i, line := range strings.Split(string(f.source(file)), "\n") {
			key, _, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
			if key = strings.TrimSpace(key); ok && isVariable(key) && len(more) < maxVariables {
				more = append(more, Variable{Name: key, Secret: isSecret(key), Why: why(file, i+1, "an example of the environment names it")})
			}
		}
		break
	}
	c.Env = mergeEnv(c.Env, more)
}

// maxVariables bounds how many variables of an example are listed.
const maxVariables = 100
