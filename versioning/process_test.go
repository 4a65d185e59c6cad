package versioning

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/edittest"
)

// TestMain runs the tests, or the worker in a process that a test started.
func TestMain(m *testing.M) {
	os.Exit(testutil.RunTests(m, map[string]testutil.Work{"verbs": worker}))
}

// ack is what a worker reports after each method's call.
type ack struct {
	Dir    string
	Verb   string
	Record Hash   // what a Commit published
	Ref    string // what a Branch or Tag made
	Last   uint64 // the newest transaction, where the worker is alone
	Table  string // the refs then
}

// worker calls methods and reports what they returned. Its arguments are a seed,
// how many calls, whether it is alone, and the folders.
func worker(args []string) error {
	seed, _ := strconv.ParseUint(args[0], 10, 64)
	count, _ := strconv.Atoi(args[1])
	alone := args[2] == "true"
	var histories []*History
	for _, dir := range args[3:] {
		h, err := Open(dir, &Options{LockWait: time.Minute})
		if err != nil {
			return err
		}
		histories = append(histories, h)
	}
	r := rand.New(rand.NewPCG(seed, 2))
	s := edittest.New(seed, 8)
	out := json.NewEncoder(os.Stdout)
	for i := range count {
		at := r.IntN(len(histories))
		a, err := anyVerb(histories[at], r, s, fmt.Sprintf("p%d-%d", seed, i))
		switch KindOf(err) {
		case "":
			if err != nil {
				return err
			}
		case UnknownRef, Conflict, Detached, NothingToUndo, NothingToRedo:
			continue // conflicts with what the others do
		default:
			return fmt.Errorf("%s: %w", a.Verb, err)
		}
		a.Dir = args[3+at]
		if alone {
			if a.Last, a.Table, err = newest(histories[at]); err != nil {
				return err
			}
		}
		if err := out.Encode(a); err != nil {
			return err
		}
	}
	return nil
}

// newest returns the newest transaction and the refs after it.
func newest(h *History) (uint64, string, error) {
	v, err := h.view(false)
	if err != nil {
		return 0, "", err
	}
	defer v.Close()
	text, err := json.Marshal(v.refs)
	return v.Last(), string(text), err
}

func anyVerb(h *History, r *rand.Rand, s *edittest.Session, name string) (a ack, err error) {
	ctx := context.Background()
	a.Verb = []string{
		"commit", "commit", "commit", "commit", "label", "branch", "tag", "checkout", "main", "reset", "undo", "redo", "delete",
		"log", "read",
	}[r.IntN(15)]
	var rec Record
	var changed bool
	var ref Ref
	switch a.Verb {
	case "commit":
		if rec, changed, err = h.Commit(ctx, s.Edit(), Change{Op: "apply"}); changed {
			a.Record = rec.ID
		}
	case "label":
		rec, _, err = h.Commit(ctx, s.State(), Change{Op: "snapshot", Label: name})
		a.Record = rec.ID
	case "branch":
		ref, err = h.Branch(ctx, "b"+name, "")
		a.Ref = ref.Name
	case "tag":
		ref, err = h.Tag(ctx, "t"+name, "")
		a.Ref = ref.Name
	case "checkout":
		refs, readErr := h.Refs(ctx)
		if readErr != nil {
			return a, readErr
		}
		_, err = h.Checkout(ctx, refs[r.IntN(len(refs))].Name)
	case "main":
		_, err = h.Checkout(ctx, "main")
	case "reset":
		_, _, err = h.Reset(ctx, "HEAD~1")
	case "undo":
		_, err = h.Undo(ctx)
	case "redo":
		_, err = h.Redo(ctx)
	case "delete":
		if ref, err = h.Branch(ctx, "gone"+name, ""); err == nil {
			_, err = h.DeleteRef(ctx, ref.Name, Audit{"worker", "a test"})
		}
	case "log":
		_, _, err = h.Log(ctx, LogOptions{Limit: 5})
	case "read":
		var head Head
		if head, err = h.Head(ctx); err == nil {
			_, err = h.State(ctx, head.Record.State)
		}
	}
	return a, err
}

