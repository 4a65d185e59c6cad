// Embed offers Chemigram's tools and a program's own on one server. One of them is
// made with mcp.Bind, as the engine's verbs are: its schemas come from its types,
// violations are reported, and the envelope is the same.
//
//	go run ./examples/embed
//
// It connects a client in memory, lists the tools and calls that one.
package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/mcp"
)

func main() {
	demo.Main("embed", run)
}

// Mood is where the light goes.
type Mood string

// Rule says what a mood may be: the tool's schema has it, and arguments are held to it.
func (Mood) Rule() chemigram.Rule { return chemigram.Rule{Enum: []string{"sunny", "overcast"}} }

// MatchParams are the parameters of the program's own verb.
type MatchParams struct {
	ImageID chemigram.ImageID `json:"image_id" jsonschema:"Names the image."`
	Mood    Mood              `json:"mood" jsonschema:"The light to go to."`
	Amount  float64           `json:"amount,omitempty" default:"15" jsonschema:"How far, in mired, more than 0."`
}

// MatchResult is its result.
type MatchResult struct {
	Applied []string `json:"applied" jsonschema:"The moves that were applied."`
}

func run(ctx context.Context) error {
	folder, err := os.MkdirTemp("", "chemigram-embed-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(folder) }()
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(folder, "workspace")})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()

	match := mcp.Bind(mcp.Spec{
		Name: "match_mood", Title: "Match a mood", Effect: mcp.Write, Idempotent: true,
		Description: "Moves the light towards a mood, with moves of the vocabulary.",
	}, func(ctx context.Context, p MatchParams) (MatchResult, error) {
		return matchMood(ctx, engine, p)
	})
	server := mcp.NewServer(engine, &mcp.Options{Tools: []mcp.Tool{match}})
	sdk.AddTool(server, &sdk.Tool{Name: "say_hello", Description: "A tool of the program's own."}, hello)

	raw, err := demo.Raw("", folder, 0.3, 0)
	if err != nil {
		return err
	}
	if _, err := engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw, ImageID: "landscape"}); err != nil {
		return err
	}
	return callTools(ctx, server)
}

// matchMood is the program's own verb.
func matchMood(ctx context.Context, engine *chemigram.Engine, p MatchParams) (MatchResult, error) {
	if p.Amount <= 0 {
		return MatchResult{}, chemigram.InvalidArgument("/amount", "amount is %g, expected more than 0", p.Amount)
	}
	shift := p.Amount
	if p.Mood == "overcast" {
		shift = -shift
	}
	_, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: p.ImageID, PrimitiveName: "warmth", Value: &shift})
	return MatchResult{Applied: []string{"warmth"}}, err
}

// hello is a tool of the SDK, without Bind.
func hello(context.Context, *sdk.CallToolRequest, struct{}) (*sdk.CallToolResult, any, error) {
	return &sdk.CallToolResult{Content: []sdk.Content{&sdk.TextContent{Text: "hello"}}}, nil, nil
}

// callTools calls the program's own verb, with valid and with invalid arguments.
func callTools(ctx context.Context, server *sdk.Server) error {
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := server.Connect(ctx, ours, nil); err != nil {
		return err
	}
	client, err := sdk.NewClient(&sdk.Implementation{Name: "embed", Version: "1"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		return err
	}
	defer func() { _ = client.Close() }()
	tools, err := client.ListTools(ctx, nil)
	if err != nil {
		return err
	}
	fmt.Printf("one server, %d tools\n", len(tools.Tools))
	for _, arguments := range []map[string]any{
		{"image_id": "landscape", "mood": "sunny", "amount": 20},
		{"image_id": "landscape", "mood": "gloomy"},
		{"image": "landscape", "mood": 3},
	} {
		result, err := client.CallTool(ctx, &sdk.CallToolParams{Name: "match_mood", Arguments: arguments})
		if err != nil {
			return err
		}
		if text, ok := result.Content[0].(*sdk.TextContent); ok {
			fmt.Printf("match_mood %v\n  %s\n", arguments, text.Text)
		}
	}
	return nil
}
