// Chemigram-mcp is an MCP server of an engine's verbs, over stdio or HTTP.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(status()) }

// status runs the program and returns its exit status.
func status() int {
	// By default, SIGTERM would end the process in the middle of a write.
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, os.Args[1:], os.Stdin, os.Stdout, os.Stderr)
	if err == nil || errors.Is(err, flag.ErrHelp) {
		return 0
	}
	fmt.Fprintln(os.Stderr, "chemigram-mcp:", err)
	return 1
}
