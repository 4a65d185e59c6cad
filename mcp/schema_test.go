package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// clientSchemas returns the two schemas of each tool as a client reads them.
func clientSchemas(t *testing.T) map[string]map[string]any {
	t.Helper()
	out := map[string]map[string]any{}
	for _, tool := range listTools(t, NewServer(nil, &Options{Groups: Groups(), Tools: []Tool{destructiveTool(nil)}})) {
		out[tool.Name+" input"], _ = tool.InputSchema.(map[string]any)
		out[tool.Name+" output"], _ = tool.OutputSchema.(map[string]any)
	}
	return out
}

// The restrictions of all known clients.
func TestSchemasArePortable(t *testing.T) {
	t.Parallel()
	for name, schema := range clientSchemas(t) {
		if schema["type"] != "object" {
			t.Errorf("%s: its type is %v, not object", name, schema["type"])
		}
		for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not", "$ref", "$defs"} {
			if schema[keyword] != nil {
				t.Errorf("%s: %s at its top", name, keyword)
			}
		}
		checkPortable(t, name, "", schema)
		if strings.HasSuffix(name, "input") {
			checkClosed(t, name, schema)
		}
	}
}

// checkPortable checks a schema, which is at a place of a tool's schema of that name.
func checkPortable(t *testing.T, name, at string, schema any) {
	t.Helper()
	s, ok := schema.(map[string]any)
	if !ok {
		t.Errorf("%s%s: a schema that is %v, not an object", name, at, schema)
		return
	}
	for _, keyword := range []string{"$ref", "$defs", "oneOf", "allOf", "patternProperties", "const", "not"} {
		if s[keyword] != nil {
			t.Errorf("%s%s: uses %s", name, at, keyword)
		}
	}
	_, typed := s["type"].(string)
	if options, ok := s["anyOf"].([]any); ok {
		null := options[len(options)-1].(map[string]any)
		if len(options) != 2 || null["type"] != "null" {
			t.Errorf("%s%s: anyOf says more than X or null", name, at)
		}
		checkPortable(t, name, at, options[0])
	} else if !typed {
		t.Errorf("%s%s: its type is %v, not one word", name, at, s["type"])
	}
	properties, _ := s["properties"].(map[string]any)
	for key, property := range properties {
		checkPortable(t, name, at+"/"+key, property)
	}
	if items, ok := s["items"]; ok || s["type"] == "array" {
		checkPortable(t, name, at+"/[]", items)
	}
	if extra, ok := s["additionalProperties"]; ok && extra != false {
		checkPortable(t, name, at+"/{}", extra)
	}
	required, _ := s["required"].([]any)
	for _, key := range required {
		if properties[key.(string)] == nil {
			t.Errorf("%s%s: requires %v, which it does not have", name, at, key)
		}
	}
}

// checkClosed checks that objects of arguments allow only the properties that they
// name.
func checkClosed(t *testing.T, name string, s map[string]any) {
	t.Helper()
	properties, named := s["properties"].(map[string]any)
	if s["type"] == "object" && named && s["additionalProperties"] != false {
		t.Errorf("%s: allows arguments that it does not name", name)
	}
	for key, property := range properties {
		checkClosed(t, name+"/"+key, property.(map[string]any))
	}
}

func TestEnvelopesRequireSuccessAlone(t *testing.T) {
	t.Parallel()
	for name, schema := range clientSchemas(t) {
		if !strings.HasSuffix(name, "output") {
			continue
		}
		if got := fmt.Sprint(schema["required"]); got != "[success]" {
			t.Errorf("%s requires %s", name, got)
		}
	}
}

// In lists, fields of results whose description would only repeat their name have none.
func TestEveryFieldIsDescribed(t *testing.T) {
	t.Parallel()
	for name, schema := range clientSchemas(t) {
		output := strings.HasSuffix(name, "output")
		if output {
			schema = schema["properties"].(map[string]any)["data"].(map[string]any)
		}
		checkDescribed(t, name, schema, output)
	}
	for name, text := range docs.Fields {
		if text == "" {
			t.Errorf("docs.json does not describe %s", name)
		}
	}
}

