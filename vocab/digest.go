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

// DevelopmentDigest is a SHA-256 in hex of what an entry does to a picture: its ops or
// its style, where they work, its parameters' defaults and neutral values, and the entry
// that it builds on. Words, claims, intents and ranges are not part of it: what was
// measured of a value of one entry holds for each with the same digest.
func (e *Entry) DevelopmentDigest() string {
	type parameter struct {
		Name             string
		Default, Neutral float64
	}
	parameters := make([]parameter, len(e.Parameters))
	for i, p := range e.Parameters {
		parameters[i] = parameter{p.Name, p.Default, p.Neutral}
	}
	does := Entry{
		Ops: e.Ops, Mask: e.Mask, Region: e.Region, selection: e.selection, style: e.style,
	}
	digests := []string{does.Digest()}
	if e.prerequisite != nil {
		digests = append(digests, e.prerequisite.DevelopmentDigest())
	}
	text, err := json.Marshal([]any{parameters, e.withoutNeutral, digests})
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %v", text, err))
	return hex.EncodeToString(sum[:])
}

// Digest is a SHA-256 in hex of what a named mask is.
func (m *NamedMask) Digest() string {
	text, err := json.Marshal(m)
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %v", text, err))
	return hex.EncodeToString(sum[:])
}
