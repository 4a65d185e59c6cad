package mcp

import (
	"bytes"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// packNeedingNewDarktable writes a pack whose one move darktable 4.2 cannot do.
func packNeedingNewDarktable(tb testing.TB) string {
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

// baselineWithBadExposure is a baseline whose exposure has too few parameters.
func baselineWithBadExposure(tb testing.TB) []byte {
	tb.Helper()
	data, err := os.ReadFile("../internal/testutil/fake/baseline.xmp")
	if err != nil {
		tb.Fatal(err)
	}
	pattern := regexp.MustCompile(`(darktable:operation="exposure"[^>]*darktable:params=)"[0-9a-f]+"`)
	bad := pattern.ReplaceAll(data, []byte(`${1}"00000000"`))
	if bytes.Equal(bad, data) {
		tb.Fatal("the baseline has no exposure")
	}
	return bad
}

// Each of the nine codes, reached by a real verb where one can reach it.
func TestEachCodeIsReached(t *testing.T) {
	t.Parallel()
	image := func(more map[string]any) map[string]any {
		out := map[string]any{"image_id": "a"}
		maps.Copy(out, more)
		return out
	}
	works := func(t *testing.T) testServer {
		return newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	}
	reached := map[chemigram.Code]bool{}
	for _, c := range []struct {
		name      string
		code      chemigram.Code
		server    func(t *testing.T) testServer
		tool      string
		arguments func(testServer) map[string]any
		detail    string
	}{
		{"a schema violation", chemigram.ErrInvalidInput, works, "render_preview", func(testServer) map[string]any {
			return image(map[string]any{"size": 1})
		}, "violations"},
		{"a value out of a move's range", chemigram.ErrInvalidInput, works, "apply_primitive", func(testServer) map[string]any {
			return image(map[string]any{"primitive_name": "exposure", "value": 99})
		}, ""},
		{"an unknown move", chemigram.ErrNotFound, works, "apply_primitive", func(testServer) map[string]any {
			return image(map[string]any{"primitive_name": "exposre"})
		}, "suggestions"},
		{"darktable fails", chemigram.ErrDarktable, func(t *testing.T) testServer {
			return newTestServer(t, testutil.FakeOptions{
				Script: []testutil.Behaviour{testutil.Works, testutil.Fails}, Stderr: "it is broken",
			}, chemigram.Options{}, nil)
		}, "render_preview", func(testServer) map[string]any { return image(map[string]any{"size": 512}) }, "stderr"},
		{"a module with half of its parameters", chemigram.ErrSynthesizer, func(t *testing.T) testServer {
			return newTestServer(t, testutil.FakeOptions{XMP: baselineWithBadExposure(t)}, chemigram.Options{}, nil)
		}, "apply_primitive", func(testServer) map[string]any { return image(map[string]any{"primitive_name": "exposure"}) }, ""},
		{"a detached HEAD", chemigram.ErrVersioning, func(t *testing.T) testServer {
			s := works(t)
			s.call(t, "checkout", image(map[string]any{"ref_or_hash": "baseline"}))
			return s
		}, "apply_primitive", func(testServer) map[string]any { return image(map[string]any{"primitive_name": "exposure"}) }, "next"},
		{"a raw outside the roots", chemigram.ErrPermission, func(t *testing.T) testServer {
			s := works(t)
			engine := openEngine(t, chemigram.Options{RawRoots: []string{t.TempDir()}, Darktable: s.fake.CLI})
			s.ClientSession = connect(t, NewServer(engine, nil))
			return s
		}, "ingest", func(s testServer) map[string]any { return map[string]any{"raw_path": s.raw} }, "violation"},
		{"a taken id", chemigram.ErrState, works, "ingest", func(testServer) map[string]any {
			return image(map[string]any{"raw_path": rawtest.Chart(t, "b.dng", dng.Options{Seed: 2, Noise: 1})})
		}, "suggested_image_id"},
		{"a move for a newer darktable", chemigram.ErrNotImplemented, func(t *testing.T) testServer {
			return newTestServer(t, testutil.FakeOptions{Version: "4.2.1"}, chemigram.Options{Packs: []string{packNeedingNewDarktable(t)}}, nil)
		}, "apply_primitive", func(testServer) map[string]any {
			return image(map[string]any{"primitive_name": "from_the_future"})
		}, "capability"},
		{"an impossible mask", chemigram.ErrMasking, works, "apply_primitive", func(testServer) map[string]any {
			line := map[string]any{"kind": "path", "points": [][]float64{{0.1, 0.1}, {0.9, 0.9}}}
			return image(map[string]any{"primitive_name": "exposure", "mask": map[string]any{"shapes": []any{line}}})
		}, ""},
	} {
		reached[c.code] = true
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			s := c.server(t)
			a := s.call(t, c.tool, c.arguments(s))
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
