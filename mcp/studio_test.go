package mcp

import (
	"path/filepath"
	"testing"

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
