package source

import (
	"bytes"
	"path"
	"strings"
)

// Folders that are never read: what others wrote, what tools left behind, and
// what shows a server's names without defining them. Those that begin with a
// dot are not read either.
var (
	foreign = set("node_modules", "vendor", "venv", "env", "site-packages", "__pycache__", "Pods", "bower_components", "third_party", "target", "DerivedData", "obj", "coverage", "jspm_packages", "virtualenv", "deps")
	showing = set("test", "tests", "__tests__", "__mocks__", "spec", "specs", "e2e", "testdata", "test-data", "fixtures", "fixture", "mocks", "mock", "example", "examples", "sample", "samples",
		"doc", "docs", "documentation", "benchmark", "benchmarks", "bench", "benches", "cypress", "stories", "evals", "eval", "snapshots", "__snapshots__", "integration-tests", "integration_tests")
	builds = set("dist", "build", "out", "esm", "cjs", "_build", "bundle", "generated", "output")
)

// left are files that hold no source although their names end like one.
var left = []string{"package.json", "package-lock.json", "tsconfig.json", "jsconfig.json", "composer.json", "composer.lock", "deno.lock", "pnpm-lock.yaml", "pnpm-workspace.yaml", "conftest.py", "setup.py"}

// isTest reports whether a file is a test by its name.
func isTest(name string) bool {
	stem, _, _ := strings.Cut(name, ".")
	rest := strings.ToLower(name[len(stem):])
	for _, part := range []string{".test.", ".spec.", ".e2e.", ".stories.", ".bench.", ".mock."} {
		if strings.HasPrefix(rest, part) || strings.Contains(rest, part) {
			return true
		}
	}
	switch path.Ext(name) {
	case ".py":
		return strings.HasPrefix(name, "test_") || strings.HasSuffix(stem, "_test")
	case ".go":
		return strings.HasSuffix(stem, "_test")
	case ".rb":
		return strings.HasSuffix(stem, "_spec") || strings.HasSuffix(stem, "_test")
	case ".java", ".kt", ".cs", ".swift", ".php":
		return strings.HasSuffix(stem, "Test") || strings.HasSuffix(stem, "Tests") || strings.HasSuffix(stem, "IT")
	}
	return false
}

// readable reports whether a file by its name may hold source.
func readable(name string) bool {
	low := strings.ToLower(name)
	for _, other := range left {
		if low == other {
			return false
		}
	}
	for _, end := range []string{".min.js", ".min.mjs", ".d.ts", ".d.mts", ".d.cts", "-lock.json", ".lock.json"} {
		if strings.HasSuffix(low, end) {
			return false
		}
	}
	return familyOf(name) != 0 && !isTest(name) && !strings.HasPrefix(low, "changelog") && !strings.HasPrefix(low, ".")
}

// minified reports whether a file was written for machines.
func minified(src []byte) bool {
	const small, long = 4096, 400
	return len(src) > small && len(src)/(bytes.Count(src, []byte("\n"))+1) > long
}

// isGenerated reports whether a file says that a program wrote it.
func isGenerated(src []byte) bool {
	head := src[:min(len(src), 1024)]
	return bytes.Contains(head, []byte("DO NOT EDIT")) && bytes.Contains(head, []byte("enerated")) || bytes.Contains(head, []byte("@generated"))
}

func binary(src []byte) bool { return bytes.IndexByte(src[:min(len(src), 8192)], 0) >= 0 }
