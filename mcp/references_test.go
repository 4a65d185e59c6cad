package mcp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var reference = regexp.MustCompile(`As in ([a-z_]+)'s`)

// A tool refers only to tools of the same list, or to other fields of its own; in a
// shorter list it has more descriptions.
func TestReferencesAreWithinOneList(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]*Options{
		"default": nil, "all": {Groups: Groups()}, "read-only": {ReadOnly: true},
		"masks": {Groups: []Group{Masks}}, "expert": {Groups: []Group{Expert}},
	} {
		list := listTools(t, NewServer(nil, opts))
		for _, tool := range list {
			text, err := json.Marshal(tool)
			if err != nil {
				t.Fatal(err)
			}
			for _, found := range reference.FindAllStringSubmatch(string(text), -1) {
				place := found[1]
				listed := slices.ContainsFunc(list, func(t *sdk.Tool) bool { return t.Name == place })
				if !listed && !strings.Contains(string(text), `"`+place+`":`) {
					t.Errorf("%s: %s refers to %s, which is not in the list", name, tool.Name, place)
				}
			}
		}
	}
}

func TestOneToolOfAListSaysWhatATimeLimitIs(t *testing.T) {
	t.Parallel()
	for name, opts := range map[string]*Options{
		"default": nil, "all": {Groups: Groups()}, "read-only": {ReadOnly: true}, "masks": {Groups: []Group{Masks}}, "expert": {Groups: []Group{Expert}},
	} {
		limits, say := 0, 0
		for _, tool := range listTools(t, NewServer(nil, opts)) {
			properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
			if limit, ok := properties["timeout_seconds"].(map[string]any); ok {
				limits++
				if limit["description"] == "Limits darktable's time." {
					say++
				}
			}
		}
		if limits == 0 || say != 1 {
			t.Errorf("%s: of %d tools with a time limit %d say what it limits, want one", name, limits, say)
		}
	}
}

// A tool's definition has no references.
func TestADefinitionDescribesEveryField(t *testing.T) {
	t.Parallel()
	for _, tool := range EngineTools(nil) {
		text, err := json.Marshal(tool.Definition())
		if err != nil {
			t.Fatal(err)
		}
		if found := reference.FindString(string(text)); found != "" {
			t.Errorf("%s says %q", tool.Name(), found)
		}
		if strings.Count(string(text), `"timeout_seconds"`) != strings.Count(string(text), "imits darktable's time") {
			t.Errorf("%s does not say what its time limit limits", tool.Name())
		}
		var definition struct{ InputSchema, OutputSchema map[string]any }
		if err := json.Unmarshal(text, &definition); err != nil {
			t.Fatal(err)
		}
		checkDescribed(t, tool.Name()+" input", definition.InputSchema)
		checkResultDescribed(t, tool.Name()+" result", definition.OutputSchema)
	}
}
