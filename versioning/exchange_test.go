package versioning

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// grown makes a history of so many commits on main, of states that differ a little.
func grown(t testing.TB, commits int) *History {
	t.Helper()
	h := NewMemory(&Options{Durability: Relaxed})
	if _, err := h.Init(t.Context(), look(0), Change{Op: "ingest"}); err != nil {
		t.Fatal(err)
	}
	grow(t, h, 1, commits)
	return h
}

func grow(t testing.TB, h *History, from, commits int) {
	t.Helper()
	for i := from; i < from+commits; i++ {
		if _, _, err := h.Commit(t.Context(), look(i), Change{Op: "apply", Actor: "a", Entry: "exposure", Values: map[string]float64{"ev": float64(i)}}); err != nil {
			t.Fatal(err)
		}
	}
}

// look is a state of some thousand bytes.
func look(i int) []byte {
	var b strings.Builder
	random := rand.New(rand.NewPCG(7, 7))
	for line := range 60 {
		fmt.Fprintf(&b, "module %d %x\n", line, random.Uint64())
	}
	fmt.Fprintf(&b, "edit %d\n", i)
	return []byte(b.String())
}

func headID(t testing.TB, h *History) Hash {
	t.Helper()
	head, err := h.Head(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return head.Record.ID
}

// packAll packs all that leads to HEAD.
func packAll(t testing.TB, h *History, have ...Hash) (packs [][]byte, records int) {
	t.Helper()
	ids, err := h.MissingFrom(t.Context(), []Hash{headID(t, h)}, have)
	if err != nil {
		t.Fatal(err)
	}
	records = len(ids)
	for len(ids) > 0 {
		pack, n, err := h.Pack(t.Context(), ids)
		if err != nil || n == 0 {
			t.Fatal(n, err)
		}
		packs, ids = append(packs, pack), ids[n:]
	}
	return packs, records
}

func adopted(t testing.TB, packs [][]byte) *History {
	t.Helper()
	h := NewMemory(&Options{Durability: Relaxed})
	if _, err := h.Adopt(t.Context(), packs[0], nil); err != nil {
		t.Fatal(err)
	}
	for _, p := range packs {
		if _, err := h.Receive(t.Context(), p, nil); err != nil {
			t.Fatal(err)
		}
	}
	return h
}

func checkWhole(t testing.TB, h *History) {
	t.Helper()
	found, err := h.Verify(t.Context(), nil)
	if err != nil || len(found) > 0 {
		t.Errorf("the history is damaged: %v, %v", found, err)
	}
}

func TestAHistoryTravelsAsItIs(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	from := grown(t, 300)
	if _, err := from.Branch(t.Context(), "side", "HEAD~20"); err != nil {
		t.Fatal(err)
	}
	if _, err := from.Checkout(t.Context(), "side"); err != nil {
		t.Fatal(err)
	}
	grow(t, from, 1000, 5)
	merged, err := from.Resolve(t.Context(), "main")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := from.Commit(t.Context(), look(5000), Change{Op: "merge", Merged: []Hash{merged.ID}}); err != nil {
		t.Fatal(err)
	}
	packs, records := packAll(t, from)
	again, _ := packAll(t, from)
	if !slices.EqualFunc(packs, again, bytes.Equal) {
		t.Error("the same records make other bytes")
	}
	to := adopted(t, packs)
	if changed, err := to.Track(t.Context(), "nas", "side", headID(t, from)); !changed || err != nil {
		t.Fatal(changed, err)
	}
	checkWhole(t, to)
	want, n, err := from.Log(t.Context(), LogOptions{})
	if err != nil || n != records {
		t.Fatal(n, records, err)
	}
	for _, rec := range want {
		got, err := to.Record(t.Context(), rec.ID)
		if err != nil {
			t.Fatal(err)
		}
		state, err := to.State(t.Context(), got.State)
		if err != nil || HashOf(state) != rec.State {
			t.Fatal(err)
		}
	}
	if got, err := to.Resolve(t.Context(), "nas/side"); err != nil || got.ID != headID(t, from) {
		t.Errorf("nas/side is %v, %v", got.ID, err)
	}
	if base, err := to.MergeBase(t.Context(), "refs/remotes/nas/side", "HEAD"); err != nil || len(base.Parents) != 0 {
		t.Errorf("%v, %v", base, err)
	}
}

// Receiving twice is harmless, what is not led to goes with a prune, and the branch of
// the remote is forgotten on request.
func TestWhatWasReceivedIsKeptWhileARefLeadsToIt(t *testing.T) {
	t.Parallel()
	from := grown(t, 10)
	packs, _ := packAll(t, from)
	to := adopted(t, packs)
	if n, err := to.Receive(t.Context(), packs[0], nil); n != 0 || err != nil {
		t.Errorf("received again: %d, %v", n, err)
	}
	if _, err := to.Track(t.Context(), "nas", "main", headID(t, from)); err != nil {
		t.Fatal(err)
	}
	prune := func() int {
		t.Helper()
		done, err := to.Prune(t.Context(), PruneOptions{OlderThan: -1, Audit: Audit{"a", "b"}})
		if err != nil {
			t.Fatal(err)
		}
		checkWhole(t, to)
		return done.Records
	}
	if n := prune(); n != 0 {
		t.Errorf("prune took %d records that the remote's branch leads to", n)
	}
	if err := to.Untrack(t.Context(), "nas"); err != nil {
		t.Fatal(err)
	}
	if n := prune(); n != 10 {
		t.Errorf("prune took %d records, want 10", n)
	}
	if n, err := to.Receive(t.Context(), packs[0], nil); n != 10 || err != nil {
		t.Errorf("received after the prune: %d, %v", n, err)
	}
	checkWhole(t, to)
}

func TestOnlyWhatIsMissingIsPacked(t *testing.T) {
	t.Parallel()
	h := grown(t, 50)
	at, err := h.Resolve(t.Context(), "HEAD~10")
	if err != nil {
		t.Fatal(err)
	}
	if _, n := packAll(t, h, at.ID); n != 10 {
		t.Errorf("%d records, want 10", n)
	}
	if _, n := packAll(t, h, HashOf([]byte("unknown"))); n != 51 {
		t.Errorf("%d records, want 51", n)
	}
	if ids, err := h.MissingFrom(t.Context(), []Hash{at.ID}, []Hash{headID(t, h)}); len(ids) != 0 || err != nil {
		t.Errorf("%v, %v", ids, err)
	}
}

func TestAPackHasAtMost13TenthsOfTheJournal(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	h := grown(t, 1000)
	var journal bytes.Buffer
	if _, err := h.Export(t.Context(), &journal); err != nil {
		t.Fatal(err)
	}
	packs, _ := packAll(t, h)
	total := 0
	for _, p := range packs {
		total += len(p)
	}
	t.Logf("1,000 snapshots: %d bytes on disk, %d in %d packs", journal.Len(), total, len(packs))
	if float64(total) > 1.3*float64(journal.Len()) || len(packs) > 2 {
		t.Error("it is too large")
	}
}

func TestRecordsThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	from := grown(t, 10)
	packs, _ := packAll(t, from)
	mine, other := adopted(t, packs), grown(t, 1)
	if _, err := other.Receive(t.Context(), packs[0], nil); !errors.Is(err, Conflict) {
		t.Errorf("another history: %v", err)
	}
	if _, err := other.Adopt(t.Context(), packs[0], nil); !errors.Is(err, Conflict) {
		t.Errorf("adopted over another history: %v", err)
	}
	grow(t, from, 100, 10)
	tip, err := from.Resolve(t.Context(), "HEAD~5")
	if err != nil {
		t.Fatal(err)
	}
	late, _ := packAll(t, from, tip.ID)
	if _, err := mine.Receive(t.Context(), late[0], nil); !errors.Is(err, Missing) {
		t.Errorf("without its parents: %v", err)
	}
	if _, err := mine.Track(t.Context(), "nas", "main", headID(t, from)); !errors.Is(err, Missing) {
		t.Errorf("a record that is not here: %v", err)
	}
	refused := errors.New("refused")
	whole, _ := packAll(t, from)
	if _, err := mine.Receive(t.Context(), whole[0], func([]byte) error { return refused }); !errors.Is(err, refused) {
		t.Errorf("a state that is refused: %v", err)
	}
	checkWhole(t, mine)
	checkWhole(t, other)
}

