package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/sealmark/action/internal/confine"
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

// keptCaches makes the folder of the input cache-dir, which lies in the
// checkout, and shows it to package managers.
func (p *pipeline) keptCaches(dir, workspace string) error {
	if dir == "" {
		return nil
	}
	dir = filepath.Clean(dir)
	if !filepath.IsLocal(dir) || dir == "." || workspace == "" {
		return fmt.Errorf("input cache-dir: %q must name a folder within the checkout", dir)
	}
	root, err := os.OpenRoot(workspace) // a link in the checkout can't lead out of it
	if err != nil {
		return fmt.Errorf("input cache-dir: %w", err)
	}
	defer root.Close()
	ignore := filepath.Join(dir, ".gitignore")
	if err := root.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("input cache-dir: the folder can't be made: %w", err)
	}
	if real, err := filepath.EvalSymlinks(filepath.Join(workspace, dir)); err != nil || real != resolved(workspace, dir) {
		return fmt.Errorf("input cache-dir: %q is a link to another folder", dir)
	}
	if err := root.WriteFile(ignore, []byte("*\n"), 0o644); err != nil {
		return fmt.Errorf("input cache-dir: the folder can't be written: %w", err)
	}
	for path := ignore; path != "."; path = filepath.Dir(path) {
		adopt(filepath.Join(workspace, path), workspace)
	}
	p.cache = filepath.Join(workspace, dir)
	p.caches = cacheVariables(p.cache)
	return nil
}

// resolved is a folder of the workspace by its real path, if none of the folders
// on the way is a link.
func resolved(workspace, dir string) string {
	real, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return ""
	}
	return filepath.Join(real, dir)
}

// lend gives the folder of the input cache-dir to the user of a box. It returns
// the variables that show package managers their folders, and what stands
// against it.
func (p *pipeline) lend(box *confine.Box) (caches map[string]string, notice string) {
	if p.cache == "" {
		return p.caches, ""
	}
	at, err := box.Lend(p.cache, p.root)
	if err != nil {
		return nil, "The folder of cache-dir was not used: " + err.Error() + "."
	}
	return cacheVariables(at), ""
}
