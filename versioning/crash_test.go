package versioning

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"strings"
	"syscall"
	"testing"
)

// inCI tells whether the tests that take long are wanted.
func inCI() bool { return os.Getenv("CI") != "" && !testing.Short() }

// verb is one step of a life of a history.
type verb func(context.Context, *History) error

// life is a history's life with everything that can happen in it. Every verb
// changes something.
func life() []verb {
	n := 0
	commit := func() verb {
		n++
		state := fmt.Appendf(nil, "state %d of a picture that %s", n, strings.Repeat("stays much the same, ", 5+n%3))
		return func(ctx context.Context, h *History) error {
			_, _, err := h.Commit(ctx, state, Change{Op: "apply_primitive", Entry: "exposure"})
			return err
		}
	}
	branch := func(name, from string) verb {
		return func(ctx context.Context, h *History) error { _, err := h.Branch(ctx, name, from); return err }
	}
	tag := func(name string) verb {
		return func(ctx context.Context, h *History) error { _, err := h.Tag(ctx, name, ""); return err }
	}
	checkout := func(name string) verb {
		return func(ctx context.Context, h *History) error { _, err := h.Checkout(ctx, name); return err }
	}
	reset := func(to string) verb {
		return func(ctx context.Context, h *History) error { _, _, err := h.Reset(ctx, to); return err }
	}
	undo := func(ctx context.Context, h *History) error { _, err := h.Undo(ctx); return err }
	redo := func(ctx context.Context, h *History) error { _, err := h.Redo(ctx); return err }
	audit := Audit{Actor: "me", Reason: "a test"}
	first := []byte("state 0 of a picture")
	return []verb{
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

// lived gives what a history reads as after each verb of its life. Before the
// first there is nothing.
func lived(t *testing.T, verbs []verb) []map[string]string {
	t.Helper()
	h := must[*History](t)(open(newMemory(), &Options{Now: ticking()}))
	after := []map[string]string{nil}
	for i, do := range verbs {
		if err := do(t.Context(), h); err != nil {
			t.Fatalf("verb %d: %v", i, err)
		}
		all, err := everything(t, h)
		if err != nil {
			t.Fatal(err)
		}
		after = append(after, all)
	}
	return after
}

func TestAPowerCutLosesNothingThatWasPublished(t *testing.T) {
	t.Parallel()
	verbs := life()
	after := lived(t, verbs)
	whole := newFaulty(0)
	h := must[*History](t)(open(whole, &Options{Now: ticking()}))
	for _, do := range verbs {
		if err := do(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
	seeds, step := uint64(1), 3
	if inCI() {
		seeds, step = 1+uint64(1200/whole.ops), 1
	}
	cuts := 0
	for seed := range seeds {
		for at := 1; at <= whole.ops; at += step {
			disk := newFaulty(seed)
			disk.cutAt = at
			cuts++
			if !survives(t, disk, verbs, after) {
				t.Fatalf("seed %d: %s", seed, disk)
			}
		}
	}
	t.Logf("%d cuts at %d operations", cuts, whole.ops)
}

// survives lives a life until the power goes, and looks at what is there then.
func survives(t *testing.T, disk *faulty, verbs []verb, after []map[string]string) bool {
	t.Helper()
	h := must[*History](t)(open(disk, &Options{Now: ticking()}))
	acked := 0
	for _, do := range verbs {
		if err := do(t.Context(), h); err != nil {
			if !errors.Is(err, errPower) {
				t.Errorf("verb %d: %v", acked, err)
				return false
			}
			break
		}
		acked++
	}
	again := must[*History](t)(open(disk.reboot(), &Options{Now: ticking()}))
	got, err := everything(t, again)
	if KindOf(err) == NotInitialised {
		got, err = nil, nil
	}
	switch {
	case err != nil:
		t.Errorf("after %d verbs: %v", acked, err)
		return false
	case maps.Equal(got, after[acked]), acked < len(verbs) && maps.Equal(got, after[acked+1]):
	default:
		t.Errorf("after %d verbs the history reads as neither before nor after the next one", acked)
		return false
	}
	if got == nil {
		return must[Record](t)(again.Init(t.Context(), []byte("state 0"), Change{})).ID != Hash{}
	}
	found, err := again.Verify(t.Context(), nil)
	if err != nil || len(found) > 0 {
		t.Errorf("after %d verbs verify finds %v, %v", acked, found, err)
		return false
	}
	if _, _, err = again.Commit(t.Context(), []byte("after the crash"), Change{Label: "x"}); KindOf(err) != Detached && err != nil {
		t.Errorf("after %d verbs the next one says %v", acked, err)
		return false
	}
	found, err = again.Verify(t.Context(), nil)
	return err == nil && len(found) == 0
}

func TestAFailingDiskLosesNothing(t *testing.T) {
	t.Parallel()
	verbs := life()
	after := lived(t, verbs)
	whole := newFaulty(0)
	h := must[*History](t)(open(whole, &Options{Now: ticking()}))
	for _, do := range verbs {
		if err := do(t.Context(), h); err != nil {
			t.Fatal(err)
		}
	}
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
			for at := 1; at <= whole.ops; at += step {
				for _, length := range []int{1, 2, 20} {
					disk := newFaulty(1)
					disk.failAt, disk.failFor, disk.failure = at, length, failure.err
					h := must[*History](t)(open(disk, &Options{Now: ticking()}))
					if failsCleanly(t, h, disk, verbs, after, failure.kind) {
						failed++
					}
					disk.failAt = 0
					h = must[*History](t)(open(disk, nil))
					if found, err := h.Verify(t.Context(), nil); err != nil || len(found) > 0 {
						t.Fatalf("at %d: verify finds %v, %v", at, found, err)
					}
				}
			}
			if failed < whole.ops/step {
				t.Errorf("only %d verbs failed of %d operations", failed, whole.ops)
			}
		})
	}
}

// failsCleanly lives until a verb fails for the disk, and looks at what it has
// changed, and whether it works when the disk does.
func failsCleanly(t *testing.T, h *History, disk *faulty, verbs []verb, after []map[string]string, kind Kind) bool {
	t.Helper()
	for i, do := range verbs {
		err := do(t.Context(), h)
		if err == nil {
			continue
		}
		if KindOf(err) != kind {
			t.Fatalf("%s: verb %d says %v", disk, i, err)
		}
		now, _ := everything(t, h)
		// Init's last step makes safe what is there already; and when even
		// taking back fails, the next reader finds what was not to be.
		if done := maps.Equal(now, after[i+1]); !maps.Equal(now, after[i]) && !(done && (i == 0 || disk.failFor > 1)) {
			t.Fatalf("%s: verb %d failed (%v) and changed something", disk, i, err)
		} else if done {
			return true
		}
		disk.failAt = 0
		if err := do(t.Context(), h); err != nil {
			t.Fatalf("%s: verb %d does not work again: %v", disk, i, err)
		}
		return true
	}
	return false
}
