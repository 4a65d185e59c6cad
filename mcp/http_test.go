package mcp

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

func TestAnyHostNeedsAToken(t *testing.T) {
	t.Parallel()
	server := sdk.NewServer(&sdk.Implementation{Name: "a"}, nil)
	for name, c := range map[string]struct {
		opts HTTPOptions
		ok   bool
	}{
		"any host without a token": {HTTPOptions{AnyHost: true}, false},
		"any host with a token":    {HTTPOptions{AnyHost: true, Token: "0123456789abcdef"}, true},
		"an origin that is none":   {HTTPOptions{TrustedOrigins: []string{"example.org"}}, false},
	} {
		if _, err := NewHTTPHandler(server, &c.opts); (err == nil) != c.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestRequestsAtOnceAreBounded(t *testing.T) {
	t.Parallel()
	begun, end := make(chan bool), make(chan bool)
	handler := limitRequests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { begun <- true; <-end }), 2)
	ask := func() int {
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, "/mcp", nil))
		return w.Code
	}
	codes := make(chan int)
	for range 2 {
		go func() { codes <- ask() }()
		<-begun
	}
	if code := ask(); code != http.StatusServiceUnavailable {
		t.Errorf("the third: %d, want 503", code)
	}
	close(end)
	for range 2 {
		if code := <-codes; code != http.StatusOK {
			t.Errorf("one of the first: %d", code)
		}
	}
	go func() { <-begun }()
	if code := ask(); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}

// A client may begin as many sessions as it likes, and end none of them: over HTTP
// nothing is kept of one, and of the names that it tells 64 have a transcript open.
func TestHTTPKeepsNoSessions(t *testing.T) {
	t.Parallel()
	engine := openEngine(t, chemigram.Options{})
	server := NewServer(engine, &Options{Transcripts: true})
	handler, err := NewHTTPHandler(server, nil)
	if err != nil {
		t.Fatal(err)
	}
	service := httptest.NewServer(handler)
	t.Cleanup(service.Close)
	for n := range maxTranscripts + 20 {
		client := sdk.NewClient(&sdk.Implementation{Name: fmt.Sprintf("client %d", n), Version: "1"}, nil)
		session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: service.URL, MaxRetries: -1}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "list_masks"}); err != nil {
			t.Fatal(err)
		}
		if id := session.ID(); id != "" {
			t.Fatalf("the server gave the session the id %q", id)
		}
	}
	testutil.WaitFor(t, "the end of the last request", func() bool { return len(slices.Collect(server.Sessions())) == 0 })
	locks, err := filepath.Glob(filepath.Join(engine.WorkspaceDir(), "transcripts", "*.lock"))
	if err != nil || len(locks) > maxTranscripts {
		t.Errorf("%d transcripts are open, %v; want at most %d", len(locks), err, maxTranscripts)
	}
	list, err := engine.ListTranscripts(t.Context(), chemigram.ListTranscriptsParams{})
	if err != nil || list.Total < maxTranscripts {
		t.Errorf("there are %d transcripts, %v", list.Total, err)
	}
}
