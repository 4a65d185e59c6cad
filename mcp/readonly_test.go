package mcp

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

// In read-only mode, every tool that is offered is called, well and badly, and
// not one byte of the workspace changes.
func TestAReadOnlyServerWritesNothing(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	s.ask(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	recorded, err := s.engine.BeginSession(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	s.transcript = string(recorded.ID())
	if err := s.engine.Close(); err != nil {
		t.Fatal(err)
	}
	before := contents(t, s.workspace)
	engine := openEngine(t, chemigram.Options{Workspace: s.workspace, ReadOnly: true, Darktable: s.fake.CLI})
	session := connect(t, NewServer(engine, &Options{ReadOnly: true, Groups: Groups()}))
	tools, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range tools.Tools {
		arguments := exampleArguments(s, tool)
		pngs := tool.Name == "preview_mask" // which the fake darktable does not write
		if a := ask(t, session, tool.Name, arguments); !a.Success && (!pngs || a.code() != chemigram.ErrDarktable) {
			t.Errorf("%s: %+v", tool.Name, a.Error)
		}
		arguments["no_such_argument"] = 1
		if a := ask(t, session, tool.Name, arguments); a.code() != chemigram.ErrInvalidInput {
			t.Errorf("%s with an unknown argument: %+v", tool.Name, a.Error)
		}
		if diff := cmp.Diff(before, contents(t, s.workspace)); diff != "" {
			t.Fatalf("%s changed the workspace (-before +after):\n%s", tool.Name, diff)
		}
	}
}

// exampleArguments makes arguments that the image "a" can serve.
func exampleArguments(s studio, tool *sdk.Tool) map[string]any {
	known := map[string]any{
		"image_id": "a", "raw_path": s.raw, "primitive_name": "exposure", "module_name": "exposure",
		"ref_or_hash": "HEAD", "hash_a": "baseline", "hash_b": "HEAD", "name": "example",
		"mask":       map[string]any{"name": "sky_blue"},
		"session_id": s.transcript,
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

// contents gives the hash of every file below a folder.
func contents(tb testing.TB, folder string) map[string]string {
	tb.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		out[path] = info.Mode().String()
		if entry.Type().IsRegular() {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			out[path] += fmt.Sprintf(" %x", sha256.Sum256(data))
		}
		return nil
	})
	if err != nil {
		tb.Fatal(err)
	}
	return out
}
