package mcp

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestMain hides the packs and the tastes of the user who runs the tests.
func TestMain(m *testing.M) {
	config, err := os.MkdirTemp("", "chemigram-mcp-test-*")
	if err == nil {
		err = os.Setenv("XDG_CONFIG_HOME", config)
	}
	if err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(config)
	os.Exit(code)
}

// response is an envelope as a client decodes it.
type response struct {
	Success bool           `json:"success"`
	Data    map[string]any `json:"data"`
	Error   *struct {
		Code        chemigram.Code `json:"code"`
		Message     string         `json:"message"`
		Details     map[string]any `json:"details"`
		Recoverable bool           `json:"recoverable"`
	} `json:"error"`
}

// code is the code of the error, or "".
func (r response) code() chemigram.Code {
	if r.Error == nil {
		return ""
	}
	return r.Error.Code
}

// connect connects a client to the server, in memory.
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

// callTool calls a tool and checks what holds for every envelope.
func callTool(tb testing.TB, session *sdk.ClientSession, tool string, arguments any) response {
	tb.Helper()
	r, _ := callToolResult(tb, tb.Context(), session, tool, arguments)
	return r
}

func callToolResult(
	tb testing.TB, ctx context.Context, session *sdk.ClientSession, tool string, arguments any,
) (response, *sdk.CallToolResult) {
	tb.Helper()
	result, err := session.CallTool(ctx, &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		tb.Fatalf("%s: protocol error: %v", tool, err)
	}
	checkAnswer(tb, tool, result.StructuredContent)
	r := decodeEnvelope(tb, result)
	checkDetails(tb, tool, r)
	return r, result
}

// checkDetails checks that the details of a failure are those that its code is
// documented with.
func checkDetails(tb testing.TB, tool string, r response) {
	tb.Helper()
	if r.Error == nil || !slices.ContainsFunc(EngineTools(nil), func(t Tool) bool { return t.Name() == tool }) {
		return // a tool of a program's own may have details of its own
	}
	if found, _ := r.Error.Details["violations"].([]any); r.Error.Code == chemigram.ErrInvalidInput && len(found) == 0 {
		tb.Errorf("%s: an invalid_input without violations: %+v", tool, r.Error)
	}
	for key := range r.Error.Details {
		if !slices.Contains(detailKeys(r.Error.Code), key) {
			tb.Errorf("%s: a %s has a detail %s, which is not documented", tool, r.Error.Code, key)
		}
	}
}

// outputSchemas are the schemas of the engine's tools' answers, by tool.
var outputSchemas = sync.OnceValue(func() map[string]*jsonschema.Resolved {
	schemas := map[string]*jsonschema.Resolved{}
	for _, tool := range EngineTools(nil) {
		resolved, err := outputSchema(tool.result, true).Resolve(nil)
		if err != nil {
			panic(fmt.Sprintf("%s: %v", tool.Name(), err))
		}
		schemas[tool.Name()] = resolved
	}
	return schemas
})

// checkAnswer checks that an answer obeys the schema that the tool publishes.
func checkAnswer(tb testing.TB, tool string, answer any) {
	tb.Helper()
	if schema := outputSchemas()[tool]; schema != nil {
		if err := schema.Validate(answer); err != nil {
			tb.Errorf("the answer of %s breaks its schema: %v", tool, err)
		}
	}
}

func decodeEnvelope(tb testing.TB, result *sdk.CallToolResult) response {
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
	var r response
	if err := json.Unmarshal([]byte(text.Text), &r); err != nil {
		tb.Fatal(err)
	}
	if r.Success == (r.Error != nil) || r.Success != (r.Data != nil) || result.IsError == r.Success {
		tb.Errorf("the envelope contradicts itself (isError %v): %s", result.IsError, text.Text)
	}
	return r
}

// openEngine opens an engine on a workspace of its own.
func openEngine(tb testing.TB, opts chemigram.Options) *chemigram.Engine {
	tb.Helper()
	if opts.Workspace == "" {
		opts.Workspace = filepath.Join(tb.TempDir(), "workspace")
	}
	if opts.Darktable == "" {
		opts.Darktable = filepath.Join(tb.TempDir(), "no-darktable-here")
	}
	if opts.Tastes == "" { // of no other test
		opts.Tastes = filepath.Join(tb.TempDir(), "tastes")
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
