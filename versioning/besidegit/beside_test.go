package besidegit

import (
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"

	"github.com/chemigram/chemigram/versioning"
)

// states are texts of 55 KB, of which each differs from the one before in a few
// numbers, as edits make them.
func states(n int) [][]byte {
	r := rand.New(rand.NewPCG(1, 1))
	raw := make([]byte, 27_500)
	for i := range raw {
		if r.IntN(3) == 0 {
			raw[i] = byte(r.Uint32())
		}
	}
	out := make([][]byte, n)
	for i := range out {
		at := r.IntN(len(raw) - 4)
		for k := range 4 {
			raw[at+k] = byte(r.Uint32())
		}
		out[i] = []byte(hex.EncodeToString(raw))
	}
	return out
}

// repository is a bare go-git repository: a blob, a tree and a commit for each
// state. It syncs nothing.
type repository struct {
	*git.Repository
	head plumbing.Hash
}

func newRepository(b testing.TB) *repository {
	r, err := git.PlainInit(b.TempDir(), true)
	if err != nil {
		b.Fatal(err)
	}
	return &repository{Repository: r}
}

func (r *repository) put(b testing.TB, encode func(plumbing.EncodedObject) error) plumbing.Hash {
	o := r.Storer.NewEncodedObject()
	if err := encode(o); err != nil {
		b.Fatal(err)
	}
	id, err := r.Storer.SetEncodedObject(o)
	if err != nil {
		b.Fatal(err)
	}
	return id
}

func (r *repository) snapshot(b testing.TB, state []byte) {
	blob := r.put(b, func(o plumbing.EncodedObject) error {
		o.SetType(plumbing.BlobObject)
		w, err := o.Writer()
		if err != nil {
			return err
		}
		if _, err := w.Write(state); err != nil {
			return err
		}
		return w.Close()
	})
	tree := object.Tree{Entries: []object.TreeEntry{{Name: "state", Mode: 0o100644, Hash: blob}}}
	who := object.Signature{Name: "agent", When: time.Unix(1, 0)}
	commit := object.Commit{Author: who, Committer: who, Message: "apply_primitive", TreeHash: r.put(b, tree.Encode)}
	if !r.head.IsZero() {
		commit.ParentHashes = []plumbing.Hash{r.head}
	}
	r.head = r.put(b, commit.Encode)
	if err := r.Storer.SetReference(plumbing.NewHashReference("refs/heads/main", r.head)); err != nil {
		b.Fatal(err)
	}
}

func newHistory(b testing.TB, d versioning.Durability) *versioning.History {
	h, err := versioning.Open(b.TempDir(), &versioning.Options{Durability: d})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := h.Init(b.Context(), []byte("begun"), versioning.Change{}); err != nil {
		b.Fatal(err)
	}
	return h
}

func commit(b testing.TB, h *versioning.History, state []byte) {
	if _, _, err := h.Commit(b.Context(), state, versioning.Change{Op: "apply_primitive", Actor: "agent"}); err != nil {
		b.Fatal(err)
	}
}

// inTurn runs calls one after the other, so that whatever else the machine does
// falls on all alike, and reports medians.
func inTurn(b *testing.B, calls map[string]func(), next func()) {
	b.Helper()
	took := map[string][]time.Duration{}
	for b.Loop() {
		for name, do := range calls {
			start := time.Now()
			do()
			took[name] = append(took[name], time.Since(start))
		}
		next()
	}
	for name, times := range took {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds()), name+"-µs")
	}
}

// BenchmarkSnapshot publishes states of 55 KB. go-git does so without fsync.
func BenchmarkSnapshot(b *testing.B) {
	all, i := states(500), 0
	durable, relaxed, r := newHistory(b, versioning.Full), newHistory(b, versioning.Relaxed), newRepository(b)
	inTurn(b, map[string]func(){
		"durable":              func() { commit(b, durable, all[i]) },
		"relaxed":              func() { commit(b, relaxed, all[i]) },
		"go-git-without-fsync": func() { r.snapshot(b, all[i]) },
	}, func() { i = (i + 1) % len(all) })
}

