package versioning

import (
	"bytes"
	"compress/flate"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// hostile is a journal that claims more than it has. Its checksums fit.
type hostile struct {
	name    string
	journal []byte
	good    bool // it is large, and nothing is wrong with it
}

// hostileJournals are journals of one transaction with others behind it.
var hostileJournals = sync.OnceValue(func() []hostile {
	h := NewMemory(&Options{Now: ticking()})
	var b bytes.Buffer
	if _, err := h.Init(context.Background(), []byte("state 0"), Change{}); err != nil {
		panic(err)
	}
	if _, err := h.Export(context.Background(), &b); err != nil {
		panic(err)
	}
	with := func(frames ...[]byte) []byte { return slices.Concat(append([][]byte{b.Bytes()}, frames...)...) }
	tag := section('M', []byte(`{"time":"2026-11-21T10:15:02Z","verb":"Tag","moves":[{"ref":"refs/tags/x","to":1}]}`))
	prune := slices.Concat(
		section('M', []byte(`{"time":"2026-11-21T10:15:02Z","verb":"Prune"}`)),
		section('C', []byte(`{"head":{"symbolic":"refs/heads/main"},"refs":{"refs/heads/main":{"to":1,"at":1}}}`)))
	zeros := make([]byte, 60<<20)
	large, larger := stateSection(zeros[:30<<20], 0), stateSection(zeros, 0)
	var states, tooLarge, chain [][]byte
	for seq := uint64(2); seq < 5; seq++ {
		states, tooLarge = append(states, frame(seq, large)), append(tooLarge, frame(seq, larger))
	}
	chain = append(chain, frame(2, stateSection(zeros[:1<<10], 0)))
	for seq := uint64(3); seq < 2000; seq++ {
		chain = append(chain, frame(seq, differenceSection(seq-1, 1<<10)))
	}
	return []hostile{
		{"the number 2^40", with(frame(1<<40, tag)), false},
		{"the number 2^64-1", with(frame(1<<64-1, tag)), false},
		{"a million before a tag", with(frame(1<<20-2, tag)), false},
		{"a million before a prune", with(frame(1<<20-2, prune)), true},
		{"states of 30 MB", with(states...), true},
		{"states of 60 MB", with(tooLarge...), false},
		{"a chain of 2,000 differences", with(chain...), false},
		{"a state of a length that nobody wrote", with(frame(2, stateSection([]byte("x"), 31<<20))), false},
	}
})

func section(kind byte, body []byte) []byte {
	return append(binary.AppendUvarint([]byte{kind}, uint64(len(body))), body...)
}

// stateSection is a whole state; length, if not 0, is the one that it claims.
func stateSection(text []byte, length int) []byte {
	if length == 0 {
		length = len(text)
	}
	sum := sha256.Sum256(text)
	body := append(sum[:], 0, 0) // whole, and so of depth 0
	body = binary.AppendUvarint(body, uint64(length))
	return section('S', append(body, deflated(text)...))
}

// differenceSection is a state of zeros that is a copy of another, and claims that
// this one is whole.
func differenceSection(base uint64, length int) []byte {
	sum := sha256.Sum256(make([]byte, length))
	body := binary.AppendUvarint(sum[:], base)
	body = append(body, 0)
	body = binary.AppendUvarint(body, uint64(length))
	ops := binary.AppendVarint(binary.AppendUvarint(nil, uint64(length)<<1|1), 0)
	return section('S', append(body, deflated(ops)...))
}

func deflated(text []byte) []byte {
	var b bytes.Buffer
	w, err := flate.NewWriter(&b, flate.BestCompression)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}

func TestAHostileBundleIsRefused(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	for _, one := range hostileJournals() {
		t.Run(one.name, func(t *testing.T) {
			t.Logf("%d bytes", len(one.journal))
			h := NewMemory(nil)
			_, err := h.Import(t.Context(), bytes.NewReader(one.journal))
			if !one.good {
				wantKind(t, err, Corrupt)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			wantClean(t, h)
			commit(t, h, "the next state")
			wantClean(t, h)
		})
	}
}

// A journal like that in a folder is as harmless: it opens, and Verify and Repair
// end.
func TestAHostileJournalInAFolder(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	for _, one := range hostileJournals() {
		t.Run(one.name, func(t *testing.T) {
			m := storage.NewMemory()
			m.Put(journal.Name, one.journal)
			h, err := open(m, nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := h.Verify(t.Context(), &VerifyOptions{Repair: true}); err != nil {
				t.Error(err)
			}
			wantClean(t, h)
			commit(t, h, "the next state")
		})
	}
}

func TestABundleThatIsWrittenToWhileItIsRead(t *testing.T) {
	t.Parallel()
	from := NewMemory(nil)
	populate(t, from)
	bundle := &changing{Reader: bytes.NewReader(export(t, from))}
	h, err := open(&watched{storage.NewMemory(), func() { bundle.changed = true }}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = h.Import(t.Context(), bundle)
	wantKind(t, err, Corrupt)
	if _, err := h.Head(t.Context()); KindOf(err) != NotInitialised {
		t.Errorf("something came in: %v", err)
	}
}

// changing is a file whose last byte can become another one.
type changing struct {
	*bytes.Reader
	changed bool
}

func (c *changing) ReadAt(p []byte, off int64) (int, error) {
	n, err := c.Reader.ReadAt(p, off)
	if c.changed && n > 0 && off+int64(n) == c.Size() {
		p[n-1] ^= 1
	}
	return n, err
}

// watched is a folder that tells when a file is made in it.
type watched struct {
	storage.Folder
	made func()
}

func (w *watched) Create(name string) (storage.File, error) {
	w.made()
	return w.Folder.Create(name)
}

func FuzzImport(f *testing.F) {
	testutil.SkipShort(f)
	h := NewMemory(&Options{Now: ticking()})
	if _, err := h.Init(f.Context(), []byte("state 0"), Change{}); err != nil {
		f.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := h.Export(f.Context(), &b); err != nil {
		f.Fatal(err)
	}
	f.Add(b.Bytes())
	for _, one := range hostileJournals() {
		if len(one.journal) < 100<<10 {
			f.Add(one.journal)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		h := NewMemory(nil)
		if _, err := h.Import(t.Context(), bytes.NewReader(data)); err != nil {
			return
		}
		if found, err := h.Verify(t.Context(), nil); err != nil || len(found) > 0 {
			t.Errorf("what came in has %v, %v", found, err)
		}
		if got := export(t, h); !bytes.Equal(got, data) {
			t.Error("it goes out otherwise than it came in")
		}
	})
}

func ExampleOpenBundle() {
	ctx := context.Background()
	h := NewMemory(nil)
	if _, err := h.Init(ctx, []byte("a look"), Change{Op: "ingest"}); err != nil {
		panic(err)
	}
	var b bytes.Buffer
	if _, err := h.Export(ctx, &b); err != nil {
		panic(err)
	}
	bundle, err := OpenBundle(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		panic(err)
	}
	head, err := bundle.Head(ctx)
	fmt.Println(head.Record.Op, err)
	// Output: ingest <nil>
}
