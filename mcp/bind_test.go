package mcp

import (
	"bytes"
	stdcmp "cmp"
	"context"
	"encoding/json"
	"errors"
	"image"
	"image/jpeg"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/mcp/internal/snake"
)

// probeParams are the parameters of a verb that returns what it was called with.
type probeParams struct {
	ID      chemigram.ImageID  `json:"id" jsonschema:"a name"`
	Count   int64              `json:"count,omitempty" jsonschema:"a whole number"`
	Size    chemigram.Size     `json:"size,omitempty" default:"1024" jsonschema:"a size"`
	Factor  *float64           `json:"factor,omitempty" jsonschema:"a number"`
	Values  map[string]float64 `json:"values,omitempty" jsonschema:"numbers by name"`
	Tags    []string           `json:"tags,omitempty" jsonschema:"words"`
	Region  *chemigram.Region  `json:"region,omitempty" jsonschema:"a part"`
	Quality string             `json:"quality,omitempty" jsonschema:"free text"`
}

type probeResult struct {
	Got   probeParams    `json:"got" jsonschema:"what was decoded"`
	List  []string       `json:"list" jsonschema:"always nil"`
	Map   map[string]int `json:"map" jsonschema:"always nil"`
	Empty *string        `json:"empty" jsonschema:"always null"`
}

var probeSpec = Spec{Name: "probe", Title: "Probe", Description: "Returns its arguments.", Effect: Read}

func probe(verb func(context.Context, probeParams) (probeResult, error)) Tool {
	return Bind(probeSpec, verb)
}

func echo(_ context.Context, p probeParams) (probeResult, error) { return probeResult{Got: p}, nil }

// serve connects a client to a server of the default tools and some more.
func serve(tb testing.TB, tools ...Tool) *sdk.ClientSession {
	tb.Helper()
	return serveWith(tb, Options{}, tools...)
}

// serveWith is serve with other options than the default.
func serveWith(tb testing.TB, opts Options, tools ...Tool) *sdk.ClientSession {
	tb.Helper()
	opts.Tools = tools
	return connect(tb, NewServer(nil, &opts))
}

func TestListsInResultsAreNeverNull(t *testing.T) {
	t.Parallel()
	a := callTool(t, serve(t, probe(echo)), "probe", map[string]any{"id": "a"})
	want := map[string]any{
		"got":  map[string]any{"id": "a", "size": 1024.0},
		"list": []any{}, "map": map[string]any{}, "empty": nil,
	}
	if diff := cmp.Diff(want, a.Data); diff != "" {
		t.Errorf("data (-want +got):\n%s", diff)
	}
}

func TestAnErrorOfTheEngineKeepsItsDetails(t *testing.T) {
	t.Parallel()
	for _, code := range chemigram.Codes() {
		session := serve(t, probe(func(context.Context, probeParams) (probeResult, error) {
			return probeResult{}, &chemigram.Error{
				Op: "probe", Code: code, Message: "it is wrong", Recoverable: true,
				Details: chemigram.Details{"kind": "thing"}, Err: errors.New("the cause"),
			}
		}))
		a := callTool(t, session, "probe", map[string]any{"id": "a"})
		if a.code() != code || a.Error.Message != "it is wrong" || !a.Error.Recoverable || a.Error.Details["kind"] != "thing" {
			t.Errorf("%s became %+v", code, a.Error)
		}
	}
}

func TestAnErrorWithoutACodeIsAStateError(t *testing.T) {
	t.Parallel()
	session := serve(t, probe(func(context.Context, probeParams) (probeResult, error) {
		return probeResult{}, errors.New("something else")
	}))
	a := callTool(t, session, "probe", map[string]any{"id": "a"})
	if a.code() != chemigram.ErrState || a.Error.Message != "something else" || a.Error.Details == nil {
		t.Errorf("got %+v", a.Error)
	}
}

func TestAPanicFailsOnlyItsCall(t *testing.T) {
	t.Parallel()
	var log lockedBuffer
	server := NewServer(nil, &Options{
		Logger: slog.New(slog.NewTextHandler(&log, nil)),
		Tools: []Tool{probe(func(_ context.Context, p probeParams) (probeResult, error) {
			if p.ID == "bad" {
				panic("the verb is broken")
			}
			return probeResult{Got: p}, nil
		})},
	})
	session := connect(t, server)
	a := callTool(t, session, "probe", map[string]any{"id": "bad"})
	incident, _ := a.Error.Details["incident"].(string)
	if a.code() != chemigram.ErrState || a.Error.Recoverable || incident == "" {
		t.Fatalf("got %+v", a.Error)
	}
	if text := log.String(); !strings.Contains(text, incident) || !strings.Contains(text, "bind_test.go") {
		t.Errorf("the log lacks the incident or its stack:\n%s", text)
	}
	if a := callTool(t, session, "probe", map[string]any{"id": "good"}); !a.Success {
		t.Errorf("the next call fails: %+v", a.Error)
	}
}

