package mcp

import (
	"context"
	"encoding/json"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// BenchmarkCall measures a call of a tool that does nothing, in memory: through
// Bind, and through the SDK alone with the same parameters and answers of the
// same size. The difference is what validating, decoding and the envelope cost.
func BenchmarkCall(b *testing.B) {
	arguments := map[string]any{
		"id": "image", "count": 7, "factor": 0.5, "values": map[string]any{"ev": 1.5}, "tags": []string{"a", "b"},
	}
	viaBind := func(server *sdk.Server) {
		server.AddTool(probe(echo).Definition(), probe(echo).handler(newAdapter(nil, nil)))
	}
	viaSDK := func(server *sdk.Server) {
		server.AddTool(probe(echo).Definition(), bareHandler)
	}
	for _, c := range []struct {
		name string
		add  func(*sdk.Server)
	}{{"bare", viaSDK}, {"bind", viaBind}} {
		b.Run(c.name, func(b *testing.B) {
			server := sdk.NewServer(&sdk.Implementation{Name: "bench", Version: "1"}, nil)
			c.add(server)
			session := connect(b, server)
			b.ReportAllocs()
			for b.Loop() {
				result, err := session.CallTool(b.Context(), &sdk.CallToolParams{Name: "probe", Arguments: arguments})
				if err != nil || result.IsError {
					b.Fatal(err, result)
				}
			}
		})
	}
}

// bareHandler is a tool of the SDK without Bind: it decodes and encodes.
func bareHandler(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	var p probeParams
	if err := json.Unmarshal(req.Params.Arguments, &p); err != nil {
		return nil, err
	}
	r, err := echo(ctx, p)
	if err != nil {
		return nil, err
	}
	text, err := json.Marshal(r)
	if err != nil {
		return nil, err
	}
	return &sdk.CallToolResult{
		Content:           []sdk.Content{&sdk.TextContent{Text: string(text)}},
		StructuredContent: json.RawMessage(text),
	}, nil
}

// BenchmarkHandler measures the same without a transport.
func BenchmarkHandler(b *testing.B) {
	req := &sdk.CallToolRequest{Params: &sdk.CallToolParamsRaw{Name: "probe", Arguments: json.RawMessage(
		`{"id":"image","count":7,"factor":0.5,"values":{"ev":1.5},"tags":["a","b"]}`)}}
	for name, handle := range map[string]sdk.ToolHandler{
		"bare": bareHandler, "bind": probe(echo).handler(newAdapter(nil, nil)),
	} {
		b.Run(name, func(b *testing.B) { benchmarkHandler(b, handle, req) })
	}
}

func benchmarkHandler(b *testing.B, handle sdk.ToolHandler, req *sdk.CallToolRequest) {
	b.ReportAllocs()
	for b.Loop() {
		if result, err := handle(b.Context(), req); err != nil || result.IsError {
			b.Fatal(err, result)
		}
	}
}

// BenchmarkListTools measures the first request of a client.
func BenchmarkListTools(b *testing.B) {
	session := connect(b, NewServer(nil, nil))
	for b.Loop() {
		if _, err := session.ListTools(b.Context(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkNewServer measures the construction of a server.
func BenchmarkNewServer(b *testing.B) {
	for b.Loop() {
		NewServer(nil, nil)
	}
}
