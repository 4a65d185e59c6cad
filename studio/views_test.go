package studio

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/mcp"
)

// viewer is a client that shows views.
func viewer(tb testing.TB, engine *chemigram.Engine, opts mcp.Options) *sdk.ClientSession {
	tb.Helper()
	opts.Views = Views(engine)
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := mcp.NewServer(engine, &opts).Connect(tb.Context(), ours, nil); err != nil {
		tb.Fatal(err)
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "viewer", Version: "1"}, &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{
		Extensions: map[string]any{mcp.ViewExtension: map[string]any{"mimeTypes": []string{mcp.ViewType}}},
	}})
	session, err := client.Connect(tb.Context(), theirs, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = session.Close() })
	return session
}

// TestAViewIsOneDocumentThatLoadsNothing reads each view as a client does.
func TestAViewIsOneDocumentThatLoadsNothing(t *testing.T) {
	t.Parallel()
	engine := serve(t, chemigram.Options{Darktable: testutil.FakeDarktable(t, testutil.FakeOptions{}).CLI, Workers: -1}, nil).engine
	session := viewer(t, engine, mcp.Options{Groups: mcp.Groups()})
	elsewhere := regexp.MustCompile(`(?:src|href|from|import|url)\s*[=(]?\s*["']?(?:https?:)?//`)
	for _, tool := range []string{"compare", "log", "preview_mask", "render_preview", "render_variants"} {
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://chemigram/" + tool})
		if err != nil {
			t.Fatal(err)
		}
		text := read.Contents[0].Text
		body := text[strings.LastIndex(text, "<style>"):]
		for what, want := range map[string]int{"<script": 1, "</script": 1, "<style": 1, "</style": 1, `data-view="` + tool + `"`: 1, "<link": 0, "import(": 0, "eval(": 0} {
			if n := strings.Count(body, what); n != want {
				t.Errorf("%s has %s %d times", tool, what, n)
			}
		}
		if elsewhere.MatchString(body) {
			t.Errorf("%s loads something: %q", tool, elsewhere.FindString(body))
		}
		if !strings.Contains(text, "default-src 'none'; img-src data:; style-src 'sha256-") || !strings.Contains(text, "Apache License") || !strings.Contains(text, "Preact") {
			t.Errorf("%s has no policy or no licences", tool)
		}
		t.Logf("%s: %d bytes", tool, len(text))
		if len(text) > 100_000 {
			t.Errorf("%s has %d bytes, more than 100,000", tool, len(text))
		}
	}
}

// TestWhatViewsCostIsBounded says what the list of tools has more for clients with views,
// and what of it agents see.
func TestWhatViewsCostIsBounded(t *testing.T) {
	t.Parallel()
	engine := serve(t, chemigram.Options{Darktable: testutil.FakeDarktable(t, testutil.FakeOptions{}).CLI, Workers: -1}, nil).engine
	listed, err := viewer(t, engine, mcp.Options{Groups: mcp.Groups()}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	more, seen := 0, 0
	var names []string
	for _, tool := range listed.Tools {
		text, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(tool.Name, "view_") {
			names = append(names, tool.Name)
			more += len(text)
		} else if tool.Meta != nil {
			meta, _ := json.Marshal(tool.Meta)
			seen += len(meta)
		}
	}
	if want := []string{"view_preview", "view_difference", "view_draft", "view_apply", "view_mask"}; !slices.Equal(names, want) {
		t.Errorf("the tools for views are %q, not %q", names, want)
	}
	t.Logf("the tools for views have %d bytes, the tools' metadata %d", more, seen)
	if more > 18_000 || seen > 600 {
		t.Errorf("views cost %d and %d bytes", more, seen)
	}
}

// TestPicturesForViewsAreData asks for pictures as views do.
func TestPicturesForViewsAreData(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil)
	session := viewer(t, f.engine, mcp.Options{Groups: mcp.Groups()})
	for tool, arguments := range map[string]map[string]any{
		"view_preview":    {"size": 64},
		"view_draft":      {"moves": []any{map[string]any{"primitive_name": "exposure", "value": 0.5}}, "size": 64},
		"view_difference": {"hash_a": "baseline", "hash_b": "HEAD", "size": 64},
	} {
		arguments["image_id"] = "a"
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		picture, ok := result.Content[len(result.Content)-1].(*sdk.ImageContent)
		if result.IsError || !ok || len(picture.Data) == 0 {
			t.Errorf("%s: %+v", tool, result.Content[0])
		}
	}
	result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "view_draft", Arguments: map[string]any{"image_id": "a", "moves": []any{}, "size": 1 << 20}})
	if err != nil || !result.IsError {
		t.Errorf("a picture of a million pixels on its side: %+v, %v", result, err)
	}
}