func TestEveryFlippedBitOfAPackIsFound(t *testing.T) {
	t.Parallel()
	packs, _ := packAll(t, grown(t, 3))
	pack := packs[0]
	for i := range pack {
		for bit := range 8 {
			bad := bytes.Clone(pack)
			bad[i] ^= 1 << bit
			var err error
			for _, err = range ReadPack(t.Context(), bad) {
				if err != nil {
					break
				}
			}
			if err == nil {
				t.Fatalf("bit %d of byte %d is flipped, and nobody sees it", bit, i)
			}
		}
	}
}

func TestASaltedPackHasTheSameRecords(t *testing.T) {
	t.Parallel()
	from := grown(t, 3)
	packs, _ := packAll(t, from)
	salted := SaltPack(packs[0], "ABC123")
	if bytes.Equal(salted, packs[0]) || !bytes.Equal(SaltPack(salted, "x"), SaltPack(packs[0], "x")) {
		t.Error("a salt makes no other pack, or is not replaced")
	}
	h := adopted(t, [][]byte{salted})
	if _, err := h.Receive(t.Context(), salted, nil); err != nil {
		t.Error(err)
	}
	if _, err := h.Record(t.Context(), headID(t, from)); err != nil {
		t.Error(err)
	}
	for _, salt := range []string{"", "a b", strings.Repeat("a", 64), "é"} {
		for _, err := range ReadPack(t.Context(), SaltPack(packs[0], salt)) {
			if !errors.Is(err, Corrupt) {
				t.Errorf("a salt of %q: %v", salt, err)
			}
		}
	}
}

func FuzzReceive(f *testing.F) {
	from := grown(f, 3)
	packs, _ := packAll(f, from)
	f.Add(packs[0])
	f.Add(packs[0][:len(packs[0])-5])
	f.Add([]byte(packMagic + "\n"))
	f.Add(SaltPack(packs[0], "salt"))
	base, err := from.Resolve(f.Context(), "baseline")
	if err != nil {
		f.Fatal(err)
	}
	rest, _ := packAll(f, from, base.ID)
	f.Add(rest[0])
	f.Fuzz(func(t *testing.T, pack []byte) {
		h := adopted(t, packs)
		_, err := h.Receive(t.Context(), pack, nil)
		if err != nil && KindOf(err) == "" {
			t.Errorf("an error of no kind: %v", err)
		}
		checkWhole(t, h)
	})
}
