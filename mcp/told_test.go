package mcp

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

var reference = regexp.MustCompile(`As in ([a-z_]+)|Each as in ([a-z_]+)`)

// Words that are left out of a tool are in a tool of the same list, or beside
// them; with fewer tools a tool has more words.
func TestWhatIsLeftOutIsToldInTheSameList(t *testing.T) {
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
				where := found[1] + found[2]
				listed := slices.ContainsFunc(list, func(t *sdk.Tool) bool { return t.Name == where })
				if !listed && !strings.Contains(string(text), `"`+where+`":`) {
					t.Errorf("%s: %s refers to %s, which is not in the list", name, tool.Name, where)
				}
			}
		}
	}
}

// A tool's definition leaves nothing out.
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
		var definition struct{ InputSchema, OutputSchema map[string]any }
		if err := json.Unmarshal(text, &definition); err != nil {
			t.Fatal(err)
		}
		described(t, tool.Name()+" input", definition.InputSchema, false)
		data := definition.OutputSchema["properties"].(map[string]any)["data"].(map[string]any)
		described(t, tool.Name()+" result", data, false)
	}
}
