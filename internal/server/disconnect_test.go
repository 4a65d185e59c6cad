package server

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/internal/testutil"
)

// postAndDisconnect posts a request and disconnects as soon as darktable runs.
func postAndDisconnect(t *testing.T, fake *testutil.Fake, url string, header map[string]string, body string) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("Accept", "application/json, text/event-stream")
	for key, value := range header {
		req.Header.Set(key, value)
	}
	ended := make(chan error, 1)
	go func() {
		resp, err := http.DefaultClient.Do(req)
		if err == nil {
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
		}
		ended <- err
	}()
	testutil.WaitFor(t, "darktable to run", func() bool { return len(fake.Running()) > 0 })
	cancel()
	if err := <-ended; err == nil {
		t.Error("the call got a response")
	}
}

// When a client of any revision disconnects over HTTP, darktable ends, nothing is
// written, and the server keeps serving.
func TestAClientThatDisconnectsOverHTTPLeavesNothing(t *testing.T) {
	t.Parallel()
	const preview = "chemigram://images/a/preview/HEAD"
	for name, c := range map[string]struct{ method, name, params string }{
		"a preview":  {"tools/call", "render_preview", `"name":"render_preview","arguments":{"image_id":"a"}`},
		"an export":  {"tools/call", "export_final", `"name":"export_final","arguments":{"image_id":"a"}`},
		"a resource": {"resources/read", preview, `"uri":"` + preview + `"`},
	} {
		for revision, meta := range map[string]string{
			"2025-11-25": ``,
			"2026-07-28": `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",` +
				`"io.modelcontextprotocol/clientInfo":{"name":"raw","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`,
		} {
			t.Run(name+", "+revision, func(t *testing.T) {
				t.Parallel()
				f := newFixture(t, testutil.HangsInChild, testutil.Works)
				before := f.contents(t)
				url, _ := testutil.ServeHTTP(t, f.program(t, "-http", anyPort, "-without-token"))
				postAndDisconnect(t, f.fake, url,
					map[string]string{"MCP-Protocol-Version": revision, "Mcp-Method": c.method, "Mcp-Name": c.name},
					fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s%s}}`, c.method, c.params, meta))
				testutil.WaitFor(t, "darktable to be gone", func() bool { return len(f.fake.Running()) == 0 })
				f.checkUnchanged(t, before)
				session := connect(t, &sdk.StreamableClientTransport{Endpoint: url})
				mustCall(t, session, "export_final", map[string]any{"image_id": "a"})
			})
		}
	}
}
