package share

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/objects/objectstest"
	"github.com/chemigram/chemigram/versioning"
)

// loseCreates makes objects and never says so.
type loseCreates struct{ *objectstest.Memory }

func (l *loseCreates) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	if err := l.Memory.Create(ctx, name, content); err != nil {
		return err
	}
	return &objects.Error{Op: "Create", Kind: objects.Unreachable, Name: name}
}

// A remote that somebody else writes to may hold anything that its format allows.
func TestHostileMovesAreRefused(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.edit(1)
	ann.mustPush()
	ben := ann.joined("ben")
	tip, err := ann.remote.tip(t.Context(), ann.image, mainBranch)
	if err != nil {
		t.Fatal(err)
	}
	stranger := began(t, objectstest.NewMemory())
	stranger.edit(1)
	foreign, _, err := stranger.history.Pack(t.Context(), []versioning.Hash{stranger.image, stranger.head()})
	if err != nil {
		t.Fatal(err)
	}
	foreignSum, err := ann.remote.put(t.Context(), foreign)
	if err != nil {
		t.Fatal(err)
	}
	junk, err := ann.remote.put(t.Context(), []byte("chemigram pack 1\njunk"))
	if err != nil {
		t.Fatal(err)
	}
	good := func() move {
		return move{Format: 1, Image: ann.image, Ref: mainBranch, N: 2, Before: &tip.sum, Operation: "x", To: stranger.head()}
	}
	for name, spoil := range map[string]func(*move){
		"no pack":               func(*move) {},
		"a missing pack":        func(m *move) { m.Packs = []packed{{stranger.image, 100, 1}} },
		"another history":       func(m *move) { m.Packs = []packed{{foreignSum, int64(len(foreign)), 2}} },
		"junk":                  func(m *move) { m.Packs = []packed{{junk, 21, 1}} },
		"a size that is not so": func(m *move) { m.Packs = []packed{{foreignSum, 10, 2}} },
		"an impossible size":    func(m *move) { m.Packs = []packed{{foreignSum, 1 << 40, 2}} },
		"another move before":   func(m *move) { m.Before = &stranger.image },
		"none before":           func(m *move) { m.Before = nil },
		"onto in the middle":    func(m *move) { m.Onto = &place{"refs/heads/x", 1} },
		"another number":        func(m *move) { m.N = 3 },
		"another image":         func(m *move) { m.Image = stranger.image },
		"another branch":        func(m *move) { m.Ref = "refs/heads/x" },
		"a block to come":       func(m *move) { m.Blocks = []block{{9, nil}} },
		"a block of nothing":    func(m *move) { m.Blocks = []block{{1, []packed{{junk, 21, 1}}}} },
		"a later format":        func(m *move) { m.Format = 2 },
		"to nothing":            func(m *move) { m.To = versioning.Hash{} },
	} {
		m := good()
		spoil(&m)
		data, err := seal(m)
		if err != nil {
			t.Fatal(err)
		}
		store.Put(moveName(ann.image, "h-main", 2), data)
		fresh := &workspace{t: t, name: "ben", history: ben.history, remote: newRemote(store), image: ben.image}
		if _, err := fresh.fetch(); !errors.Is(err, fault.Versioning) {
			t.Errorf("%s: %v", name, err)
		}
		if found, err := newRemote(store).Verify(t.Context(), nil); err != nil || len(found) == 0 {
			t.Errorf("%s: verify finds nothing, %v", name, err)
		}
	}
	store.Put(moveName(ann.image, "h-main", 2), nil)
	store.Put(hashed(objectsFolder, junk), nil)
	if ben.head() != ann.head() {
		t.Error("the branch has moved")
	}
	whole(t, store, ann, ben)
}

// Branches that go on from each other have no end, and a fetch has.
func TestBranchesInACircleAreRefused(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.edit(1)
	for ref, onto := range map[string]string{"a": "b", "b": "a"} {
		data, err := seal(move{
			Format: 1, Image: ann.image, Ref: headsPrefix + ref, N: 1, Operation: "x", To: versioning.HashOf([]byte(ref)), Onto: &place{headsPrefix + onto, 1},
		})
		if err != nil {
			t.Fatal(err)
		}
		store.Put(moveName(ann.image, "h-"+ref, 1), data)
	}
	_, err := ann.remote.Fetch(t.Context(), Fetch{History: ann.history, Image: ann.image, Ref: headsPrefix + "a"})
	if !errors.Is(err, fault.Versioning) {
		t.Errorf("got %v", err)
	}
}

func FuzzDecodeMove(f *testing.F) {
	image := versioning.HashOf([]byte("image"))
	for _, m := range []move{
		{Format: 1, Image: image, Ref: mainBranch, N: 1, Operation: "x", To: image, Packs: []packed{{image, 10, 1}}},
		{Format: 1, Image: image, Ref: mainBranch, N: 64, Before: &image, Operation: "x", To: image, Blocks: []block{{0, []packed{{image, 10, 1}}}}},
	} {
		data, err := seal(m)
		if err != nil {
			f.Fatal(err)
		}
		text, _, _ := bytes.Cut(data, []byte("\n"))
		f.Add(text, m.N)
	}
	f.Fuzz(func(t *testing.T, text []byte, n uint64) {
		data, err := seal(raw(text))
		if err != nil {
			return // no JSON
		}
		m, err := decodeMove(data, image, mainBranch, n)
		if err == nil && (m.N != n || m.To.IsZero() || n > 1 && m.Before == nil) {
			t.Errorf("%s is a move", text)
		}
		if _, err := decodeMove(text, image, mainBranch, n); err == nil {
			t.Errorf("%q is a move without a digest", text)
		}
	})
}

// What says that there is an image, a branch, or what belongs to one comes from outside,
// too.
func FuzzSmallObjects(f *testing.F) {
	image := versioning.HashOf([]byte("image"))
	f.Add([]byte(`{"chemigram_image":1,"first":"`+image.String()+`","image_id":"a","raw":"ab","raw_name":"a.dng"}`), []byte(`{"chemigram_belongings":1,"files":{"notes.md":"x"}}`))
	f.Add([]byte(`{"chemigram_branch":1,"image":"`+image.String()+`","ref":"refs/heads/main"}`), []byte(`{}`))
	f.Fuzz(func(t *testing.T, text, files []byte) {
		data, err := seal(raw(text))
		if err != nil {
			return // no JSON
		}
		store := objectstest.NewMemory()
		r := newRemote(store)
		store.Put(imageName(image), data)
		store.Put(branchName(image, "h-main"), data)
		if i, err := r.Image(t.Context(), image); err == nil && (i.First != image || strings.ContainsAny(i.Raw+i.RawName, `/\`)) {
			t.Errorf("%s is an image", text)
		}
		if refs, err := r.Branches(t.Context(), image); err == nil && !slices.Equal(refs, []string{mainBranch}) {
			t.Errorf("%s are branches: %q", text, refs)
		}
		sum, err := r.put(t.Context(), files)
		if err != nil {
			t.Fatal(err)
		}
		if err := r.publish(t.Context(), &move{Format: 1, Image: image, Ref: belongingsRef, N: 1, Operation: "x", To: sum}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := r.Belongings(t.Context(), image); err != nil && !errors.Is(err, fault.Versioning) {
			t.Errorf("%s: %v", files, err)
		}
	})
}

type raw []byte

func (r raw) MarshalJSON() ([]byte, error) { return r, nil }
