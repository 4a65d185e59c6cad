package vocab

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/chemigram/chemigram/xmp"
)

// Digest is a SHA-256 in hex of what an entry is: its file's own content, its style, the
// selection that its mask names, and the entry that it builds on. Of two entries with
// one digest, what was proven of one holds for the other.
func (e *Entry) Digest() string {
	h := sha256.New()
	text, err := json.Marshal(e)
	fmt.Fprintf(h, "%s %v\n", text, err)
	selection, err := json.Marshal(e.selection)
	fmt.Fprintf(h, "%s %v\n", selection, err)
	for _, s := range e.style {
		text, err := json.Marshal(struct {
			Op    Op
			Entry xmp.Entry
		}{s.op, s.entry})
		fmt.Fprintf(h, "%s %v\n", text, err)
	}
	if e.prerequisite != nil {
		fmt.Fprintln(h, e.prerequisite.Digest())
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Digest is a SHA-256 in hex of what a named mask is.
func (m *NamedMask) Digest() string {
	text, err := json.Marshal(m)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %v", text, err))
	return hex.EncodeToString(sum[:])
}