func startWorker(t *testing.T, seed uint64, count int, alone bool, dirs ...string) *testutil.Worker {
	t.Helper()
	return testutil.StartWorker(t, "verbs", append([]string{fmt.Sprint(seed), fmt.Sprint(count), fmt.Sprint(alone)}, dirs...)...)
}

func TestManyProcessesLoseNothing(t *testing.T) {
	t.Parallel()
	processes, verbs := 3, 20
	if inCI() {
		processes, verbs = 8, 200
	}
	var dirs []string
	for i := range 4 {
		dir := filepath.Join(t.TempDir(), fmt.Sprint(i))
		begin(t, must[*History](t)(Open(dir, nil)))
		dirs = append(dirs, dir)
	}
	workers := make([]*testutil.Worker, processes)
	for p := range workers {
		workers[p] = startWorker(t, uint64(p+1), verbs, false, dirs...)
	}
	acks := testutil.AllMessages[ack](t, workers...)
	t.Logf("%d processes reported %d calls", processes, len(acks))
	if len(acks) < processes*verbs/2 {
		t.Errorf("only %d verbs of %d succeeded", len(acks), processes*verbs)
	}
	for _, dir := range dirs {
		h := must[*History](t)(Open(dir, nil))
		wantClean(t, h)
		refs := must[[]Ref](t)(h.Refs(t.Context()))
		for _, a := range acks {
			if a.Dir != dir {
				continue
			}
			if !a.Record.IsZero() {
				rec := must[Record](t)(h.Record(t.Context(), a.Record))
				must[[]byte](t)(h.State(t.Context(), rec.State))
			}
			if a.Ref != "" && !slices.ContainsFunc(refs, func(r Ref) bool { return r.Name == a.Ref }) {
				t.Errorf("%s is not there", a.Ref)
			}
		}
	}
}

func TestAKilledProcessLosesNothing(t *testing.T) {
	t.Parallel()
	kills := int64(8)
	if inCI() {
		kills = 130 // beside the 70 of whole engines, in the root package
	}
	var started, killed, verbs atomic.Int64
	var wg sync.WaitGroup
	for lane := range uint64(4) {
		wg.Go(func() {
			dir := filepath.Join(t.TempDir(), fmt.Sprint(lane))
			begin(t, must[*History](t)(Open(dir, nil)))
			r := rand.New(rand.NewPCG(lane, 3))
			for life := uint64(0); started.Add(1) <= kills && !t.Failed(); life++ {
				verbs.Add(int64(killOne(t, r, lane*1000+life+1, dir)))
				killed.Add(1)
			}
		})
	}
	wg.Wait()
	t.Logf("killed %d processes after %d verbs", killed.Load(), verbs.Load())
	if killed.Load() != kills || verbs.Load() < kills {
		t.Errorf("%d kills after %d verbs, want %d kills", killed.Load(), verbs.Load(), kills)
	}
}

// killOne kills a worker at some instant, and checks what it leaves.
func killOne(t *testing.T, r *rand.Rand, seed uint64, dir string) (verbs int) {
	w := startWorker(t, seed, 1<<30, true, dir)
	var last ack
	for last = range testutil.Messages[ack](w) {
		if verbs++; verbs == 1 {
			time.AfterFunc(time.Duration(r.IntN(10_000))*time.Microsecond, w.Kill)
		}
	}
	if err := w.Wait(); err != nil {
		t.Errorf("worker %d: %v", seed, err)
	}
	h, err := Open(dir, nil)
	if err != nil {
		t.Error(err)
		return verbs
	}
	seq, table, err := newest(h)
	// One call may be done and not reported; Branch and DeleteRef come in pairs.
	if err != nil || verbs > 0 && (seq < last.Last || seq > last.Last+2 || seq == last.Last && table != last.Table) {
		t.Errorf("worker %d: reported transaction %d with %s, found %d with %s, %v", seed, last.Last, last.Table, seq, table, err)
	}
	if _, err := h.Head(t.Context()); err != nil {
		t.Error(err)
	}
	if found, err := h.Verify(t.Context(), nil); err != nil || len(found) > 0 {
		t.Errorf("worker %d: verify finds %v, %v", seed, found, err)
	}
	return verbs
}