// checkDescribed checks that the properties of a schema are described.
func checkDescribed(t *testing.T, name string, s map[string]any, optional bool) {
	t.Helper()
	for _, option := range asList(s["anyOf"]) {
		checkDescribed(t, name, option.(map[string]any), optional)
	}
	for _, inner := range []string{"items", "additionalProperties"} {
		if inner, ok := s[inner].(map[string]any); ok {
			checkDescribed(t, name, inner, optional)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for key, property := range properties {
		p := property.(map[string]any)
		text, _ := p["description"].(string)
		field := name + "/" + key
		switch {
		case text == "" && optional:
		case text == "":
			t.Errorf("%s is not described: %q", field, text)
		case !strings.HasSuffix(text, "."):
			t.Errorf("%s: its description is no sentence: %q", field, text)
		case p["maximum"] != nil && !strings.Contains(text, fmt.Sprint(p["maximum"])):
			t.Errorf("%s: its description does not say the range: %q", field, text)
		}
		if !strings.HasSuffix(text, "As in apply_primitive's mask.") {
			checkDescribed(t, field, p, optional)
		}
	}
}

func asList(v any) []any {
	list, _ := v.([]any)
	return list
}

// camelCase matches Go names, and not KiB.
var camelCase = regexp.MustCompile(`\b[A-Z][a-z]+[A-Z]\w+\b`)

func TestDescriptionsSpeakOfToolsNotOfGo(t *testing.T) {
	t.Parallel()
	check := func(name, text string) {
		for _, word := range camelCase.FindAllString(text, -1) {
			t.Errorf("%s says %q", name, word)
		}
	}
	for name, text := range docs.Verbs {
		check(name, text)
	}
	for name, text := range docs.Fields {
		check(name, text)
	}
	check("instructions", instructions)
}

func TestTheInstructionsAreShort(t *testing.T) {
	t.Parallel()
	if n := strings.Count(instructions, "\n"); n >= 60 {
		t.Errorf("the instructions have %d lines, want under 60", n)
	}
	for _, tool := range regexp.MustCompile("`([a-z_]+)`").FindAllStringSubmatch(instructions, -1) {
		if !slices.ContainsFunc(EngineTools(nil), func(t Tool) bool { return t.Name() == tool[1] }) {
			t.Errorf("the instructions speak of %s, which is no tool", tool[1])
		}
	}
}

// An agent has the list in its context all the time.
func TestTheDefaultToolsFitAnAgentsContext(t *testing.T) {
	t.Parallel()
	tools, bytes, words := measureList(t)
	t.Logf("tools/list of the default groups: %d tools, %d bytes, %d words", tools, bytes, words)
	if bytes > 60_000 || words > 12_000 {
		t.Errorf("tools/list has %d bytes and %d words, want at most 60,000 and 12,000", bytes, words)
	}
}

// measureList returns the size of the default groups' tools/list.
func measureList(t *testing.T) (tools, bytes, words int) {
	t.Helper()
	list := listTools(t, NewServer(nil, nil))
	data, err := json.Marshal(sdk.ListToolsResult{Tools: list})
	if err != nil {
		t.Fatal(err)
	}
	return len(list), len(data), len(regexp.MustCompile(`[A-Za-z0-9]+`).FindAll(data, -1))
}

func TestAllHintsAndTitlesAreSet(t *testing.T) {
	t.Parallel()
	for _, tool := range listTools(t, NewServer(nil, &Options{Groups: Groups()})) {
		a := tool.Annotations
		if tool.Title == "" || a == nil || a.DestructiveHint == nil || a.OpenWorldHint == nil {
			t.Errorf("%s lacks a title or a hint: %+v", tool.Name, a)
		}
	}
}
