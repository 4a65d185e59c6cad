package studio

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"image/jpeg"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/mcp"
)

func TestTheToolsOfThePageAreKnownAndNoneCanLoseAnything(t *testing.T) {
	t.Parallel()
	known := map[string]mcp.Tool{}
	for _, tool := range mcp.EngineTools(nil) {
		known[tool.Name()] = tool
	}
	for _, name := range pageTools {
		if tool, ok := known[name]; !ok || tool.Spec().Effect == mcp.Destructive {
			t.Errorf("%s is no tool, or one that can lose something", name)
		}
	}
}

func TestACallEditsAsEveryClientDoes(t *testing.T) {
	t.Parallel()
	f := newFixture(t, &Options{Actor: "anna"}).enter(t)
	if e := f.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5}); !e.Success {
		t.Fatalf("%+v", e)
	}
	log, err := f.engine.Log(t.Context(), chemigram.LogParams{ImageID: "a"})
	if err != nil || log.Entries[0].Entry != "exposure" || log.Entries[0].Actor != "anna" {
		t.Errorf("the history: %+v, %v", log.Entries, err)
	}
	if e := f.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 500}); e.Success || e.Error.Code != chemigram.ErrInvalidInput {
		t.Errorf("a value out of range: %+v", e)
	}
	for _, tool := range []string{"delete_image", "prune", "ingest", "import_sidecar", "nothing", ""} {
		if r := f.ask(t, "POST", "/call", `{"tool":"`+tool+`","arguments":{"image_id":"a"}}`, nil); r.status != http.StatusNotFound {
			t.Errorf("%q is called: %d %s", tool, r.status, r.body)
		}
	}
	for _, body := range []string{"", "{", `{"tool":3}`, `[]`, `{"tool":"log"}`, `{"tool":"log","arguments":[]}`, `{"tool":"log","arguments":"a"}`, strings.Repeat(" ", maxBody+1)} {
		if r := f.ask(t, "POST", "/call", body, nil); r.envelope(t).Success {
			t.Errorf("%.30q is answered: %s", body, r.body)
		}
	}
}

func TestAnExportTellsItsProgressAndIsFetched(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	r := f.ask(t, "POST", "/call", `{"tool":"export_final","arguments":{"image_id":"a","size":200}}`, map[string]string{"Accept": streamed})
	e := r.envelope(t)
	if !e.Success || r.header.Get("Content-Type") != streamed {
		t.Fatalf("%d %s", r.status, r.body)
	}
	path, _ := e.Data["output_path"].(string)
	file := f.ask(t, "GET", "/export?image=a&file="+filepath.Base(path), "", nil)
	if file.status != http.StatusOK || !strings.HasPrefix(file.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("the file: %d %v", file.status, file.header)
	}
	if _, err := jpeg.Decode(bytes.NewReader(file.body)); err != nil {
		t.Error(err)
	}
}

func TestPicturesOfAllKinds(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	f.call(t, "tag", map[string]any{"image_id": "a", "name": "start"})
	f.call(t, "apply_primitive", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 1})
	for name, query := range map[string]map[string]string{
		"a preview":    {"kind": "preview", "size": "120"},
		"a version":    {"kind": "preview", "size": "120", "ref": "start"},
		"a draft":      {"kind": "draft", "size": "120", "moves": `[{"primitive_name":"exposure","value":0.5}]`},
		"a difference": {"kind": "difference", "size": "120", "a": "start", "b": "HEAD"},
		"a mask":       {"kind": "mask", "size": "120", "mask": `{"shapes":[{"kind":"circle","radius":0.2}]}`},
	} {
		query["image"] = "a"
		r := f.picture(t, query, nil)
		if r.status != http.StatusOK || r.header.Get("Content-Type") != "image/jpeg" {
			t.Errorf("%s: %d %s", name, r.status, r.body)
			continue
		}
		if _, err := jpeg.Decode(bytes.NewReader(r.body)); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		text, err := strconv.Unquote(r.header.Get(resultHeader))
		if err != nil || !json.Valid([]byte(text)) || strings.Contains(text, "/") {
			t.Errorf("%s: the numbers %q, %v", name, text, err)
		}
		again := f.picture(t, query, map[string]string{"If-None-Match": r.header.Get("ETag")})
		if again.status != http.StatusNotModified || len(again.body) > 0 {
			t.Errorf("%s, asked for again with its tag: %d", name, again.status)
		}
	}
	before, err := f.engine.Log(t.Context(), chemigram.LogParams{ImageID: "a"})
	if err != nil || before.Total != 2 {
		t.Errorf("pictures have changed the history: %+v, %v", before, err)
	}
	for name, query := range map[string]map[string]string{
		"no kind":         {"image": "a"},
		"no image":        {"kind": "preview"},
		"no such image":   {"kind": "preview", "image": "b"},
		"too large":       {"kind": "preview", "image": "a", "size": "100000"},
		"no size":         {"kind": "preview", "image": "a", "size": "x"},
		"no region":       {"kind": "preview", "image": "a", "region": "[]"},
		"a field more":    {"kind": "preview", "image": "a", "region": `{"x":0,"y":0,"width":1,"height":1,"z":1}`},
		"no moves":        {"kind": "draft", "image": "a", "moves": "{}"},
		"an unknown move": {"kind": "draft", "image": "a", "moves": `[{"primitive_name":"nothing"}]`},
	} {
		if r := f.picture(t, query, nil); r.status < 400 || r.envelope(t).Success {
			t.Errorf("%s: %d", name, r.status)
		}
	}
}

