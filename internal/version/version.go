// Package version says which build of Sealmark is running.
package version

import "runtime/debug"

// release is set by the linker for released builds.
var release = ""

// String returns the released version, else that of the module, else 0.0.0-dev.
func String() string {
	if release != "" {
		return release
	}
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" && info.Main.Version != "(devel)" {
		return info.Main.Version
	}
	return "0.0.0-dev"
}
