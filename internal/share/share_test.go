package share

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/objects"
	"github.com/chemigram/chemigram/objects/objectstest"
	"github.com/chemigram/chemigram/versioning"
)

const mainBranch = headsPrefix + "main"

// place is a workspace: a history, and the remote as it sees it.
type workspace struct {
	t       testing.TB
	name    string
	history *versioning.History
	remote  *Remote
	image   versioning.Hash
	edits   int
}

func newRemote(s objects.Store) *Remote {
	r := New("nas", s)
	r.pause = time.Microsecond
	return r
}

// began makes the workspace where an image comes from.
func began(t testing.TB, s objects.Store) *workspace {
	t.Helper()
	w := &workspace{t: t, name: "ann", history: versioning.NewMemory(&versioning.Options{Durability: versioning.Relaxed}), remote: newRemote(s)}
	rec, err := w.history.Init(t.Context(), look("baseline"), versioning.Change{Op: "ingest"})
	if err != nil {
		t.Fatal(err)
	}
	w.image = rec.ID
	return w
}

// joined makes another workspace, which fetches all.
func (w *workspace) joined(name string) *workspace {
	w.t.Helper()
	other := &workspace{t: w.t, name: name, history: versioning.NewMemory(&versioning.Options{Durability: versioning.Relaxed}), remote: newRemote(w.remote.store), image: w.image}
	if got, err := other.fetch(); err != nil || !got.There {
		w.t.Fatal(got, err)
	}
	other.forward()
	return other
}

// look is a state of about a kilobyte.
func look(edit string) []byte {
	var b strings.Builder
	random := rand.New(rand.NewPCG(7, 7))
	for line := range 30 {
		fmt.Fprintf(&b, "module %d %x\n", line, random.Uint64())
	}
	return fmt.Appendf(nil, "%sedit %s\n", b.String(), edit)
}

func (w *workspace) edit(n int) {
	w.t.Helper()
	for range n {
		w.edits++
		state := look(fmt.Sprintf("%s %d", w.name, w.edits))
		if _, _, err := w.history.Commit(w.t.Context(), state, versioning.Change{Op: "apply", Actor: w.name}); err != nil {
			w.t.Fatal(err)
		}
	}
}

