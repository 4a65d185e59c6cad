package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/jpeg"
	"io"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

// someViews are views of two tools, with a tool that reads, one that writes and one that
// writes what the default groups do not.
func someViews(e *chemigram.Engine) []View {
	document := func(tools []string) []byte {
		return []byte("<!doctype html><title>a view</title>" + strings.Join(tools, " "))
	}
	engines := map[string]Tool{}
	for _, tool := range EngineTools(e) {
		engines[tool.Name()] = tool
	}
	look := Bind(Spec{Name: "view_look", Title: "Look", Description: "Gives a picture.", Effect: Read},
		func(ctx context.Context, p chemigram.RenderPreviewParams) (chemigram.RenderPreviewResult, error) {
			return e.RenderPreview(ctx, p)
		})
	return []View{
		{Tool: "log", Title: "History", Description: "The history.", HTML: document, Tools: []Tool{look}},
		{Tool: "compare", Title: "Compare", Description: "Two versions.", HTML: document, Tools: []Tool{
			look, engines["apply_primitive"].ForViews("view_apply", "Applies a move."), engines["set_rating"].ForViews("view_rate", "Rates."),
		}},
		{Tool: "render_variants", Title: "Variants", Description: "Ideas.", HTML: document},
	}
}

var withViewsClient = &sdk.ClientOptions{Capabilities: &sdk.ClientCapabilities{Extensions: map[string]any{
	ViewExtension: map[string]any{"mimeTypes": []string{ViewType}},
}}}

// wire is a connection to a server on which lines are sent and read as they are.
type wire struct {
	testing.TB
	in  io.Writer
	out *bufio.Reader
}

func dial(tb testing.TB, server *sdk.Server) *wire {
	tb.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	session, err := server.Connect(tb.Context(), &sdk.IOTransport{Reader: toServer, Writer: fromServer}, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = in.Close(); _ = out.Close(); _ = session.Close() })
	return &wire{TB: tb, in: in, out: bufio.NewReader(out)}
}

// ask sends a request and returns the line of its answer.
func (w *wire) ask(id int, method, params string) string {
	w.Helper()
	if _, err := fmt.Fprintf(w.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", id, method, params); err != nil {
		w.Fatal(err)
	}
	line, err := w.out.ReadString('\n')
	if err != nil {
		w.Fatalf("%s %s: %v", method, params, err)
	}
	return line
}

// unaware are the capabilities of clients that show no views.
var unaware = map[string]string{
	"none":                  `{}`,
	"another extension":     `{"extensions":{"io.example/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`,
	"views of another type": `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/uri-list"]}}}`,
	"experimental":          `{"experimental":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`,
}

