package mcp

import (
	"context"
	"encoding/json"
	"flag"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

var update = flag.Bool("update", false, "write the golden files anew")

// answer is an envelope as a client reads it.
type answer struct {
	Success bool           `json:"success"`
	Data    map[string]any `json:"data"`
	Error   *struct {
		Code        chemigram.Code `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Recoverable bool           `json:"recoverable"`
	} `json:"error"`
}

func (a answer) code() chemigram.Code {
	if a.Error == nil {
		return ""
	}
	return a.Error.Code
}

// connect gives a client of the server, in memory.
func connect(tb testing.TB, server *sdk.Server) *sdk.ClientSession {
	tb.Helper()
	return connectAs(tb, server, &sdk.Implementation{Name: "tester", Version: "1.0"}, nil)
}

func connectAs(tb testing.TB, server *sdk.Server, as *sdk.Implementation, opts *sdk.ClientOptions) *sdk.ClientSession {
	tb.Helper()
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := server.Connect(tb.Context(), ours, nil); err != nil {
		tb.Fatal(err)
	}
	session, err := sdk.NewClient(as, opts).Connect(tb.Context(), theirs, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = session.Close() })
	return session
}

// ask calls a tool and holds the answer to what every answer has to be.
func ask(tb testing.TB, session *sdk.ClientSession, tool string, arguments any) answer {
	tb.Helper()
	a, _ := askFully(tb, tb.Context(), session, tool, arguments)
	return a
}

func askFully(
	tb testing.TB, ctx context.Context, session *sdk.ClientSession, tool string, arguments any,
) (answer, *sdk.CallToolResult) {
	tb.Helper()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		tb.Fatalf("%s: protocol error: %v", tool, err)
	}
	return envelopeOf(tb, result), result
}

func envelopeOf(tb testing.TB, result *sdk.CallToolResult) answer {
	tb.Helper()
	text, ok := result.Content[0].(*sdk.TextContent)
	if !ok {
		tb.Fatalf("the first block is %T, not text", result.Content[0])
	}
	var fromText any
	if err := json.Unmarshal([]byte(text.Text), &fromText); err != nil {
		tb.Fatal(err)
	}
	if diff := cmp.Diff(fromText, result.StructuredContent); diff != "" {
		tb.Errorf("text and structured content differ (-text +structured):\n%s", diff)
	}
	for _, key := range []string{"success", "data", "error"} {
		if _, ok := fromText.(map[string]any)[key]; !ok {
			tb.Errorf("the envelope lacks %s: %s", key, text.Text)
		}
	}
	var a answer
	if err := json.Unmarshal([]byte(text.Text), &a); err != nil {
		tb.Fatal(err)
	}
	if a.Success == (a.Error != nil) || a.Success != (a.Data != nil) || result.IsError == a.Success {
		tb.Errorf("the envelope contradicts itself (isError %v): %s", result.IsError, text.Text)
	}
	return a
}

// openEngine opens an engine on a workspace of its own. It never loads a
// pack of whoever runs the tests.
func openEngine(tb testing.TB, opts chemigram.Options) *chemigram.Engine {
	tb.Helper()
	if opts.Workspace == "" {
		opts.Workspace = filepath.Join(tb.TempDir(), "workspace")
	}
	if opts.Darktable == "" {
		opts.Darktable = filepath.Join(tb.TempDir(), "no-darktable-here")
	}
	engine, err := chemigram.Open(tb.Context(), &opts)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = engine.Close() })
	return engine
}

// listTools lists a server's tools as a client sees them.
func listTools(tb testing.TB, server *sdk.Server) []*sdk.Tool {
	tb.Helper()
	result, err := connect(tb, server).ListTools(tb.Context(), nil)
	if err != nil {
		tb.Fatal(err)
	}
	return result.Tools
}
