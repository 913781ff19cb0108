package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// cacheVariables are the variables that show package managers where to keep
// what they have fetched and built.
func cacheVariables(dir string) map[string]string {
	at := func(name string) string { return filepath.Join(dir, name) }
	return map[string]string{
		"npm_config_cache": at("npm"), "npm_config_store_dir": at("pnpm"), "YARN_CACHE_FOLDER": at("yarn"), "YARN_GLOBAL_FOLDER": at("yarn-berry"),
		"BUN_INSTALL_CACHE_DIR": at("bun"), "DENO_DIR": at("deno"), "COREPACK_HOME": at("corepack"),
		"UV_CACHE_DIR": at("uv"), "PIP_CACHE_DIR": at("pip"),
		"GOCACHE": at("go-build"), "GOMODCACHE": at("go-mod"),
	}
}

// deskCaches are the caches at the desk: in the folder that is given, else in
// one of Sealmark's own.
func deskCaches(dir string) map[string]string {
	if dir == "" {
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil
		}
		dir = filepath.Join(cache, "sealmark", "cache")
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil
	}
	return cacheVariables(abs)
}

// keepCaches makes the folder of the input cache-dir, which lies in the
// checkout, and gives it to whom the build runs as. done gives it back to the
// owner of the checkout.
func (p *pipeline) keepCaches(dir, workspace string) (done func(), err error) {
	if dir == "" {
		return func() {}, nil
	}
	if !filepath.IsLocal(dir) || filepath.Clean(dir) == "." || workspace == "" {
		return nil, fmt.Errorf("input cache-dir: %q must name a folder within the checkout", dir)
	}
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fmt.Errorf("input cache-dir: %w", err)
	}
	defer root.Close()
	// A link in the checkout can't lead out of it.
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("input cache-dir: the folder can't be made: %w", err)
	}
	if err := root.WriteFile(filepath.Join(dir, ".gitignore"), []byte("*\n"), 0o644); err != nil {
		return nil, fmt.Errorf("input cache-dir: the folder can't be written: %w", err)
	}
	return nil, errors.New("todo")
}

var _ fs.FileInfo
