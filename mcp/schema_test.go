package mcp

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
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
		for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not", "$ref"} {
			if schema[keyword] != nil {
				t.Errorf("%s: %s at its top", name, keyword)
			}
		}
		defs, _ := schema["$defs"].(map[string]any)
		for key, def := range defs {
			checkPortable(t, name, "/$defs/"+key, def)
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
	if ref, ok := s["$ref"].(string); ok {
		if !strings.HasSuffix(name, "output") || !strings.HasPrefix(ref, "#/$defs/") {
			t.Errorf("%s%s: refers to %s", name, at, ref)
		}
		return
	}
	for _, keyword := range []string{"oneOf", "allOf", "patternProperties", "const", "not"} {
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

func TestEveryFieldIsDescribed(t *testing.T) {
	t.Parallel()
	for name, schema := range clientSchemas(t) {
		if strings.HasSuffix(name, "output") {
			checkResultDescribed(t, name, schema)
		} else {
			checkDescribed(t, name, schema)
		}
	}
	for name, text := range docs.Fields {
		if text == "" {
			t.Errorf("docs.json does not describe %s", name)
		}
	}
}

// checkResultDescribed checks that the fields of a result are described.
func checkResultDescribed(t *testing.T, name string, output map[string]any) {
	t.Helper()
	checkDescribed(t, name, output["properties"].(map[string]any)["data"].(map[string]any))
	defs, _ := output["$defs"].(map[string]any)
	for key, def := range defs {
		checkDescribed(t, name+"/$defs/"+key, def.(map[string]any))
	}
}

// checkDescribed checks that the properties of a schema are described.
func checkDescribed(t *testing.T, name string, s map[string]any) {
	t.Helper()
	for _, option := range asList(s["anyOf"]) {
		checkDescribed(t, name, option.(map[string]any))
	}
	for _, inner := range []string{"items", "additionalProperties"} {
		if inner, ok := s[inner].(map[string]any); ok {
			checkDescribed(t, name, inner)
		}
	}
	properties, _ := s["properties"].(map[string]any)
	for key, property := range properties {
		p := property.(map[string]any)
		text, _ := p["description"].(string)
		field := name + "/" + key
		switch {
		case text == "" && key == "timeout_seconds":
			// One tool of the list describes it: see TestOneToolOfAListSaysWhatATimeLimitIs.
		case text == "":
			t.Errorf("%s is not described", field)
		case !strings.HasSuffix(text, "."):
			t.Errorf("%s: its description is no sentence: %q", field, text)
		}
		if !reference.MatchString(text) {
			checkDescribed(t, field, p)
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

// An agent has the names, the descriptions and the arguments of all tools in its
// context all the time; the schemas of results are for programs.
func TestTheDefaultToolsFitAnAgentsContext(t *testing.T) {
	t.Parallel()
	tools, shown, results := measureList(t)
	t.Logf("the %d tools of the default groups: %d bytes are shown, results have %d", tools, shown, results)
	if shown > 32<<10 || results > 64<<10 {
		t.Errorf("%d bytes are shown, want at most 32 KiB; schemas of results have %d, want at most 64 KiB", shown, results)
	}
}

// measureList returns the number of the default groups' tools, the bytes of what an
// agent is shown of them, and of the schemas of their results.
func measureList(t *testing.T) (tools, shown, results int) {
	t.Helper()
	list := listTools(t, NewServer(nil, nil))
	for _, tool := range list {
		input, err := json.Marshal(tool.InputSchema)
		if err != nil {
			t.Fatal(err)
		}
		output, err := json.Marshal(tool.OutputSchema)
		if err != nil {
			t.Fatal(err)
		}
		shown += len(tool.Name) + len(tool.Description) + len(input)
		results += len(output)
	}
	return len(list), shown, results
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
