// Package notebook keeps tastes, notes, proposals and gaps: what is known of the
// photographer, of a picture and of the vocabulary beside the edits themselves.
package notebook

import (
	"log/slog"

	"github.com/chemigram/chemigram/internal/workspace"
)

// Notebook reads and writes what belongs to a workspace, and the folder of tastes,
// which several workspaces may share. It is safe for concurrent use.
type Notebook struct {
	workspace *workspace.Workspace
	tastes    string
	log       *slog.Logger
}

// New opens the notebook of a workspace. tastes is the folder of tastes; empty is
// the one in the user's config folder.
func New(w *workspace.Workspace, tastes string, log *slog.Logger) *Notebook {
	return &Notebook{workspace: w, tastes: tastes, log: log}
}
