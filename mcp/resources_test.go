package mcp

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestResourcesAreReadable(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	exported := s.ask(t, "export_final", map[string]any{"image_id": "a"})
	if !exported.Success {
		t.Fatalf("%+v", exported.Error)
	}
	file := filepath.Base(exported.Data["output_path"].(string))
	for uri, want := range map[string]string{
		"chemigram://images":                               `"image_id":"a"`,
		"chemigram://images/a/preview/HEAD":                "\xff\xd8",
		"chemigram://images/a/preview/baseline":            "\xff\xd8",
		"chemigram://images/a/state/HEAD":                  `"modules":`,
		"chemigram://images/a/sidecar":                     `darktable:operation="exposure"`,
		"chemigram://images/a/history":                     `"op":"ingest"`,
		"chemigram://vocabulary/exposure":                  `"name":"exposure"`,
		"chemigram://tools/image_stats":                    `"description":"The 25th percentile."`,
		"chemigram://images/a/exports/" + file:             "\xff\xd8",
		"chemigram://images/a/preview/refs%2Fheads%2Fmain": "\xff\xd8",
	} {
		result, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%s: %v", uri, err)
			continue
		}
		if c := result.Contents[0]; !strings.Contains(c.Text+string(c.Blob), want) {
			t.Errorf("%s has no %q: %.200s", uri, want, c.Text)
		}
	}
	for _, uri := range []string{
		"chemigram://images/b/history", "chemigram://images/b/sidecar", "chemigram://vocabulary/nothing", "chemigram://tools/verify", "chemigram://images/a/exports/..%2F..%2Fchemigram.json",
		"chemigram://images/..%2Fa/exports/x", "chemigram://pictures/none.jpg", "chemigram://images/a/preview/nowhere",
	} {
		if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
	}
}

// The resource is the file that export_sidecar writes, byte for byte, and it
// leaves none.
func TestTheSidecarIsTheExportedOne(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, &Options{Groups: Groups()})
	s.ask(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	s.ask(t, "set_rating", map[string]any{"image_id": "a", "rating": 4})
	before := contents(t, s.workspace)
	result, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "chemigram://images/a/sidecar"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, contents(t, s.workspace)); diff != "" {
		t.Errorf("reading changed the workspace (-before +after):\n%s", diff)
	}
	exported := s.ask(t, "export_sidecar", map[string]any{"image_id": "a"})
	want, err := os.ReadFile(exported.Data["output_path"].(string))
	if err != nil {
		t.Fatal(err)
	}
	got := result.Contents[0]
	if diff := cmp.Diff(string(want), got.Text); diff != "" {
		t.Errorf("(-exported +read):\n%s", diff)
	}
	if got.MIMEType != "application/rdf+xml" || !strings.Contains(got.Text, `xmp:Rating="4"`) {
		t.Errorf("%s without the rating: %.300s", got.MIMEType, got.Text)
	}
}

func TestAnEditTellsSubscribers(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	got := make(chan string, 10)
	session := connectAs(t, NewServer(s.engine, nil), &sdk.Implementation{Name: "t", Version: "1"}, &sdk.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, req *sdk.ResourceUpdatedNotificationRequest) { got <- req.Params.URI },
	})
	const uri = "chemigram://images/a/history"
	if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	ask(t, session, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure"})
	select {
	case updated := <-got:
		if updated != uri {
			t.Errorf("told of %s", updated)
		}
	case <-time.After(10 * time.Second):
		t.Error("told of nothing in 10 s")
	}
}
