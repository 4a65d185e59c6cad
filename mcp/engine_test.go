package mcp

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// studio is a server on an engine with one image, "a".
type studio struct {
	*sdk.ClientSession
	engine     *chemigram.Engine
	workspace  string
	raw        string
	fake       *testutil.Fake
	transcript string // of a session that has ended
}

// fakeStudio has a darktable that develops nothing but does what is asked.
func fakeStudio(tb testing.TB, fake testutil.FakeOptions, opts chemigram.Options, more *Options) studio {
	tb.Helper()
	f := testutil.FakeDarktable(tb, fake)
	opts.Darktable = f.CLI
	s := newStudio(tb, opts, more)
	s.fake = f
	return s
}

func newStudio(tb testing.TB, opts chemigram.Options, more *Options) studio {
	tb.Helper()
	s := studio{workspace: filepath.Join(tb.TempDir(), "workspace"), raw: writeRaw(tb, "a.dng", dng.Options{})}
	opts.Workspace = s.workspace
	s.engine = openEngine(tb, opts)
	s.ClientSession = connect(tb, NewServer(s.engine, more))
	if a := s.ask(tb, "ingest", map[string]any{"raw_path": s.raw, "image_id": "a"}); !a.Success {
		tb.Fatalf("ingest: %+v", a.Error)
	}
	return s
}

func (s studio) ask(tb testing.TB, tool string, arguments map[string]any) answer {
	tb.Helper()
	return ask(tb, s.ClientSession, tool, arguments)
}

func writeRaw(tb testing.TB, name string, camera dng.Options) string {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), name)
	if err := scene.Write(path, scene.Chart{}, scene.Options{Megapixels: 0.05, DNG: camera}); err != nil {
		tb.Fatal(err)
	}
	return path
}

// gapPack is a pack whose one move darktable 4.2 cannot do.
func gapPack(tb testing.TB) string {
	tb.Helper()
	dir := tb.TempDir()
	for name, text := range map[string]string{
		"pack.json": `{"name": "gaps", "version": "1.0.0", "description": "For tests.", "licence": "MIT", "author": "tests"}`,
		"gap.json": `[{"name": "from_the_future", "layer": "L3", "subject": "tone", "description": "Needs a newer darktable.",
			"tags": ["test"], "requires": {"darktable": ">=5.4"},
			"parameters": [{"name": "ev", "unit": "EV", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
			"ops": [{"module": "exposure", "add": {"exposure": "ev"}}],
			"claims": [{"measure": "luma_mean", "moves": "up"}]}]`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			tb.Fatal(err)
		}
	}
	return dir
}

// spoilExposure breaks the parameters of exposure in a baseline.
func spoilExposure(tb testing.TB) []byte {
	tb.Helper()
	data, err := os.ReadFile("../internal/testutil/fake/baseline.xmp")
	if err != nil {
		tb.Fatal(err)
	}
	pattern := regexp.MustCompile(`(darktable:operation="exposure"[^>]*darktable:params=)"[0-9a-f]+"`)
	spoilt := pattern.ReplaceAll(data, []byte(`${1}"00000000"`))
	if bytes.Equal(spoilt, data) {
		tb.Fatal("the baseline has no exposure")
	}
	return spoilt
}

