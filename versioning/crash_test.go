package versioning

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
)

// inCI reports whether the tests that take long shall run.
func inCI() bool { return os.Getenv("CI") != "" && !testing.Short() }

// sampled is whole, or part where a run takes samples: make test does, make whole
// does not.
func sampled(whole, part int) int {
	if os.Getenv("CHEMIGRAM_TEST_SEED") != "" {
		return part
	}
	return whole
}

// step is one call of a method.
type step func(context.Context, *History) error

// scenario calls every method that changes a history. Every step changes
// something.
func scenario() []step {
	n := 0
	commit := func() step {
		n++
		state := fmt.Appendf(nil, "state %d of a picture that %s", n, strings.Repeat("stays much the same, ", 5+n%3))
		return func(ctx context.Context, h *History) error {
			_, _, err := h.Commit(ctx, state, Change{Op: "apply_primitive", Entry: "exposure"})
			return err
		}
	}
	branch := func(name, from string) step {
		return func(ctx context.Context, h *History) error { _, err := h.Branch(ctx, name, from); return err }
	}
	tag := func(name string) step {
		return func(ctx context.Context, h *History) error { _, err := h.Tag(ctx, name, ""); return err }
	}
	checkout := func(name string) step {
		return func(ctx context.Context, h *History) error { _, err := h.Checkout(ctx, name); return err }
	}
	reset := func(to string) step {
		return func(ctx context.Context, h *History) error { _, _, err := h.Reset(ctx, to); return err }
	}
	undo := func(ctx context.Context, h *History) error { _, err := h.Undo(ctx); return err }
	redo := func(ctx context.Context, h *History) error { _, err := h.Redo(ctx); return err }
	audit := Audit{Actor: "me", Reason: "a test"}
	first := []byte("state 0 of a picture")
	return []step{
		func(ctx context.Context, h *History) error {
			_, err := h.Init(ctx, first, Change{Op: "ingest"})
			return err
		},
		commit(), commit(), branch("side", "HEAD~1"), tag("v1"), undo, redo, undo, commit(),
		checkout("side"), commit(), commit(), checkout("main"), reset("baseline"), undo,
		func(ctx context.Context, h *History) error { _, err := h.DeleteRef(ctx, "side", audit); return err },
		tag("v2"),
		func(ctx context.Context, h *History) error {
			_, err := h.Prune(ctx, PruneOptions{OlderThan: -1, Audit: audit})
			return err
		},
		commit(), checkout("v1"), checkout("main"), commit(),
	}
}

// recording is what a disk was after each step of a scenario.
type recording struct {
	disk *faulty
	ops  []int               // how many operations it had seen
	read []map[string]string // what the history read as; before the first step there is none
}

func record(t *testing.T, steps []step) recording {
	t.Helper()
	rec := recording{disk: newFaulty(), ops: []int{0}, read: []map[string]string{nil}}
	h := must[*History](t)(open(rec.disk, &Options{Now: ticking()}))
	for i, do := range steps {
		if err := do(t.Context(), h); err != nil {
			t.Fatalf("step %d: %v", i, err)
		}
		rec.ops = append(rec.ops, len(rec.disk.log))
		rec.read = append(rec.read, must[map[string]string](t)(everything(t, h)))
	}
	return rec
}

func TestAPowerCutLosesNothingThatWasPublished(t *testing.T) {
	t.Parallel()
	rec := record(t, scenario())
	rounds, step := 1, 3
	if inCI() {
		rounds, step = 1+1000/len(rec.disk.log), 1
	}
	cuts := 0
	for round := range rounds {
		for at := 0; at <= len(rec.disk.log); at += step {
			cuts++
			r := rand.New(rand.NewPCG(uint64(round), uint64(at)))
			if rec.check(t, rec.disk.after(at, r), at); t.Failed() {
				t.Fatalf("round %d, power cut after operation %d of %d", round, at, len(rec.disk.log))
			}
		}
	}
	t.Logf("%d cuts after %d operations", cuts, len(rec.disk.log))
	if inCI() && cuts < 1000 {
		t.Errorf("the power was cut %d times, want 1000", cuts)
	}
}

// check checks what is there after a power cut after operation at.
func (rec recording) check(t *testing.T, disk *faulty, at int) {
	t.Helper()
	acked := 0
	for acked+1 < len(rec.ops) && rec.ops[acked+1] <= at {
		acked++
	}
	h := must[*History](t)(open(disk, &Options{Now: ticking()}))
	got, err := everything(t, h)
	if KindOf(err) == NotInitialised {
		got, err = nil, nil
	}
	switch {
	case err != nil:
		t.Errorf("after %d steps: %v", acked, err)
	case maps.Equal(got, rec.read[acked]), acked+1 < len(rec.read) && maps.Equal(got, rec.read[acked+1]):
	default:
		t.Errorf("after %d steps the history reads as neither before nor after the next one", acked)
	}
	if got == nil {
		begin(t, h)
	}
	wantClean(t, h)
	if at%4 != 0 {
		return
	}
	if _, _, err = h.Commit(t.Context(), []byte("after the crash"), Change{Label: "x"}); KindOf(err) != Detached && err != nil {
		t.Errorf("after %d steps the next one fails: %v", acked, err)
	}
	wantClean(t, h)
}

func TestAFailingDiskLosesNothing(t *testing.T) {
	t.Parallel()
	steps := scenario()
	rec := record(t, steps)
	after, ops := rec.read, rec.disk.ops
	step := 5
	if inCI() {
		step = 1
	}
	for name, failure := range map[string]struct {
		err  error
		kind Kind
	}{
		"full":    {syscall.ENOSPC, NoSpace},
		"failing": {syscall.EIO, IO},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			failed := 0
			for at := 1; at <= ops; at += step {
				for _, length := range []int{1, 20} {
					disk := newFaulty()
					disk.failAt, disk.failFor, disk.failure = at, length, failure.err
					h := must[*History](t)(open(disk, &Options{Now: ticking()}))
					if failsCleanly(t, h, disk, steps, after, failure.kind) {
						failed++
					}
					disk.failAt = 0
					h = must[*History](t)(open(disk, nil))
					if found, err := h.Verify(t.Context(), nil); err != nil || len(found) > 0 {
						t.Fatalf("at %d: verify finds %v, %v", at, found, err)
					}
				}
			}
			if failed < ops/step {
				t.Errorf("only %d steps failed of %d operations", failed, ops)
			}
		})
	}
}

// failsCleanly runs steps until one fails for the disk, and checks that it changed
// nothing, and that it works when the disk does.
func failsCleanly(t *testing.T, h *History, disk *faulty, steps []step, after []map[string]string, kind Kind) bool {
	t.Helper()
	for i, do := range steps {
		err := do(t.Context(), h)
		if err == nil {
			continue
		}
		if KindOf(err) != kind {
			t.Fatalf("%s: step %d says %v", disk, i, err)
		}
		now, _ := everything(t, h)
		// Init's last step makes safe what is there already; and when even
		// taking back fails, the next reader finds what was not to be.
		if done := maps.Equal(now, after[i+1]); !maps.Equal(now, after[i]) && (!done || i > 0 && disk.failFor <= 1) {
			t.Fatalf("%s: step %d failed (%v) and changed something", disk, i, err)
		} else if done {
			return true
		}
		disk.failAt = 0
		if err := do(t.Context(), h); err != nil {
			t.Fatalf("%s: step %d does not work again: %v", disk, i, err)
		}
		return true
	}
	return false
}
