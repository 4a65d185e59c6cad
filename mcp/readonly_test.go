package mcp

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

// Every tool of a read-only server is called with valid and with invalid arguments:
// no byte of the workspace changes.
func TestAReadOnlyServerWritesNothing(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	s.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	recorded, err := s.engine.BeginSession(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.engine.Close(); err != nil {
		t.Fatal(err)
	}
	before := testutil.Contents(t, s.workspace)
	engine := openEngine(t, chemigram.Options{Workspace: s.workspace, ReadOnly: true, Darktable: s.fake.CLI})
	session := connect(t, NewServer(engine, &Options{ReadOnly: true, Groups: Groups()}))
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		if tool.Name == "list_remote_images" {
			continue // there is no remote; the server that is read-only adds none
		}
		arguments := exampleArguments(s, string(recorded.ID()), tool)
		mayFail := tool.Name == "preview_mask" || tool.Name == "suggest_start" // which need a PNG, and the fake darktable writes none
		if a := callTool(t, session, tool.Name, arguments); !a.Success && (!mayFail || a.code() != chemigram.ErrDarktable) {
			t.Errorf("%s: %+v", tool.Name, a.Error)
		}
		arguments["no_such_argument"] = 1
		if a := callTool(t, session, tool.Name, arguments); a.code() != chemigram.ErrInvalidInput {
			t.Errorf("%s with an unknown argument: %+v", tool.Name, a.Error)
		}
		if diff := cmp.Diff(before, testutil.Contents(t, s.workspace)); diff != "" {
			t.Fatalf("%s changed the workspace (-before +after):\n%s", tool.Name, diff)
		}
	}
}

// exampleArguments returns valid arguments of a tool for the image "a".
func exampleArguments(s testServer, transcript string, tool *sdk.Tool) map[string]any {
	known := map[string]any{
		"image_id": "a", "raw_path": s.raw, "primitive_name": "exposure", "module_name": "exposure",
		"ref_or_hash": "HEAD", "hash_a": "baseline", "hash_b": "HEAD", "name": "example",
		"mask":       map[string]any{"name": "sky_blue"},
		"session_id": transcript,
	}
	schema, _ := tool.InputSchema.(map[string]any)
	arguments := map[string]any{}
	for _, name := range asList(schema["required"]) {
		arguments[name.(string)] = known[name.(string)]
	}
	if tool.Name == "render_variants" {
		arguments["primitive_name"], arguments["values"] = "exposure", []float64{-0.5, 0.5}
	}
	return arguments
}