// TestClientsThatShowNoViewsGetTodaysAnswers compares the bytes of every answer with those
// of a server that has no views.
func TestClientsThatShowNoViewsGetTodaysAnswers(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	s.call(t, "apply_primitive", about(map[string]any{"primitive_name": "exposure", "value": 0.3}))
	s.call(t, "compare", about(map[string]any{"hash_a": "baseline", "hash_b": "HEAD"}))
	requests := [][2]string{
		{"tools/list", `{}`},
		{"resources/list", `{}`},
		{"resources/templates/list", `{}`},
		{"prompts/list", `{}`},
		{"tools/call", `{"name":"log","arguments":{"image_id":"a"}}`},
		{"tools/call", `{"name":"compare","arguments":{"image_id":"a","hash_a":"baseline","hash_b":"HEAD"}}`},
		{"tools/call", `{"name":"view_look","arguments":{"image_id":"a"}}`},
		{"tools/call", `{"name":"view_apply","arguments":{"image_id":"a","primitive_name":"exposure"}}`},
		{"resources/read", `{"uri":"ui://chemigram/log"}`},
		{"resources/read", `{"uri":"chemigram://tools/view_look"}`},
		{"completion/complete", `{"ref":{"type":"ref/resource","uri":"chemigram://tools/{tool}"},"argument":{"name":"tool","value":"view"}}`},
	}
	for name, capabilities := range unaware {
		for _, revision := range []string{"2025-06-18", "2026-07-28"} {
			t.Run(name+" "+revision, func(t *testing.T) {
				t.Parallel()
				without, with := dial(t, NewServer(s.engine, nil)), dial(t, NewServer(s.engine, &Options{Views: someViews(s.engine)}))
				client := `{"name":"tester","version":"1"}`
				meta := ""
				begin := [2]string{"initialize", fmt.Sprintf(`{"protocolVersion":%q,"clientInfo":%s,"capabilities":%s}`, revision, client, capabilities)}
				if revision == "2026-07-28" {
					meta = fmt.Sprintf(`"_meta":{"io.modelcontextprotocol/protocolVersion":%q,"io.modelcontextprotocol/clientInfo":%s,"io.modelcontextprotocol/clientCapabilities":%s}`,
						revision, client, capabilities)
					begin = [2]string{"server/discover", `{}`}
				}
				for id, request := range append([][2]string{begin}, requests...) {
					params := request[1]
					if meta != "" {
						params = strings.Replace(strings.TrimSuffix(params, "}")+","+meta+"}", "{,", "{", 1)
					}
					want, got := without.ask(id, request[0], params), with.ask(id, request[0], params)
					if got != want {
						t.Errorf("%s %s:\n%s", request[0], request[1], cmp.Diff(want, got))
					}
					if strings.Contains(got, ViewExtension) || strings.Contains(got, "ui/resourceUri") {
						t.Errorf("%s %s tells of views: %s", request[0], request[1], got)
					}
				}
			})
		}
	}
}

// TestViewsAreForClientsThatShowThem lists the views, reads one and calls its tools.
func TestViewsAreForClientsThatShowThem(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	server := NewServer(s.engine, &Options{Views: someViews(s.engine), Transcripts: true})
	plain := listTools(t, server)
	session := connectAs(t, server, &sdk.Implementation{Name: "viewer", Version: "1"}, withViewsClient)
	if _, announced := session.InitializeResult().Capabilities.Extensions[ViewExtension]; !announced {
		t.Error("the server does not say that it has views")
	}
	listed, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var forViews []string
	for _, tool := range listed.Tools {
		ui, _ := tool.Meta["ui"].(map[string]any)
		switch i := slices.IndexFunc(plain, func(p *sdk.Tool) bool { return p.Name == tool.Name }); {
		case i < 0:
			forViews = append(forViews, tool.Name)
			if diff := cmp.Diff(map[string]any{"visibility": []any{"app"}}, ui); diff != "" {
				t.Errorf("%s is not for views alone: %s", tool.Name, diff)
			}
		case tool.Name == "log" || tool.Name == "compare":
			uri := "ui://chemigram/" + tool.Name
			if ui["resourceUri"] != uri || tool.Meta["ui/resourceUri"] != uri {
				t.Errorf("%s points to %v and %v", tool.Name, ui["resourceUri"], tool.Meta["ui/resourceUri"])
			}
			tool.Meta = nil
			fallthrough
		default:
			if diff := cmp.Diff(plain[i], tool); diff != "" {
				t.Errorf("%s (-without views +with):\n%s", tool.Name, diff)
			}
		}
	}
	// set_rating is not offered, so that views do not rate.
	if diff := cmp.Diff([]string{"view_look", "view_apply"}, forViews); diff != "" {
		t.Errorf("the tools for views (-want +got):\n%s", diff)
	}
	resources, err := session.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 3 {
		t.Errorf("resources: %+v, %v", resources, err)
	}
	read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://chemigram/compare"})
	if err != nil {
		t.Fatal(err)
	}
	if got := read.Contents[0]; got.MIMEType != ViewType || !strings.HasPrefix(got.Text, "<!doctype html>") || !strings.Contains(got.Text, " view_apply") || got.Meta["ui"] == nil {
		t.Errorf("the view is %+v", got)
	}
	if _, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://chemigram/render_variants"}); err == nil {
		t.Error("there is a view of a tool that is not offered")
	}
	r, result := callToolResult(t, t.Context(), session, "view_look", map[string]any{"image_id": "a"})
	if _, picture := result.Content[len(result.Content)-1].(*sdk.ImageContent); !r.Success || !picture {
		t.Errorf("the picture is %+v", result)
	}
	if r := callTool(t, session, "view_apply", map[string]any{"image_id": "a", "primitive_name": "exposure", "value": 0.5}); !r.Success {
		t.Errorf("view_apply: %+v", r.Error)
	}
	log, err := s.engine.Log(t.Context(), chemigram.LogParams{ImageID: "a"})
	if err != nil || log.Entries[0].Entry != "exposure" || log.Entries[0].Op != "apply_primitive" {
		t.Errorf("the newest version is %+v, %v", log.Entries[0], err)
	}
	// So that the session can be replayed.
	recorded, err := s.engine.ListTranscripts(t.Context(), chemigram.ListTranscriptsParams{})
	if err != nil || len(recorded.Transcripts) == 0 {
		t.Fatal(recorded, err)
	}
	calls, err := s.engine.ReadTranscript(t.Context(), chemigram.ReadTranscriptParams{SessionID: recorded.Transcripts[0].SessionID})
	if err != nil || calls.Calls[len(calls.Calls)-1].Verb != "apply_primitive" {
		t.Errorf("the call is recorded as %+v, %v", calls.Calls, err)
	}
	if r := callTool(t, session, "view_apply", map[string]any{"image_id": "a", "primitive_name": "exposur"}); r.code() != chemigram.ErrNotFound {
		t.Errorf("a move that there is not: %+v", r)
	}
}