// Each of the nine codes, reached by a real verb where one can reach it.
func TestEachCodeIsReached(t *testing.T) {
	t.Parallel()
	image := func(more map[string]any) map[string]any {
		out := map[string]any{"image_id": "a"}
		maps.Copy(out, more)
		return out
	}
	works := func(t *testing.T) studio { return fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, nil) }
	reached := map[chemigram.Code]bool{}
	for _, c := range []struct {
		name      string
		code      chemigram.Code
		studio    func(t *testing.T) studio
		tool      string
		arguments func(studio) map[string]any
		detail    string
	}{
		{"a schema violation", chemigram.ErrInvalidInput, works, "render_preview", func(studio) map[string]any {
			return image(map[string]any{"size": 1})
		}, "violations"},
		{"a value out of a move's range", chemigram.ErrInvalidInput, works, "apply_primitive", func(studio) map[string]any {
			return image(map[string]any{"primitive_name": "exposure", "value": 99})
		}, ""},
		{"an unknown move", chemigram.ErrNotFound, works, "apply_primitive", func(studio) map[string]any {
			return image(map[string]any{"primitive_name": "exposre"})
		}, "suggestions"},
		{"darktable fails", chemigram.ErrDarktable, func(t *testing.T) studio {
			return fakeStudio(t, testutil.FakeOptions{
				Script: []testutil.Behaviour{testutil.Works, testutil.Fails}, Stderr: "it is broken",
			}, chemigram.Options{}, nil)
		}, "render_preview", func(studio) map[string]any { return image(nil) }, "stderr"},
		{"a module with half of its parameters", chemigram.ErrSynthesizer, func(t *testing.T) studio {
			return fakeStudio(t, testutil.FakeOptions{XMP: spoilExposure(t)}, chemigram.Options{}, nil)
		}, "apply_primitive", func(studio) map[string]any { return image(map[string]any{"primitive_name": "exposure"}) }, ""},
		{"a detached HEAD", chemigram.ErrVersioning, func(t *testing.T) studio {
			s := works(t)
			s.ask(t, "checkout", image(map[string]any{"ref_or_hash": "baseline"}))
			return s
		}, "apply_primitive", func(studio) map[string]any { return image(map[string]any{"primitive_name": "exposure"}) }, "next"},
		{"a raw outside the roots", chemigram.ErrPermission, func(t *testing.T) studio {
			s := works(t)
			engine := openEngine(t, chemigram.Options{RawRoots: []string{t.TempDir()}, Darktable: s.fake.CLI})
			s.ClientSession = connect(t, NewServer(engine, nil))
			return s
		}, "ingest", func(s studio) map[string]any { return map[string]any{"raw_path": s.raw} }, "violation"},
		{"a taken id", chemigram.ErrState, works, "ingest", func(studio) map[string]any {
			return image(map[string]any{"raw_path": writeRaw(t, "b.dng", dng.Options{Seed: 2, Noise: 1})})
		}, "suggested_image_id"},
		{"a move for a newer darktable", chemigram.ErrNotImplemented, func(t *testing.T) studio {
			return fakeStudio(t, testutil.FakeOptions{Version: "4.2.1"}, chemigram.Options{Packs: []string{gapPack(t)}}, nil)
		}, "apply_primitive", func(studio) map[string]any {
			return image(map[string]any{"primitive_name": "from_the_future"})
		}, "capability"},
		{"a mask that cannot be", chemigram.ErrMasking, works, "apply_primitive", func(studio) map[string]any {
			line := map[string]any{"kind": "path", "points": [][]float64{{0.1, 0.1}, {0.9, 0.9}}}
			return image(map[string]any{"primitive_name": "exposure", "mask": map[string]any{"shapes": []any{line}}})
		}, ""},
	} {
		reached[c.code] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := c.studio(t)
			a := s.ask(t, c.tool, c.arguments(s))
			if a.code() != c.code {
				t.Fatalf("got %+v, want %s", a.Error, c.code)
			}
			if c.detail != "" && a.Error.Details[c.detail] == nil {
				t.Errorf("details lack %s: %v", c.detail, a.Error.Details)
			}
		})
	}
	for _, code := range chemigram.Codes() {
		if !reached[code] {
			t.Errorf("%s is reached by no case", code)
		}
	}
}

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
		if a := ask(t, session, tool.Name, arguments); !a.Success && !(pngs && a.code() == chemigram.ErrDarktable) {
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

func TestAClientThatLeavesLeavesNoDarktable(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{
		Script: []testutil.Behaviour{testutil.Works, testutil.HangsInChild},
	}, chemigram.Options{}, nil)
	ours, theirs := net.Pipe()
	if _, err := NewServer(s.engine, nil).Connect(t.Context(), &sdk.IOTransport{Reader: ours, Writer: ours}, nil); err != nil {
		t.Fatal(err)
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil).
		Connect(t.Context(), &sdk.IOTransport{Reader: theirs, Writer: theirs}, nil)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "render_preview", Arguments: map[string]any{"image_id": "a"}})
	}()
	testutil.WaitFor(t, "darktable to run", func() bool { return len(s.fake.Running()) > 0 })
	_ = theirs.Close() // the line is cut
	testutil.WaitFor(t, "darktable to be gone", func() bool { return len(s.fake.Running()) == 0 })
	if a := s.ask(t, "get_state", map[string]any{"image_id": "a"}); !a.Success {
		t.Errorf("the image is not as it was: %+v", a.Error)
	}
}