func TestAReadOnlyPageChangesNothing(t *testing.T) {
	t.Parallel()
	f := newFixture(t, &Options{ReadOnly: true}).enter(t)
	for _, tool := range []string{"apply_primitive", "undo", "redo", "checkout", "branch", "tag", "set_rating", "export_final", "reset", "snapshot", "remove_module"} {
		if e := f.call(t, tool, map[string]any{"image_id": "a", "name": "x", "rating": 3}); e.Success {
			t.Errorf("%s: %+v", tool, e)
		}
	}
	if e := f.call(t, "log", map[string]any{"image_id": "a"}); !e.Success {
		t.Errorf("log: %+v", e)
	}
	if r := f.ask(t, "GET", "/about", "", nil); !strings.Contains(string(r.body), `"read_only":true`) {
		t.Errorf("about: %s", r.body)
	}
}

// listen gives the events of a connection, until the test ends.
func (f *fixture) listen(tb testing.TB, query string) <-chan string {
	tb.Helper()
	ctx, cancel := context.WithCancel(tb.Context())
	tb.Cleanup(cancel)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, f.url+"/events?"+query, http.NoBody)
	if err != nil {
		tb.Fatal(err)
	}
	resp, err := f.http.Do(req)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = resp.Body.Close() })
	if resp.StatusCode != http.StatusOK {
		return nil
	}
	events := make(chan string, 100)
	go func() {
		defer close(events)
		lines := bufio.NewScanner(resp.Body)
		lines.Buffer(nil, 1<<20)
		for event := ""; lines.Scan(); {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "event":
				event = value
			case "data":
				events <- event + " " + value
			}
		}
	}()
	return events
}

// await waits for an event in which a text is.
func await(tb testing.TB, events <-chan string, event, text string) {
	tb.Helper()
	for got := range events {
		if strings.HasPrefix(got, event+" ") && strings.Contains(got, text) {
			return
		}
	}
	tb.Fatalf("no %s with %s came", event, text)
}

func TestChangesOfOthersAreTold(t *testing.T) {
	t.Parallel()
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{})
	folder := filepath.Join(t.TempDir(), "workspace")
	f := serve(t, chemigram.Options{Darktable: fake.CLI, Workers: -1, Workspace: folder}, nil).enter(t)
	f.ingest(t, "a")
	// As another process would.
	other, err := chemigram.Open(t.Context(), &chemigram.Options{Workspace: folder, Darktable: fake.CLI, Workers: -1, Tastes: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Close() }()
	events := f.listen(t, "image=a&offset=0&limit=10")
	await(t, events, "list", `"total":1`)
	await(t, events, "image", `"op":"ingest"`)
	if _, err := other.ApplyPrimitive(t.Context(), chemigram.ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: new(0.3)}); err != nil {
		t.Fatal(err)
	}
	await(t, events, "image", `"entry":"exposure"`)
	if _, err := other.Tag(t.Context(), chemigram.TagParams{ImageID: "a", Name: "mine"}); err != nil {
		t.Fatal(err)
	}
	await(t, events, "image", `refs/tags/mine`)
	if _, err := other.SetRating(t.Context(), chemigram.SetRatingParams{ImageID: "a", Rating: new(chemigram.Rating(4))}); err != nil {
		t.Fatal(err)
	}
	await(t, events, "list", `"rating":4`)
	f.ingest(t, "b")
	await(t, events, "list", `"total":2`)
	if _, err := other.DeleteImage(t.Context(), chemigram.DeleteImageParams{ImageID: "a", Reason: "a test"}); err != nil {
		t.Fatal(err)
	}
	await(t, events, "image", `"problem"`)
}

func TestClosingEndsWhatWaits(t *testing.T) {
	t.Parallel()
	f := newFixture(t, nil).enter(t)
	events := f.listen(t, "image=a")
	await(t, events, "list", `"total"`)
	if err := f.studio.Close(); err != nil {
		t.Error(err)
	}
	for range events {
		t.Log("one more, which was on its way")
	}
	if r := f.ask(t, "GET", "/about", "", nil); r.status != http.StatusServiceUnavailable {
		t.Errorf("after Close: %d", r.status)
	}
}
