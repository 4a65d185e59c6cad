// Package server is the program chemigram-mcp: its flags, its transports, and how it
// ends. Programs that open other remotes than folders are built of it, too.
package server

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/objects"
)

// OpenRemote opens a store at a URL, as that of chemigram.Options does.
type OpenRemote func(ctx context.Context, location string) (objects.Store, error)

// Complete adds to an engine's options what a program has beside this one. The engine is
// closed before end is called.
type Complete func(ctx context.Context, options *chemigram.Options) (end func(), err error)

// Main runs the program and returns its exit status. Without openRemote, images are shared
// through folders alone.
func Main(openRemote OpenRemote, completions ...Complete) int {
	// By default, SIGTERM would end the process in the middle of a write.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, openRemote, completions, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(os.Stderr, "chemigram-mcp:", err)
	return 1
}