func TestACallThatRendersReportsProgress(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{
		Script: []testutil.Behaviour{testutil.Works, testutil.Hangs},
	}, chemigram.Options{}, nil)
	got := make(chan *sdk.ProgressNotificationClientRequest, 100)
	session := connectAs(t, NewServer(s.engine, nil), &sdk.Implementation{Name: "t", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { got <- req },
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	params := &sdk.CallToolParams{Name: "render_preview", Arguments: map[string]any{"image_id": "a"}}
	params.SetProgressToken("token")
	go func() { _, _ = session.CallTool(ctx, params) }()
	select {
	case req := <-got:
		if req.Params.ProgressToken != "token" || req.Params.Progress < 1 || req.Params.Message == "" {
			t.Errorf("got %+v", req.Params)
		}
	case <-time.After(20 * time.Second):
		t.Fatal("no progress in 20 s")
	}
}

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
		"chemigram://images/a/history":                     `"op":"ingest"`,
		"chemigram://vocabulary/exposure":                  `"name":"exposure"`,
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
		"chemigram://images/b/history", "chemigram://vocabulary/nothing", "chemigram://images/a/exports/..%2F..%2Fchemigram.json",
		"chemigram://images/..%2Fa/exports/x", "chemigram://pictures/none.jpg", "chemigram://images/a/preview/nowhere",
	} {
		if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s can be read", uri)
		}
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

func TestPromptsAreFilledIn(t *testing.T) {
	t.Parallel()
	session := connect(t, NewServer(nil, nil))
	list, err := session.ListPrompts(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Prompts) != 2 {
		t.Errorf("%d prompts", len(list.Prompts))
	}
	for _, prompt := range list.Prompts {
		result, err := session.GetPrompt(t.Context(), &sdk.GetPromptParams{
			Name: prompt.Name, Arguments: map[string]string{"image_id": "img-7", "brief": "moody {image_id}"},
		})
		if err != nil {
			t.Fatal(err)
		}
		text := result.Messages[0].Content.(*sdk.TextContent).Text
		if !strings.Contains(text, `"img-7"`) || !strings.Contains(text, "moody {image_id}") {
			t.Errorf("%s is not filled in:\n%s", prompt.Name, text)
		}
		for _, word := range regexp.MustCompile(`\b[a-z]+_[a-z_]+\b`).FindAllString(text, -1) {
			if word != "image_id" && !slices.ContainsFunc(EngineTools(nil), func(t Tool) bool { return t.Name() == word }) {
				t.Errorf("%s speaks of %s, which is no tool", prompt.Name, word)
			}
		}
	}
}

func TestCompletionsOfferWhatThereIs(t *testing.T) {
	t.Parallel()
	s := fakeStudio(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	s.ask(t, "branch", map[string]any{"image_id": "a", "name": "warm"})
	for _, c := range []struct {
		argument, value, image string
		want                   []string
	}{
		{"image_id", "", "", []string{"a"}},
		{"image_id", "b", "", []string{}},
		{"ref", "wa", "a", []string{"warm"}},
		{"ref", "", "nope", []string{}},
		{"name", "exposu", "", []string{"exposure"}},
		{"module_name", "expos", "a", []string{"exposure"}},
		{"brief", "", "", []string{}},
	} {
		result, err := s.Complete(t.Context(), &sdk.CompleteParams{
			Ref:      &sdk.CompleteReference{Type: "ref/prompt", Name: "collaborate"},
			Argument: sdk.CompleteParamsArgument{Name: c.argument, Value: c.value},
			Context:  &sdk.CompleteContext{Arguments: map[string]string{"image_id": c.image}},
		})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(c.want, result.Completion.Values); diff != "" {
			t.Errorf("%s %q (-want +got):\n%s", c.argument, c.value, diff)
		}
	}
}
