package sarif_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// The package is for other programs, so what it exports may name no type of
// an internal package or of a library that may be replaced.
func TestExportsNoForeignType(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	exported := 0
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			for _, node := range signatures(decl) {
				exported++
				ast.Inspect(node, func(n ast.Node) bool {
					s, ok := n.(*ast.SelectorExpr)
					if !ok {
						return true
					}
					if x, ok := s.X.(*ast.Ident); ok && x.Name != "io" {
						t.Errorf("%s: an exported name uses %s.%s", name, x.Name, s.Sel.Name)
					}
					return true
				})
			}
		}
	}
	if exported != 4 {
		t.Errorf("%d exported names; a new one is a promise, count it here", exported)
	}
}

// signatures are the types of a declaration's exported names.
func signatures(decl ast.Decl) []ast.Node {
	var nodes []ast.Node
	switch d := decl.(type) {
	case *ast.FuncDecl:
		if d.Name.IsExported() && d.Recv == nil {
			nodes = append(nodes, d.Type)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch s := spec.(type) {
			case *ast.TypeSpec:
				if s.Name.IsExported() {
					nodes = append(nodes, s.Type)
				}
			case *ast.ValueSpec:
				for _, name := range s.Names {
					if name.IsExported() {
						nodes = append(nodes, s)
					}
				}
			}
		}
	}
	return nodes
}
