package mcp

import (
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// testServer is a client of a server whose engine has a fake darktable and one image,
// "a".
type testServer struct {
	*sdk.ClientSession
	engine    *chemigram.Engine
	workspace string
	raw       string
	fake      *testutil.Fake
}

func newTestServer(tb testing.TB, fake testutil.FakeOptions, opts chemigram.Options, more *Options) testServer {
	tb.Helper()
	s := testServer{
		workspace: filepath.Join(tb.TempDir(), "workspace"),
		raw:       rawtest.Chart(tb, "a.dng", dng.Options{}),
		fake:      testutil.FakeDarktable(tb, fake),
	}
	opts.Workspace, opts.Darktable = s.workspace, s.fake.CLI
	if opts.Workers == 0 {
		opts.Workers = -1 // they would take steps of the script
	}
	s.engine = openEngine(tb, opts)
	s.ClientSession = connect(tb, NewServer(s.engine, more))
	if r := s.call(tb, "ingest", map[string]any{"raw_path": s.raw, "image_id": "a"}); !r.Success {
		tb.Fatalf("ingest: %+v", r.Error)
	}
	return s
}

func (s testServer) call(tb testing.TB, tool string, arguments any) response {
	tb.Helper()
	return callTool(tb, s.ClientSession, tool, arguments)
}
