package config

import (
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/sealmark/action/internal/rule"
)

// contractKeys say which tools may be called with arguments that are nearly
// valid, and which are only watched.
var contractKeys = []rule.Key{
	{Name: "contract.reach", Type: rule.Enum, Default: "auto", Enum: []string{"auto", "read-only", "all"}, Flag: "--contract-reach",
		Meaning: "Which tools get calls that are nearly valid, so that a server which ignores their one fault carries them out. read-only means tools that declare readOnlyHint and those of contract.allow_tools; all means every tool, for a server that can do no harm. auto is all for a server that runs as a user of its own in a copy of the checkout, as in the container, and was given no variables with env, and read-only for any other."},
	{Name: "contract.allow_tools", Type: rule.Texts, Default: nil, Nullable: true, Flag: "--contract-allow-tools",
		Meaning: "Tools that may get nearly valid calls although they do not declare readOnlyHint, as names in which * stands for any text. The flag takes several with commas between them."},
	{Name: "contract.observe_tools", Type: rule.Texts, Default: nil, Nullable: true, Locked: true,
		Meaning: "Tools for which findings of argument-contract are shown but count neither for the score nor for the gate, as names in which * stands for any text."},
}

// Contract holds the settings of the contract pack.
type Contract struct {
	// Reach is auto, read-only or all.
	Reach string
	// AllowTools and ObserveTools are patterns of tool names.
	AllowTools, ObserveTools []string
}

// contract fills the settings of the pack.
func (c *Config) contract() Contract {
	list := func(name string) []string {
		names, _ := c.value(name).([]string)
		return names
	}
	return Contract{
		Reach:      c.value("contract.reach").(string),
		AllowTools: list("contract.allow_tools"), ObserveTools: list("contract.observe_tools"),
	}
}

// MayWrite reports whether a tool that may write can be called with arguments
// that are nearly valid.
func (c Contract) MayWrite(tool string) bool {
	return c.Reach == "all" || matchesAny(c.AllowTools, tool)
}

// Observed reports whether findings of a tool count for nothing.
func (c Contract) Observed(tool string) bool { return matchesAny(c.ObserveTools, tool) }

func matchesAny(patterns []string, name string) bool {
	for _, p := range patterns {
		if Matches(p, name) {
			return true
		}
	}
	return false
}

// Matches reports whether a name fits a pattern, in which * stands for any
// text, none included.
func Matches(pattern, name string) bool {
	parts := strings.Split(pattern, "*")
	if len(parts) == 1 {
		return pattern == name
	}
	rest, ok := strings.CutPrefix(name, parts[0])
	if !ok {
		return false
	}
	for _, part := range parts[1 : len(parts)-1] {
		_, after, found := strings.Cut(rest, part)
		if !found {
			return false
		}
		rest = after
	}
	return strings.HasSuffix(rest, parts[len(parts)-1])
}

// group reads the settings below a name of their own.
func (r *reader) group(n ast.Node, group string) {
	known := names(Keys, group+".")
	for _, entry := range r.entries(n, group) {
		name := textOf(entry)
		at := keyIndex(group + "." + name)
		if at < 0 {
			r.fail(entry.Key, group+"."+name, "unknown key %s of %s%s", quoted(name), group, suggestion(name, known))
			continue
		}
		r.set(Keys[at], entry.Value)
	}
}

// list reads a list of texts; one text is a list of one.
func (r *reader) list(n ast.Node, key string) (any, bool) {
	switch n := n.(type) {
	case *ast.NullNode:
		return nil, true
	case *ast.SequenceNode:
		list := []string{}
		for _, item := range n.Values {
			text, ok := r.text(item, key)
			if !ok {
				return nil, false
			}
			list = append(list, text)
		}
		return list, true
	}
	text, ok := r.text(n, key)
	return []string{text}, ok
}
