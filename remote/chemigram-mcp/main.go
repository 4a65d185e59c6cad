// Chemigram-mcp is the MCP server of the same name that shares images through buckets,
// too: the location of a remote may be a URL that remote.Open knows. Its command
// recipients says who opens an encrypted remote, and changes that.
package main

import (
	"context"
	"os"
	"os/signal"

	"github.com/chemigram/chemigram/internal/server"
	"github.com/chemigram/chemigram/remote"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "recipients" {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		os.Exit(recipients(ctx, os.Args[2:], os.Stdout, os.Stderr)) //nolint:gocritic // nothing waits for the signal
	}
	os.Exit(server.Main(remote.Open))
}