// Revision 2026-07-28 wants to be told that an answer is whole, and older ones do not know of
// that: those about views are like all others.
func TestAnswersAboutViewsAreThoseOfTheirRevision(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	const announced = `{"extensions":{"io.modelcontextprotocol/ui":{"mimeTypes":["text/html;profile=mcp-app"]}}}`
	for _, revision := range []string{"2025-11-25", "2026-07-28"} {
		w := dial(t, NewServer(s.engine, &Options{Views: someViews(s.engine)}))
		meta := ""
		if revision == "2026-07-28" {
			meta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":` + announced + `}`
		} else {
			w.ask(0, "initialize", `{"protocolVersion":"2025-11-25","clientInfo":{"name":"t","version":"1"},"capabilities":`+announced+`}`)
		}
		for method, requests := range map[string][2]string{
			"resources/read": {`"uri":"ui://chemigram/log"`, `"uri":"chemigram://images"`},
			"tools/call":     {`"name":"view_look","arguments":{"image_id":"a"}`, `"name":"render_preview","arguments":{"image_id":"a"}`},
		} {
			var ours, theirs struct{ Result map[string]any }
			if err := errors.Join(
				json.Unmarshal([]byte(w.ask(1, method, "{"+requests[0]+meta+"}")), &ours),
				json.Unmarshal([]byte(w.ask(2, method, "{"+requests[1]+meta+"}")), &theirs)); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(slices.Sorted(maps.Keys(theirs.Result)), slices.Sorted(maps.Keys(ours.Result))); diff != "" || ours.Result["resultType"] != theirs.Result["resultType"] {
				t.Errorf("%s %s: %v; the fields (-of others +of views):\n%s", revision, method, ours.Result["resultType"], diff)
			}
		}
	}
}

// Over HTTP a client says with each request of the newest revision what it can; of older
// ones nothing is known, and they get no views.
func TestViewsOverHTTP(t *testing.T) {
	t.Parallel()
	engine := openEngine(t, chemigram.Options{})
	handler, err := NewHTTPHandler(NewServer(engine, &Options{Views: someViews(engine)}), nil)
	if err != nil {
		t.Fatal(err)
	}
	web := httptest.NewServer(handler)
	defer web.Close()
	for name, opts := range map[string]*sdk.ClientOptions{"views": withViewsClient, "none": nil} {
		session, err := sdk.NewClient(&sdk.Implementation{Name: name, Version: "1"}, opts).
			Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL}, nil)
		if err != nil {
			t.Fatal(err)
		}
		listed, err := session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		has := slices.ContainsFunc(listed.Tools, func(tool *sdk.Tool) bool { return tool.Name == "view_look" })
		text, err := json.Marshal(listed)
		if has != (name == "views") || strings.Contains(string(text), "ui/resourceUri") != has || err != nil {
			t.Errorf("%s: has views: %v, %v", name, has, err)
		}
		_ = session.Close()
	}
}

