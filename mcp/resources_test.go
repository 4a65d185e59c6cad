package mcp

import (
	"context"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestResourcesAreReadable(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	exported := s.call(t, "export_final", map[string]any{"image_id": "a"})
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

func TestAResourceThatIsTooLargeIsRefused(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	folder := filepath.Join(s.workspace, "exports", "a")
	if err := os.MkdirAll(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for size, allowed := range map[int64]bool{maxResourceBytes: true, maxResourceBytes + 1: false} {
		name := fmt.Sprintf("%d.tif", size)
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Truncate(filepath.Join(folder, name), size); err != nil {
			t.Fatal(err)
		}
		_, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "chemigram://images/a/exports/" + name})
		if (err == nil) != allowed {
			t.Errorf("%d bytes: %v", size, err)
		}
	}
}

// The resource is what export_sidecar writes, byte for byte; reading it writes nothing.
func TestTheSidecarIsTheExportedOne(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, &Options{Groups: Groups()})
	s.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5})
	s.call(t, "set_rating", map[string]any{"image_id": "a", "rating": 4})
	before := testutil.Contents(t, s.workspace)
	result, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "chemigram://images/a/sidecar"})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, testutil.Contents(t, s.workspace)); diff != "" {
		t.Errorf("reading changed the workspace (-before +after):\n%s", diff)
	}
	exported := s.call(t, "export_sidecar", map[string]any{"image_id": "a"})
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

func TestAnEditNotifiesSubscribers(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	server := NewServer(s.engine, &Options{Groups: Groups()})
	handler, err := NewHTTPHandler(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	t.Cleanup(web.Close)
	editor := connect(t, server)
	for name, transport := range map[string]func() sdk.Transport{
		"in memory": func() sdk.Transport {
			ours, theirs := sdk.NewInMemoryTransports()
			if _, err := server.Connect(t.Context(), ours, nil); err != nil {
				t.Fatal(err)
			}
			return theirs
		},
		"over HTTP": func() sdk.Transport { return &sdk.StreamableClientTransport{Endpoint: web.URL} },
	} {
		got := make(chan string, 1000)
		client := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, &sdk.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, req *sdk.ResourceUpdatedNotificationRequest) { got <- req.Params.URI },
		})
		session, err := client.Connect(t.Context(), transport(), nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = session.Close() })
		for _, uri := range []string{"chemigram://images/b/history", "chemigram://images/a/preview/main"} {
			if err := session.Subscribe(t.Context(), &sdk.SubscribeParams{URI: uri}); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		// Subscribe returns before the server has subscribed the client, which then
		// misses the first edits.
		updated := ""
		testutil.WaitFor(t, "the subscriber's notification "+name, func() bool {
			callTool(t, editor, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure"})
			select {
			case updated = <-got:
				return true
			default:
				return false
			}
		})
		if updated != "chemigram://images/a/preview/main" {
			t.Errorf("%s: notified of %s", name, updated)
		}
		_ = session.Close()
	}
}

func TestImagesOfACallAreThoseThatItNamesAndMakes(t *testing.T) {
	t.Parallel()
	arguments := map[string]any{"image_id": "a", "targets": []any{"b", "c"}, "raw_path": "d"}
	made := reflect.ValueOf(chemigram.IngestResult{ImageID: "e"})
	if diff := cmp.Diff([]string{"b", "c", "a", "e"}, imagesOf(arguments, made)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for uri, want := range map[string]bool{
		"chemigram://images": true, "chemigram://images/a/history": true, "chemigram://images/e/preview/HEAD": true,
		"chemigram://images/ab/history": false, "chemigram://vocabulary/exposure": false,
	} {
		if got := showsAny(uri, []string{"e", "a"}); got != want {
			t.Errorf("%s: %v", uri, got)
		}
	}
	if showsAny("chemigram://images", nil) {
		t.Error("a call without images changes the list")
	}
}
