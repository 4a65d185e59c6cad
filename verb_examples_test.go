package chemigram

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Every verb is shown in use.
func TestEveryVerbHasAnExample(t *testing.T) {
	t.Parallel()
	shown := exampleNames(t)
	verbs := 0
	for method := range reflect.TypeFor[*Engine]().Methods() {
		if !isVerb(method.Type) {
			continue
		}
		verbs++
		if !shown["ExampleEngine_"+method.Name] {
			t.Errorf("Engine.%s has no ExampleEngine_%s", method.Name, method.Name)
		}
	}
	if verbs == 0 {
		t.Error("the engine has no verbs")
	}
}

// isVerb reports whether a method of the engine takes a context and parameters,
// and gives a result and an error.
func isVerb(method reflect.Type) bool {
	return method.NumIn() == 3 && method.In(1) == reflect.TypeFor[context.Context]() &&
		method.In(2).Kind() == reflect.Struct &&
		method.NumOut() == 2 && method.Out(0).Kind() == reflect.Struct && method.Out(1) == reflect.TypeFor[error]()
}

// exampleNames are the functions of this package's tests that are examples.
func exampleNames(t *testing.T) map[string]bool {
	t.Helper()
	files, err := filepath.Glob("*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{}
	for _, file := range files {
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range parsed.Decls {
			if f, ok := decl.(*ast.FuncDecl); ok && f.Recv == nil && strings.HasPrefix(f.Name.Name, "Example") {
				names[f.Name.Name] = true
			}
		}
	}
	return names
}
