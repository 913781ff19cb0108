package config

import "github.com/sealmark/action/internal/rule"

// The ways to come by a base.
const (
	// CompareFile: a file that holds the base's result, if there is one.
	CompareFile = "file"
	// CompareBuild: the merge base is built and run too.
	CompareBuild = "build"
	// CompareOff: no comparison.
	CompareOff = "off"
)

// compareKeys say what a run is compared with, and what of it is accepted.
var compareKeys = []rule.Key{
	{Name: "compare", Type: rule.Enum, Default: CompareFile, Enum: []string{CompareFile, CompareBuild, CompareOff}, Flag: "--compare",
		Meaning: "Where the base comes from that the run is compared with. file is the baseline, or .sealmark/baseline.json in the repository, if there is one; build builds and runs the merge base too; off compares with nothing."},
	{Name: "baseline", Type: rule.String, Default: "", Flag: "--baseline",
		Meaning: "The result of the base, as a file that run --json wrote or a folder that holds result.json. In the file it is relative to the configuration file."},
	{Name: "new_only", Type: rule.Bool, Default: false, Flag: "--new-only",
		Meaning: "Only findings that the base does not have, or has with a milder severity, fail the run. Without a base that can be compared with, all do. min_score, min_grade and min_coverage hold as before."},
	{Name: "accept", Type: rule.List, Default: nil, Nullable: true,
		Meaning: "Findings that the maintainers live with, each with a reason. They stay visible and keep their points lost, but fail no gate and cap no letter."},
}