func TestAResultThatCannotBeEncodedIsAnIncident(t *testing.T) {
	t.Parallel()
	type result struct {
		Number float64 `json:"number" jsonschema:"a number"`
	}
	session := serve(t, Bind(probeSpec, func(context.Context, probeParams) (result, error) {
		zero := 0.0
		return result{Number: 1 / zero}, nil
	}))
	a := callTool(t, session, "probe", map[string]any{"id": "a"})
	if a.code() != chemigram.ErrState || a.Error.Details["incident"] == nil {
		t.Errorf("got %+v", a.Error)
	}
}

// noise returns a JPEG of noise, which compresses badly.
func noise(t *testing.T, width, height int) []byte {
	t.Helper()
	m, random := image.NewGray(image.Rect(0, 0, width, height)), rand.New(rand.NewPCG(1, 2))
	for i := range m.Pix {
		m.Pix[i] = byte(random.Uint32())
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: 92}); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Every picture is shown within the budget; one that had to be made smaller for that
// is linked, too.
func TestEveryPictureIsShown(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	type result struct {
		JPEGPath string `json:"jpeg_path" jsonschema:"a path"`
	}
	folder := t.TempDir()
	for _, c := range []struct {
		name   string
		data   []byte
		budget int
		whole  bool
	}{
		{"small", noise(t, 300, 200), 0, true},
		{"large", noise(t, 1000, 700), 0, false},
		{"a small budget", noise(t, 300, 200), 20_000, false},
		{"a budget that is too small", noise(t, 300, 200), 1, false},
		{"a large budget", noise(t, 1000, 700), 4_000_000, true},
	} {
		path := filepath.Join(folder, c.name+".jpg")
		if err := os.WriteFile(path, c.data, 0o666); err != nil {
			t.Fatal(err)
		}
		session := serveWith(t, Options{PictureBytes: c.budget}, Bind(probeSpec, func(context.Context, probeParams) (result, error) {
			return result{path}, nil
		}))
		_, got := callToolResult(t, t.Context(), session, "probe", map[string]any{"id": "a"})
		shown, ok := got.Content[1].(*sdk.ImageContent)
		if !ok || shown.MIMEType != "image/jpeg" {
			t.Fatalf("%s: a block of type %T", c.name, got.Content[1])
		}
		if _, err := jpeg.Decode(bytes.NewReader(shown.Data)); err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if limit := max(minPictureBytes, stdcmp.Or(c.budget, DefaultPictureBytes)); len(shown.Data) > limit {
			t.Errorf("%s: %d bytes, more than %d", c.name, len(shown.Data), limit)
		}
		if c.whole {
			if len(got.Content) != 2 || !bytes.Equal(shown.Data, c.data) {
				t.Errorf("%s: %d blocks, %d bytes instead of %d", c.name, len(got.Content), len(shown.Data), len(c.data))
			}
			continue
		}
		link, ok := got.Content[2].(*sdk.ResourceLink)
		if !ok || *link.Size != int64(len(c.data)) {
			t.Fatalf("%s: linked as %+v", c.name, got.Content[2])
		}
		read, err := session.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: link.URI})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(read.Contents[0].Blob, c.data) {
			t.Errorf("%s: the link leads to another picture", c.name)
		}
	}
}

func TestTwoToolsOfOneNamePanic(t *testing.T) {
	t.Parallel()
	defer func() {
		if message, _ := recover().(string); !strings.Contains(message, "probe") {
			t.Errorf("recovered %q", message)
		}
	}()
	NewServer(nil, &Options{Tools: []Tool{probe(echo), probe(echo)}})
}

func TestAnInvalidSpecPanics(t *testing.T) {
	t.Parallel()
	valid := Spec{Name: "x", Title: "X", Description: "X.", Effect: Read}
	for name, change := range map[string]func(*Spec){
		"no effect":      func(s *Spec) { s.Effect = "" },
		"no title":       func(s *Spec) { s.Title = "" },
		"no description": func(s *Spec) { s.Description = "" },
		"no such group":  func(s *Spec) { s.Group = "nothing" },
	} {
		spec := valid
		change(&spec)
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			Bind(spec, echo)
		}()
	}
}

func TestSixtyFourCallsAtOnce(t *testing.T) {
	t.Parallel()
	const calls = 64
	var all sync.WaitGroup
	all.Add(calls)
	session := serve(t, probe(func(_ context.Context, p probeParams) (probeResult, error) {
		all.Done()
		all.Wait() // until all calls are running
		return probeResult{Got: p}, nil
	}))
	var clients sync.WaitGroup
	for i := range calls {
		clients.Go(func() {
			a := callTool(t, session, "probe", map[string]any{"id": "a", "count": i})
			if got := a.Data["got"].(map[string]any); i > 0 && got["count"] != float64(i) {
				t.Errorf("call %d got %v", i, got)
			}
		})
	}
	clients.Wait()
}

