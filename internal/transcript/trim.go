package transcript

import (
	"os"
	"strings"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/workspace"
)

const (
	// DefaultBytes is what the transcripts of a workspace have together at most, unless
	// its owner says otherwise.
	DefaultBytes = 256 << 20
	// mostTranscripts bounds their number: each time that a session begins they are
	// looked through.
	mostTranscripts = 5000
	// lockEnding ends the name of the file whose lock a session holds until it ends.
	lockEnding = ".lock"
)

// Trim removes the oldest transcripts until at most keep bytes are left, in 5,000 of
// them. A transcript that a living process writes stays. 0 is [DefaultBytes], and less
// keeps all.
func Trim(w *workspace.Workspace, keep int64) {
	if keep == 0 {
		keep = DefaultBytes
	}
	entries, err := os.ReadDir(w.Path(folder))
	if err != nil {
		return
	}
	for _, entry := range entries { // of killed processes
		if id, ok := strings.CutSuffix(entry.Name(), lockEnding); ok && validID.MatchString(id) {
			owned.Reclaim(w.Path(folder, entry.Name()), func() {})
		}
	}
	ids, err := List(w)
	if err != nil || keep < 0 {
		return
	}
	total := int64(0)
	for n, id := range ids { // newest first
		info, err := os.Lstat(w.Path(folder, id+ending))
		if err != nil {
			continue // another process has removed it
		}
		if total += info.Size(); n < mostTranscripts && total <= keep {
			continue
		}
		owned.Reclaim(w.Path(folder, id+lockEnding), func() {
			if w.Remove(folder, id+ending) == nil {
				total -= info.Size()
			}
		})
	}
}