// checkout moves a ref to a commit and reads its state.
func (r *repository) checkout(tb testing.TB, id plumbing.Hash) string {
	if err := r.Storer.SetReference(plumbing.NewHashReference("refs/heads/here", id)); err != nil {
		tb.Fatal(err)
	}
	commit, err := r.CommitObject(id)
	if err != nil {
		tb.Fatal(err)
	}
	f, err := commit.File("state")
	if err != nil {
		tb.Fatal(err)
	}
	text, err := f.Contents()
	if err != nil {
		tb.Fatal(err)
	}
	return text
}

// checkout moves HEAD to a record and reads its state.
func checkout(tb testing.TB, h *versioning.History, id versioning.Hash) string {
	head, err := h.Checkout(tb.Context(), id.String())
	if err != nil {
		tb.Fatal(err)
	}
	state, err := h.State(tb.Context(), head.Record.State)
	if err != nil {
		tb.Fatal(err)
	}
	return string(state)
}

// BenchmarkCheckout goes to and fro between 20 of 100 states and reads them.
func BenchmarkCheckout(b *testing.B) {
	durable, relaxed, r := newHistory(b, versioning.Full), newHistory(b, versioning.Relaxed), newRepository(b)
	var ids []plumbing.Hash
	for _, state := range states(100) {
		commit(b, durable, state)
		commit(b, relaxed, state)
		r.snapshot(b, state)
		ids = append(ids, r.head)
	}
	recs := map[*versioning.History][]versioning.Record{}
	for _, h := range []*versioning.History{durable, relaxed} {
		var err error
		if recs[h], _, err = h.Log(b.Context(), versioning.LogOptions{Limit: 100}); err != nil {
			b.Fatal(err)
		}
	}
	i := 0
	inTurn(b, map[string]func(){
		"durable":              func() { checkout(b, durable, recs[durable][99-5*i].ID) },
		"relaxed":              func() { checkout(b, relaxed, recs[relaxed][99-5*i].ID) },
		"go-git-without-fsync": func() { r.checkout(b, ids[5*i]) },
	}, func() { i = (i + 1) % 20 })
}

// What is compared is the same: both give every state back.
func TestBothKeepEveryState(t *testing.T) {
	h, r := newHistory(t, versioning.Relaxed), newRepository(t)
	all := states(50)
	for _, state := range all {
		commit(t, h, state)
		r.snapshot(t, state)
	}
	recs, _, err := h.Log(t.Context(), versioning.LogOptions{Limit: len(all)})
	if err != nil {
		t.Fatal(err)
	}
	id := r.head
	for i, rec := range recs {
		want := string(all[len(all)-1-i])
		if ours, theirs := checkout(t, h, rec.ID), r.checkout(t, id); ours != want || theirs != want {
			t.Errorf("%d snapshots back: ours %v, go-git's %v", i, ours == want, theirs == want)
		}
		commit, err := r.CommitObject(id)
		if err != nil {
			t.Fatal(err)
		}
		if commit.NumParents() > 0 {
			id = commit.ParentHashes[0]
		}
	}
}

// BenchmarkLog lists 20 of 2,000 records.
func BenchmarkLog(b *testing.B) {
	const records = 2000
	h, r := newHistory(b, versioning.Relaxed), newRepository(b)
	for i := range records {
		state := fmt.Appendf(nil, "state %d", i)
		commit(b, h, state)
		r.snapshot(b, state)
	}
	inTurn(b, map[string]func(){
		"ours": func() {
			if recs, _, err := h.Log(b.Context(), versioning.LogOptions{Limit: 20}); err != nil || len(recs) != 20 {
				b.Fatal(err)
			}
		},
		"go-git": func() {
			commits, err := r.Log(&git.LogOptions{From: r.head})
			for range 20 {
				if err != nil {
					b.Fatal(err)
				}
				_, err = commits.Next()
			}
		},
	}, func() {})
}