// Transports have limits of their own; what passes them gets a response.
func TestTwentyMegabytesOfArgumentsAreRefused(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	raw, err := json.Marshal(map[string]any{"id": strings.Repeat("x", 20<<20)})
	if err != nil {
		t.Fatal(err)
	}
	handle := probe(echo).handler(newAdapter(nil, nil))
	result, err := handle(t.Context(), &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "probe", Arguments: raw}})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := result.Content[0].(*sdk.TextContent)
	if !result.IsError || !strings.Contains(text.Text, "invalid_input") || len(text.Text) > 1000 {
		t.Errorf("answered with %d bytes: %.300s", len(text.Text), text.Text)
	}
}

func TestCancellingACallEndsTheVerb(t *testing.T) {
	t.Parallel()
	begun, ended := make(chan bool), make(chan error, 1)
	session := serve(t, probe(func(ctx context.Context, _ probeParams) (probeResult, error) {
		close(begun)
		<-ctx.Done()
		ended <- ctx.Err()
		return probeResult{}, ctx.Err()
	}))
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-begun
		cancel()
	}()
	if _, err := session.CallTool(ctx, &sdk.CallToolParams{Name: "probe", Arguments: map[string]any{"id": "a"}}); err == nil {
		t.Error("the call did not end with an error")
	}
	if err := <-ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the verb's context ended with %v", err)
	}
}

func TestNamesBecomeSnakeCase(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Log": "log", "ApplyPrimitive": "apply_primitive", "WBFromPoint": "wb_from_point", "ExportXMP": "export_xmp",
	} {
		if got := snake.Case(name); got != want {
			t.Errorf("%s becomes %s, want %s", name, got, want)
		}
	}
}

// lockedBuffer is a buffer for concurrent writers.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

func TestNumbersHaveTheDecimalsThatMeanSomething(t *testing.T) {
	t.Parallel()
	type part struct {
		Share float64 `json:"share" decimals:"2" jsonschema:"a share"`
	}
	type result struct {
		Exact float64     `json:"exact" jsonschema:"a number"`
		Mean  float64     `json:"mean" decimals:"3" jsonschema:"a number"`
		Gone  *float64    `json:"gone" decimals:"1" jsonschema:"a number"`
		Zero  float64     `json:"zero" decimals:"1" jsonschema:"a number"`
		Three [3]float64  `json:"three" decimals:"1" jsonschema:"numbers"`
		Parts []part      `json:"parts" jsonschema:"parts"`
		Some  *float64    `json:"some" decimals:"1" jsonschema:"a number"`
		Big   float64     `json:"big" decimals:"4" jsonschema:"a number"`
		Shots [][]float64 `json:"shots" decimals:"0" jsonschema:"numbers"`
	}
	some := 2.55
	session := serve(t, Bind(probeSpec, func(context.Context, probeParams) (result, error) {
		return result{
			Exact: 1.23456789, Mean: 0.50196078, Zero: -0.01, Three: [3]float64{0.14, 0.15, -0.26},
			Parts: []part{{0.333333}}, Some: &some, Big: 1e300, Shots: [][]float64{{0.6}},
		}, nil
	}))
	got := callTool(t, session, "probe", map[string]any{"id": "a"}).Data
	want := map[string]any{
		"exact": 1.23456789, "mean": 0.502, "gone": nil, "zero": 0.0, "three": []any{0.1, 0.2, -0.3},
		"parts": []any{map[string]any{"share": 0.33}}, "some": 2.6, "big": 1e300, "shots": []any{[]any{1.0}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestARenamedParameterIsTakenUnderItsFormerName(t *testing.T) {
	t.Parallel()
	type params struct {
		Event string `json:"event" formerly:"hash" jsonschema:"an event"`
	}
	type result struct {
		Event string `json:"event" jsonschema:"an event"`
	}
	tool := Bind(probeSpec, func(_ context.Context, p params) (result, error) { return result(p), nil })
	session := serve(t, tool)
	for arguments, want := range map[string]string{`{"event": "a"}`: "a", `{"hash": "b"}`: "b", `{"hash": "b", "event": null}`: "b"} {
		if got := callTool(t, session, "probe", json.RawMessage(arguments)); got.Data["event"] != want {
			t.Errorf("%s is taken as %v, want %s", arguments, got.Data["event"], want)
		}
	}
	if got := callTool(t, session, "probe", json.RawMessage(`{"hash": "b", "event": "a"}`)); got.code() != chemigram.ErrInvalidInput {
		t.Errorf("both names: %+v", got)
	}
	if text, err := json.Marshal(tool.Definition().InputSchema); err != nil || strings.Contains(string(text), "hash") {
		t.Errorf("the schema says %s (%v)", text, err)
	}
}
