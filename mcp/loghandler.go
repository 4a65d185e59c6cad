package mcp

import (
	"log/slog"
	"os"

	"github.com/chemigram/chemigram/internal/redact"
)

// LogOptions control what a log handler hides.
type LogOptions struct {
	// HideHome writes the user's home folder as "~".
	HideHome bool
}

// NewLogHandler wraps a handler so that a log is safe to show and to search.
// What looks like a secret (tokens, keys, passwords in URLs) is replaced by
// "[hidden]" in messages and values. A key is written once: an attribute whose
// key is taken by an earlier one, or by time, level, msg and source, is written
// with a number, so that none can be mistaken for another.
//
// Loggers that an engine or a server is given are wrapped in that way by themselves.
func NewLogHandler(next slog.Handler, opts *LogOptions) slog.Handler {
	home := ""
	if opts != nil && opts.HideHome {
		home, _ = os.UserHomeDir()
	}
	return redact.NewHandler(next, home)
}