func (w *workspace) head() versioning.Hash {
	w.t.Helper()
	head, err := w.history.Head(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return head.Record.ID
}

func (w *workspace) push() (Pushed, error) {
	return w.remote.Push(w.t.Context(), Push{History: w.history, Image: w.image, Ref: mainBranch, To: w.head(), Actor: w.name})
}

func (w *workspace) mustPush() Pushed {
	w.t.Helper()
	done, err := w.push()
	if err != nil {
		w.t.Fatal(err)
	}
	return done
}

func (w *workspace) fetch() (Fetched, error) {
	return w.remote.Fetch(w.t.Context(), Fetch{History: w.history, Image: w.image, Ref: mainBranch})
}

// forward goes on to the remote's branch, by a merge where both have something.
func (w *workspace) forward() {
	w.t.Helper()
	ctx := w.t.Context()
	theirs, err := w.history.Resolve(ctx, "nas/main")
	if err != nil {
		w.t.Fatal(err)
	}
	ours := w.head()
	missing := func(tip, have versioning.Hash) int {
		ids, err := w.history.MissingFrom(ctx, []versioning.Hash{tip}, []versioning.Hash{have})
		if err != nil {
			w.t.Fatal(err)
		}
		return len(ids)
	}
	switch {
	case missing(theirs.ID, ours) == 0:
	case missing(ours, theirs.ID) == 0:
		_, _, err = w.history.Reset(ctx, theirs.ID.String())
	default:
		w.edits++
		_, _, err = w.history.Commit(ctx, look(fmt.Sprintf("%s merges %d", w.name, w.edits)), versioning.Change{Op: "merge", Merged: []versioning.Hash{theirs.ID}})
	}
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *workspace) pull() error {
	_, err := w.fetch()
	if err == nil {
		w.forward()
	}
	return err
}

// comesFrom reports whether all of some snapshots lead to HEAD.
func (w *workspace) comesFrom(ids ...versioning.Hash) bool {
	w.t.Helper()
	missing, err := w.history.MissingFrom(w.t.Context(), ids, []versioning.Hash{w.head()})
	return err == nil && len(missing) == 0
}

// whole fails when the remote or a history is damaged.
func whole(t testing.TB, s objects.Store, places ...*workspace) {
	t.Helper()
	found, err := newRemote(s).Verify(t.Context(), nil)
	if err != nil || len(found) > 0 {
		t.Errorf("the remote is damaged: %v, %v", found, err)
	}
	for _, w := range places {
		if found, err := w.history.Verify(t.Context(), nil); err != nil || len(found) > 0 {
			t.Errorf("the history of %s is damaged: %v, %v", w.name, found, err)
		}
	}
}

func TestATrainRide(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.edit(3)
	ann.mustPush()
	ben := ann.joined("ben")
	if ben.head() != ann.head() {
		t.Fatal("ben has another picture")
	}
	ann.edit(50)
	ben.edit(50)
	anns, bens := ann.head(), ben.head()
	ann.mustPush()
	_, err := ben.push()
	var conflict *fault.Error
	if !errors.As(err, &conflict) || conflict.Kind != fault.Versioning || conflict.Details["winner"] != anns.String() || conflict.Details["winner_actor"] != "ann" {
		t.Fatalf("ben's push: %v", err)
	}
	if err := ben.pull(); err != nil {
		t.Fatal(err)
	}
	ben.mustPush()
	if err := ann.pull(); err != nil {
		t.Fatal(err)
	}
	if ann.head() != ben.head() || !ann.comesFrom(anns, bens) {
		t.Error("an edit is missing after the reunion")
	}
	if done := ann.mustPush(); done.Changed {
		t.Errorf("pushed again: %+v", done)
	}
	whole(t, store, ann, ben)
}

// What a push of many snapshots, a fetch of few, and one edit cost in requests.
func TestCosts(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.edit(1000)
	var journal bytes.Buffer
	if _, err := ann.history.Export(t.Context(), &journal); err != nil {
		t.Fatal(err)
	}
	requests := func() int {
		n := 0
		for _, count := range store.Requests() {
			n += count
		}
		return n
	}
	done := ann.mustPush()
	_, total := store.Bytes()
	n := requests()
	t.Logf("push of 1,000: %d requests, %d packs, %d bytes there, %d on disk", n, done.Packs, total, journal.Len())
	if n > 20+done.Packs || float64(total) > 1.3*float64(journal.Len()) {
		t.Error("that is too much")
	}
	ben := ann.joined("ben")
	t.Logf("first fetch of 1,000: %d requests", requests())
	ann.edit(1)
	ann.mustPush()
	n = requests()
	t.Logf("push of one edit: %d requests", n)
	if n > 4 {
		t.Errorf("%d requests for one edit", n)
	}
	if err := ben.pull(); err != nil {
		t.Fatal(err)
	}
	n = requests()
	t.Logf("fetch of one edit: %d requests", n)
	if n > 4 {
		t.Errorf("%d requests for one edit", n)
	}
}

// A fetch of ten new snapshots costs the same on top of few and of many.
func TestAFetchDoesNotDependOnWhatIsThere(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	cost := func(before int) (requests int, received int64) {
		store := objectstest.NewMemory()
		ann := began(t, store)
		ann.edit(before)
		ann.mustPush()
		ben := ann.joined("ben")
		ann.edit(10)
		ann.mustPush()
		store.Requests()
		got, err := ben.fetch()
		if err != nil || got.Snapshots != 10 {
			t.Fatal(got, err)
		}
		return store.Requests()["Get"], got.Bytes
	}
	few, fewBytes := cost(10)
	many, manyBytes := cost(3000)
	t.Logf("ten new snapshots: %d requests and %d bytes on top of 10, %d and %d on top of 3,000", few, fewBytes, many, manyBytes)
	if many > few || manyBytes > fewBytes+fewBytes/10 {
		t.Error("it depends on what is there")
	}
}

// Who begins late reads blocks, and not a pack for each move.
func TestALongLogIsReadInBlocks(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.mustPush()
	var joined *workspace
	for i := range 200 {
		if i == 70 {
			joined = ann.joined("ben")
		}
		ann.edit(1)
		ann.mustPush()
	}
	store.Requests()
	late := ann.joined("cleo")
	n := store.Requests()["Get"]
	t.Logf("201 moves: %d requests to begin", n)
	if n > 60 {
		t.Errorf("%d requests", n)
	}
	if err := joined.pull(); err != nil {
		t.Fatal(err)
	}
	if late.head() != ann.head() || joined.head() != ann.head() {
		t.Error("somebody has another picture")
	}
	whole(t, store, ann, late, joined)
}

// A new branch sends what the remote's others do not have, and is fetched alone.
func TestANewBranchGoesOnFromAnother(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.edit(100)
	ann.mustPush()
	ctx := t.Context()
	if _, err := ann.history.Branch(ctx, "Schwarz/weiß", "HEAD~3"); err != nil {
		t.Fatal(err)
	}
	if _, err := ann.history.Checkout(ctx, "Schwarz/weiß"); err != nil {
		t.Fatal(err)
	}
	ann.edit(2)
	push := Push{History: ann.history, Image: ann.image, Ref: headsPrefix + "Schwarz/weiß", To: ann.head()}
	done, err := ann.remote.Push(ctx, push)
	if err != nil || done.Snapshots != 2 {
		t.Fatal(done, err)
	}
	tag := Push{History: ann.history, Image: ann.image, Ref: tagsPrefix + "v1", To: ann.head()}
	if done, err := ann.remote.Push(ctx, tag); err != nil || done.Snapshots != 0 || !done.Changed {
		t.Fatal(done, err)
	}
	ann.edit(1)
	tag.To = ann.head()
	if _, err := ann.remote.Push(ctx, tag); !errors.Is(err, fault.Versioning) {
		t.Errorf("a tag was moved: %v", err)
	}
	refs, err := ann.remote.Branches(ctx, ann.image)
	if want := []string{push.Ref, mainBranch, tagsPrefix + "v1"}; err != nil || !slices.Equal(refs, want) {
		t.Errorf("branches %q, %v", refs, err)
	}
	ben := &workspace{t: t, name: "ben", history: versioning.NewMemory(nil), remote: newRemote(store), image: ann.image}
	got, err := ben.remote.Fetch(ctx, Fetch{History: ben.history, Image: ann.image, Ref: push.Ref})
	if err != nil || got.To != push.To {
		t.Fatal(got, err)
	}
	whole(t, store, ann, ben)
}

func TestEveryFlippedBitOfARemoteIsFound(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	if _, err := ann.remote.Identify(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := ann.remote.Describe(t.Context(), Image{First: ann.image, ImageID: "a", Raw: ann.image.String(), RawName: "a.dng"}); err != nil {
		t.Fatal(err)
	}
	ann.edit(2)
	ann.mustPush()
	ann.edit(1)
	ann.mustPush()
	names, total := store.Bytes()
	flips := 0
	for _, name := range names {
		data := store.Object(name)
		for i := range data {
			bad := bytes.Clone(data)
			bad[i] ^= 1 << (i % 8)
			store.Put(name, bad)
			found, err := newRemote(store).Verify(t.Context(), nil)
			if err != nil || len(found) == 0 {
				t.Fatalf("byte %d of %s is damaged, and nobody sees it: %v", i, name, err)
			}
			flips++
		}
		store.Put(name, nil)
		if found, err := newRemote(store).Verify(t.Context(), nil); err != nil || len(found) == 0 && !strings.HasPrefix(name, branchesFolder) && name != identityName &&
			!strings.HasPrefix(name, imagesFolder) && !strings.HasSuffix(name, "2") { // the newest move
			t.Errorf("%s is missing, and nobody sees it: %v", name, err)
		}
		store.Put(name, data)
	}
	t.Logf("%d flips in %d objects of %d bytes", flips, len(names), total)
	whole(t, store, ann)
}

// A damaged object is refused by who fetches, too, and changes nothing there.
func TestADamagedObjectIsNotFetched(t *testing.T) {
	t.Parallel()
	store := objectstest.NewMemory()
	ann := began(t, store)
	ann.edit(1)
	ann.mustPush()
	ben := ann.joined("ben")
	ann.edit(2)
	ann.mustPush()
	before := ben.head()
	names, _ := store.Bytes()
	damaged := 0
	for _, name := range names {
		data := store.Object(name)
		for _, i := range []int{0, len(data) / 2, len(data) - 1} {
			bad := bytes.Clone(data)
			bad[i] ^= 4
			store.Put(name, bad)
			fresh := &workspace{t: t, name: "ben", history: ben.history, remote: newRemote(store), image: ben.image}
			_, err := fresh.fetch()
			if err != nil {
				damaged++
				if !errors.Is(err, fault.Versioning) {
					t.Errorf("%s: %v", name, err)
				}
			}
		}
		store.Put(name, data)
	}
	if damaged < 6 {
		t.Errorf("%d damages were noticed", damaged)
	}
	if ben.head() != before {
		t.Error("the branch has moved")
	}
	whole(t, store, ann, ben)
}

// Three workspaces edit, push and pull at random through a network that fails: no
// acknowledged move is lost, and no branch leads to what is not there.
func TestAWalkThroughABadNetwork(t *testing.T) {
	t.Parallel()
	for seed := range uint64(6) {
		memory := objectstest.NewMemory()
		network := objectstest.NewFaulty(memory, objectstest.Faults{
			LoseRequest: 0.1, LoseAnswer: 0.1, Duplicate: 0.1, Late: 0.05, Delay: 200 * time.Microsecond,
		}, seed)
		ann := began(t, network)
		for {
			if _, err := ann.push(); err == nil {
				break
			}
		}
		places := []*workspace{ann, ann.joined("ben"), ann.joined("cleo")}
		var mu sync.Mutex
		var acknowledged []versioning.Hash
		var all sync.WaitGroup
		for i, w := range places {
			all.Go(func() {
				random := rand.New(rand.NewPCG(seed, uint64(i)))
				for range 30 {
					switch random.IntN(3) {
					case 0:
						w.edit(1 + random.IntN(3))
					case 1:
						if done, err := w.push(); err == nil {
							mu.Lock()
							acknowledged = append(acknowledged, done.To)
							mu.Unlock()
						} else if !errors.Is(err, fault.Versioning) && !errors.Is(err, fault.State) {
							t.Errorf("push: %v", err)
						}
					case 2:
						if err := w.pull(); err != nil && !errors.Is(err, fault.State) {
							t.Errorf("pull: %v", err)
						}
					}
				}
			})
		}
		all.Wait()
		network.Settle()
		last := &workspace{t: t, name: "dan", history: versioning.NewMemory(nil), remote: newRemote(memory), image: ann.image}
		if err := last.pull(); err != nil {
			t.Fatal(err)
		}
		if !last.comesFrom(acknowledged...) {
			t.Errorf("seed %d: a move that was acknowledged is lost", seed)
		}
		whole(t, memory, places...)
	}
}

// Whose answer is always lost finds out what became of the move.
func TestALostAnswerIsSettled(t *testing.T) {
	t.Parallel()
	memory := objectstest.NewMemory()
	ann := began(t, memory)
	ann.mustPush()
	ann.edit(1)
	ann.remote = New("nas", &loseCreates{Memory: memory})
	ann.remote.pause = time.Microsecond
	ann.remote.probed = true
	if done := ann.mustPush(); !done.Changed || done.Move != 2 {
		t.Errorf("%+v", done)
	}
	whole(t, memory, ann)
}

// A store that writes over objects is not pushed to.
func TestAStoreWithoutCreateOnlyWritesIsRefused(t *testing.T) {
	t.Parallel()
	memory := objectstest.NewMemory()
	ann := began(t, objectstest.NewFaulty(memory, objectstest.Faults{IgnoreCreateOnly: true}, 1))
	if _, err := ann.push(); !errors.Is(err, objects.Unsuitable) {
		t.Errorf("got %v", err)
	}
	if names, _ := memory.Bytes(); len(names) > 0 {
		t.Errorf("%v was written", names)
	}
}

func TestRefsBecomePartsOfNames(t *testing.T) {
	t.Parallel()
	seen := map[string]string{}
	for _, ref := range []string{
		"main", "Main", "MAIN", "con", "a/b", "a-b", "a.b", "ä", "=61", "a", strings.Repeat("x", 200), strings.Repeat("x", 201), strings.Repeat("Ü", 100),
	} {
		for _, full := range []string{headsPrefix + ref, tagsPrefix + ref} {
			part, err := refPart(full)
			if err != nil {
				t.Fatal(err)
			}
			if err := objects.CheckName(moveName(versioning.Hash{}, part, 1<<60)); err != nil {
				t.Error(err)
			}
			if other := cmp.Or(seen[part], full); other != full {
				t.Errorf("%s and %s are both %s", full, other, part)
			}
			seen[part] = full
		}
	}
}
