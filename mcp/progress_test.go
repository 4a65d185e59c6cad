package mcp

import (
	"context"
	"net"
	"testing"
	"testing/synctest"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestDarktableEndsWhenTheClientDisconnects(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{
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
		_, _ = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "render_preview", Arguments: map[string]any{"image_id": "a", "size": 512}})
	}()
	testutil.WaitFor(t, "darktable to run", func() bool { return len(s.fake.Running()) > 0 })
	_ = theirs.Close() // the client disconnects
	testutil.WaitFor(t, "darktable to be gone", func() bool { return len(s.fake.Running()) == 0 })
	if a := s.call(t, "get_state", map[string]any{"image_id": "a"}); !a.Success {
		t.Errorf("the image cannot be read: %+v", a.Error)
	}
}

func TestACallThatRendersReportsProgress(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{
		Script: []testutil.Behaviour{testutil.Works, testutil.Hangs},
	}, chemigram.Options{}, nil)
	got := make(chan *sdk.ProgressNotificationClientRequest, 100)
	session := connectAs(t, NewServer(s.engine, nil), &sdk.Implementation{Name: "t", Version: "1"}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { got <- req },
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	params := &sdk.CallToolParams{Name: "render_preview", Arguments: map[string]any{"image_id": "a", "size": 512}}
	params.SetProgressToken("token")
	go func() { _, _ = session.CallTool(ctx, params) }()
	select {
	case req := <-got:
		if req.Params.ProgressToken != "token" || req.Params.Progress < 1 || req.Params.Message == "" {
			t.Errorf("got %+v", req.Params)
		}
	case <-time.After(time.Minute):
		t.Fatal("no progress in a minute")
	}
}

// Clients may cancel a call whose progress does not grow.
func TestProgressGrows(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		started := time.Now()
		before := 0.0
		for done := range 3 {
			p := progress{done: done, total: 3, what: "a: exported", since: time.Now()}
			for range 30 {
				<-time.After(progressInterval)
				got := p.notification("export_batch", started)
				if got.Progress <= before || got.Progress >= float64(done+1) || got.Total != 3 {
					t.Fatalf("after %v: %v of %v, after %v", time.Since(started), got.Progress, got.Total, before)
				}
				before = got.Progress
			}
		}
		if got := (progress{}).notification("export_final", started); got.Progress != 90 || got.Total != 0 {
			t.Errorf("a verb without steps: %v of %v, want the 90 s", got.Progress, got.Total)
		}
	})
}