// Views do no more than the server's own tools.
func TestViewsOfAReadOnlyServerChangeNothing(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	for name, opts := range map[string]*Options{
		"read-only": {ReadOnly: true}, "without apply_primitive": {Names: []string{"compare", "undo"}},
	} {
		opts.Views = someViews(s.engine)
		session := connectAs(t, NewServer(s.engine, opts), &sdk.Implementation{Name: "viewer", Version: "1"}, withViewsClient)
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "view_apply", Arguments: map[string]any{"image_id": "a", "primitive_name": "exposure"}}); err == nil {
			t.Errorf("%s: a view applies a move", name)
		}
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://chemigram/compare"})
		if err != nil || strings.Contains(read.Contents[0].Text, "view_apply") {
			t.Errorf("%s: the view may apply: %+v, %v", name, read, err)
		}
	}
}

// A view gets a larger picture than an agent, and no link to a file.
func TestPicturesForViewsAreBounded(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	path := filepath.Join(t.TempDir(), "noise.jpg")
	noise, random := image.NewGray(image.Rect(0, 0, 1200, 1200)), rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = byte(random.Uint32())
	}
	var file bytes.Buffer
	if err := jpeg.Encode(&file, noise, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, file.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	type result struct {
		JPEGPath string `json:"jpeg_path"`
	}
	noisy := func(name string) Tool {
		return Bind(Spec{Name: name, Title: "Noise", Description: "Gives noise.", Effect: Read},
			func(context.Context, struct{}) (result, error) { return result{path}, nil })
	}
	server := NewServer(nil, &Options{Groups: []Group{}, Tools: []Tool{noisy("noise")}, Views: []View{{
		Tool: "noise", Title: "Noise", Description: "Noise.", HTML: func([]string) []byte { return nil }, Tools: []Tool{noisy("view_noise")},
	}}})
	session := connectAs(t, server, &sdk.Implementation{Name: "viewer", Version: "1"}, withViewsClient)
	for name, bounds := range map[string][3]int{"noise": {75_000, 150_000, 3}, "view_noise": {350_000, 700_000, 2}} {
		_, answer := callToolResult(t, t.Context(), session, name, map[string]any{})
		picture, ok := answer.Content[1].(*sdk.ImageContent)
		if !ok || len(picture.Data) < bounds[0] || len(picture.Data) > bounds[1] || len(answer.Content) != bounds[2] {
			t.Errorf("%s: %d blocks, %d bytes", name, len(answer.Content), len(picture.Data))
		}
	}
}

// A server of a program's own offers views, too, and keeps what it has.
func TestViewsOfAProgramsOwnServer(t *testing.T) {
	t.Parallel()
	engine := openEngine(t, chemigram.Options{})
	server := sdk.NewServer(&sdk.Implementation{Name: "own", Version: "1"}, &sdk.ServerOptions{PageSize: 7})
	AddTools(server, engine, &Options{Views: someViews(engine)})
	session := connectAs(t, server, &sdk.Implementation{Name: "viewer", Version: "1"}, withViewsClient)
	names := map[string]int{}
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		names[tool.Name]++
	}
	if names["view_look"] != 1 || names["compare"] != 1 {
		t.Errorf("the tools are %v", names)
	}
	taken := sdk.NewServer(&sdk.Implementation{Name: "own", Version: "1"}, nil)
	sdk.AddTool(taken, &sdk.Tool{Name: "view_look"}, func(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
		return nil, nil, nil
	})
	defer func() {
		if recover() == nil {
			t.Error("a tool of the server's own is replaced")
		}
	}()
	AddTools(taken, engine, &Options{Views: someViews(engine)})
}
