// Agent edits a photograph through the tools alone, as a model would, but
// decides by rules: measure, decide, apply, compare, keep or undo.
//
//	go run ./examples/agent                  on a synthetic landscape
//	go run ./examples/agent -raw photo.nef   on your own file
package main

import (
	"context"
	"flag"
	"os"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/examples/demo"
	"github.com/chemigram/chemigram/mcp"
)

func main() {
	raw := flag.String("raw", "", "raw file to edit; default: a synthetic landscape, a stop too dark")
	out := flag.String("out", "", "folder of the workspace; default: a temporary one")
	flag.Parse()
	demo.Main("agent", func(ctx context.Context) error { return run(ctx, *raw, *out) })
}

func run(ctx context.Context, raw, out string) error {
	if out == "" {
		folder, err := os.MkdirTemp("", "chemigram-agent-*")
		if err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(folder) }()
		out = folder
	}
	raw, err := demo.Raw(raw, out, 1, -1)
	if err != nil {
		return err
	}
	engine, err := chemigram.Open(ctx, &chemigram.Options{Workspace: filepath.Join(out, "workspace")})
	if err != nil {
		return err
	}
	defer func() { _ = engine.Close() }()

	// A real agent starts chemigram-mcp with sdk.CommandTransport; the rest is the same.
	ours, theirs := sdk.NewInMemoryTransports()
	if _, err := mcp.NewServer(engine, nil).Connect(ctx, ours, nil); err != nil {
		return err
	}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "agent", Version: "1"}, nil).Connect(ctx, theirs, nil)
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	return edit(ctx, tools{session}, raw)
}
