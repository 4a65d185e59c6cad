package share

import (
	"crypto/sha256"
	"errors"
	"time"

	"github.com/chemigram/chemigram/versioning"
)

// move is one move of a branch or a tag.
type move struct {
	Format int             `json:"chemigram_move"` // 1
	Image  versioning.Hash `json:"image"`
	Ref    string          `json:"ref"` // full name
	N      uint64          `json:"n"`
	// Before is the SHA-256 of the move before this one, as it is stored.
	Before *versioning.Hash `json:"before,omitempty"`
	// Operation tells this move from every other.
	Operation string    `json:"operation"`
	Time      time.Time `json:"time"`
	Actor     string    `json:"actor,omitempty"`
	// To is the snapshot where the branch is now.
	To versioning.Hash `json:"to"`
	// Packs have, one after another, the snapshots that lead to To and not to where the
	// branch was before.
	Packs []packed `json:"packs,omitempty"`
	// Onto is, of a first move, the move of another branch from whose snapshots this one
	// goes on.
	Onto *place `json:"onto,omitempty"`
	// Blocks have the same snapshots as the packs of several moves, up to this one.
	Blocks []block `json:"blocks,omitempty"`

	sum versioning.Hash // of its bytes
}

// packed names a pack.
type packed struct {
	SHA256  versioning.Hash `json:"sha256"`
	Bytes   int64           `json:"bytes"`
	Records int             `json:"records"`
}

// place is a move of a branch.
type place struct {
	Ref string `json:"ref"`
	N   uint64 `json:"n"`
}

// block is the packs of the snapshots since a move.
type block struct {
	After uint64   `json:"after"`
	Packs []packed `json:"packs"`
}

// moveFormat is the format of a move. A program refuses a newer one.
const moveFormat = 1

// The limits of what is read of a remote.
const (
	mostMove       = 4 << 20  // bytes
	mostSmall      = 64 << 10 // of what says that there is an image or a branch
	mostBelongings = 4 << 20
	mostHops       = 64 // from branch to branch
)

// decodeMove reads a move, which is the nth of a ref.
func decodeMove(data []byte, image versioning.Hash, ref string, n uint64) (*move, error) {
	m := &move{sum: sha256.Sum256(data)}
	if err := unseal(data, m); err != nil {
		return nil, err
	}
	switch {
	case m.Format > moveFormat:
		return nil, corrupt("it has format %d, and this program knows formats up to %d: use a newer Chemigram", m.Format, moveFormat)
	case m.Format < 1, m.Image != image, m.Ref != ref, m.N != n, n > 1 && m.Before == nil, n == 1 && m.Before != nil, m.Operation == "", m.To.IsZero():
		return nil, corrupt("it is another move than its name says")
	case m.Onto != nil && (n > 1 || m.Onto.N == 0 || m.Onto.Ref == ref):
		return nil, corrupt("it goes on from where no move can")
	}
	for _, b := range m.Blocks {
		if b.After >= n {
			return nil, corrupt("it has a block of moves that come later")
		}
	}
	for _, p := range m.allPacks() {
		if p.Bytes <= 0 || p.Bytes > versioning.MaxPack || p.Records <= 0 || p.Records > versioning.MaxPackRecords {
			return nil, corrupt("it names a pack of an impossible size")
		}
	}
	return m, nil
}

func (m *move) allPacks() []packed {
	all := m.Packs[:len(m.Packs):len(m.Packs)]
	for _, b := range m.Blocks {
		all = append(all, b.Packs...)
	}
	return all
}

// errNone says that there is no such move, yet.
var errNone = errors.New("there is no such move")
