package mcp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/mcp/internal/snake"
)

// excluded are verbs of the engine that are no tools on purpose, with the reason.
var excluded = map[string]string{
	"ReadSidecar": "it is the resource chemigram://images/{image_id}/sidecar; agents read describe_state, which is shorter",
}

func TestEveryVerbIsAToolOrExcluded(t *testing.T) {
	t.Parallel()
	tools := map[string]Tool{}
	for _, tool := range EngineTools(nil) {
		tools[tool.Name()] = tool
	}
	verbs := map[string]bool{}
	engine := reflect.TypeFor[*chemigram.Engine]()
	for method := range engine.Methods() {
		if !isVerb(method.Type) {
			continue
		}
		name := snake.Case(method.Name)
		verbs[name] = true
		tool, served := tools[name]
		switch reason := excluded[method.Name]; {
		case !served && reason == "":
			t.Errorf("Engine.%s is neither in the table nor in the list of exclusions", method.Name)
		case served && reason != "":
			t.Errorf("Engine.%s is excluded (%s) and in the table", method.Name, reason)
		case served && tool.spec.Description != docs.Verbs[method.Name]:
			t.Errorf("tool %s is not described by Engine.%s's comment", name, method.Name)
		}
	}
	for name := range tools {
		if !verbs[name] {
			t.Errorf("tool %s is named like no verb of the engine", name)
		}
	}
}

// isVerb reports whether a method of the engine takes a context and parameters, and
// returns a result and an error.
func isVerb(method reflect.Type) bool {
	return method.NumIn() == 3 && method.In(1) == reflect.TypeFor[context.Context]() &&
		method.In(2).Kind() == reflect.Struct &&
		method.NumOut() == 2 && method.Out(0).Kind() == reflect.Struct && method.Out(1) == reflect.TypeFor[error]()
}

func TestAServerOffersTheToolsOfItsGroups(t *testing.T) {
	t.Parallel()
	for _, group := range Groups() {
		var want []string
		for _, tool := range EngineTools(nil) {
			if tool.spec.Group == group {
				want = append(want, tool.Name())
			}
		}
		slices.Sort(want)
		var got []string
		for _, tool := range listTools(t, NewServer(nil, &Options{Groups: []Group{group}})) {
			got = append(got, tool.Name)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("group %s (-want +got):\n%s", group, diff)
		}
	}
}

func TestAReadOnlyServerOffersOnlyReaders(t *testing.T) {
	t.Parallel()
	effects := map[string]Effect{}
	for _, tool := range EngineTools(nil) {
		effects[tool.Name()] = tool.spec.Effect
	}
	tools := listTools(t, NewServer(nil, &Options{ReadOnly: true, Groups: Groups()}))
	if len(tools) == 0 {
		t.Fatal("it offers nothing")
	}
	for _, tool := range tools {
		if effects[tool.Name] != Read || !tool.Annotations.ReadOnlyHint {
			t.Errorf("it offers %s, whose effect is %s", tool.Name, effects[tool.Name])
		}
	}
}

// The golden files show a change of the tools in review.
func TestToolsAreAsTheirGoldenFilesSay(t *testing.T) {
	t.Parallel()
	const folder = "testdata/tools"
	known := map[string]bool{}
	all := EngineTools(nil)
	for _, tool := range all {
		path := filepath.Join(folder, tool.Name()+".json")
		known[filepath.Base(path)] = true
		got, err := json.MarshalIndent(tool.define(referencesFor(tool.Name(), all)), "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, '\n')
		if *update {
			if err := os.MkdirAll(folder, 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), string(got)); diff != "" {
			t.Errorf("%s; if it is meant, run go test ./mcp -update (-golden +got):\n%s", tool.Name(), diff)
		}
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if known[file.Name()] {
			continue
		}
		if *update {
			_ = os.Remove(filepath.Join(folder, file.Name()))
		} else {
			t.Errorf("%s describes no tool", file.Name())
		}
	}
}
