package versioning

import (
	"bytes"
	"path"
	"strings"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// The verbs that write a new journal. Their transaction has a checkpoint.
const (
	verbRepair = "Repair"
	verbPrune  = "Prune"
)

func isRewrite(m *journal.Moves) bool {
	return m != nil && (m.Verb == verbRepair || m.Verb == verbPrune)
}

func isRepairTrash(name string) bool { return strings.HasSuffix(name, "-repair") }

// trashTime is how trash is named, so that names sort by time.
const trashTime = "20060102T150405.000000000Z"

// rewrite puts a new journal in place that has only the transactions that keep
// chooses, and last, which records why; the old journal goes to trash whole. The
// sequence numbers stay. v has no index, and is closed afterwards. The caller
// holds the lock.
func (v *view) rewrite(keep func(seq uint64) bool, last journal.Transaction) error {
	h, now := v.history, last.Moves.Time
	content, err := v.Rewrite(now, keep, last)
	if err != nil {
		return err
	}
	old, err := storage.ReadFile(h.folder, journal.Name)
	if err != nil {
		return journal.FileError(journal.Name, err)
	}
	name := path.Join(trashName, now.Format(trashTime)+"-"+strings.ToLower(last.Moves.Verb))
	if err := h.replaceFile(name, bytes.NewReader(old)); err != nil {
		return err
	}
	v.Close() // Windows does not replace a file that is open
	h.clearCaches()
	if err := h.replaceFile(journal.Name, bytes.NewReader(content)); err != nil {
		return err
	}
	return h.completeIndex()
}
