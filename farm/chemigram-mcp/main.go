// Chemigram-mcp is the MCP server of the same name whose pictures are developed by workers:
// CHEMIGRAM_FARM_STORE says where raws and pictures lie, and CHEMIGRAM_FARM_URL where the
// brokers are. Without the latter the broker is in this program, and workers reach it at
// CHEMIGRAM_FARM_LISTEN (default 127.0.0.1:4222). Remotes may be in buckets, too.
package main

import (
	"context"
	"os"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/farm"
	"github.com/chemigram/chemigram/farm/internal/setup"
	"github.com/chemigram/chemigram/internal/server"
	"github.com/chemigram/chemigram/remote"
)

func main() { os.Exit(server.Main(remote.Open, openFarm)) }

// openFarm gives an engine the farm that the environment names. A store that is away now
// is no reason not to edit.
func openFarm(ctx context.Context, o *chemigram.Options) (end func(), err error) {
	nothing := func() {}
	location := os.Getenv(setup.StoreVariable)
	if location == "" {
		return nothing, nil
	}
	store, closer, err := setup.OpenStore(ctx, location)
	if err != nil {
		o.Logger.Warn("there is no farm: everything is developed here", "error", err)
		return nothing, nil
	}
	options := farm.Options{Store: store, URL: os.Getenv(setup.URLVariable), Listen: os.Getenv(setup.ListenVariable), Logger: o.Logger}
	if options.URL == "" && options.Listen == "" {
		options.Listen = "127.0.0.1:4222"
	}
	f, err := farm.Open(ctx, &options)
	setup.Forget()
	if err != nil {
		_ = closer.Close()
		return nil, err
	}
	o.Renderer = f
	return func() {
		_ = f.Close()
		_ = closer.Close()
	}, nil
}
