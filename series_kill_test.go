package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
)

// targets are the images of a series, beside its sources s1 and s2.
func targets(n int) []ImageID {
	var ids []ImageID
	for i := range n {
		ids = append(ids, ImageID(fmt.Sprintf("t%02d", i)))
	}
	return ids
}

// shot is what a worker prints after each series that it propagated.
type shot struct {
	Look string // that every target has now; "" when the call failed
	Code string // of the error
}

// propagateForever gets a workspace, a source, a number and how many targets there
// are. It changes the source and makes all targets look so, in another order each time.
func propagateForever(args []string) error {
	seed, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	n, err := strconv.Atoi(args[3])
	if err != nil {
		return err
	}
	ctx, source := context.Background(), ImageID(args[1])
	e, err := Open(ctx, &Options{Workspace: args[0], Darktable: filepath.Join(args[0], "no-darktable-here")})
	if err != nil {
		return err
	}
	r, out := rand.New(rand.NewPCG(uint64(seed), 7)), json.NewEncoder(os.Stdout)
	for {
		value := r.Float64() - 0.5
		made, err := e.ApplyPrimitive(ctx, ApplyPrimitiveParams{ImageID: source, PrimitiveName: "exposure", Value: &value})
		if err != nil {
			return err
		}
		ids := targets(n)
		r.Shuffle(n, func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
		_, err = e.PropagateState(ctx, PropagateStateParams{ImageID: source, Targets: ids, AllOrNothing: true})
		said := shot{Look: *made.StateAfter.HeadHash}
		if err != nil {
			said = shot{Code: string(AsError(err).Code) + ": " + err.Error()}
		}
		if err := out.Encode(said); err != nil {
			return err
		}
	}
}

// wantOneLook makes sure that all targets look alike, and gives how.
func wantOneLook(t *testing.T, e *Engine, ids []ImageID) string {
	t.Helper()
	var all []string
	for _, id := range ids {
		all = append(all, lookOf(t, e, id))
	}
	if n := len(slices.Compact(slices.Sorted(slices.Values(all)))); n != 1 {
		t.Fatalf("the targets have %d looks: %.8s", n, all)
	}
	return all[0]
}

// A process that propagates to all or none is killed at any instant: then all targets
// are as the last series that it reported left them, or as the next one did, and redo
// still leads where it led.
func TestAKilledSeriesChangedAllOrNothing(t *testing.T) {
	kills := testutil.Repeats(12, 20, 60)
	if testing.Short() {
		kills = 5
	}
	const n = 8
	root := filepath.Join(t.TempDir(), "a [b] *?", "workspace")
	e := openWithout(t, Options{Workspace: root})
	ids := targets(n)
	for _, id := range append(ids, "s1") {
		add(t, e, id, "5.4.1")
	}
	before := wantOneLook(t, e, ids)
	r, cut := rand.New(rand.NewPCG(1, 2)), 0
	for life := range kills {
		w := testutil.StartWorker(t, "propagate", root, "s1", strconv.Itoa(life), strconv.Itoa(n))
		last, count := before, 0
		for one := range testutil.Messages[shot](w) {
			if one.Code != "" {
				t.Errorf("a series failed: %s", one.Code)
			}
			last = one.Look
			if count++; count == 1+life%3 {
				after := time.Duration(r.IntN(15_000)) * time.Microsecond
				go func() {
					for life%4 > 0 && !hasIntent(root) && t.Context().Err() == nil {
						runtime.Gosched()
					}
					time.AfterFunc(after, w.Kill)
				}()
			}
		}
		if err := w.Wait(); err != nil {
			t.Fatal(err)
		}
		if hasIntent(root) {
			cut++
		}
		if life%2 == 0 { // otherwise the engine that is open all the time has to notice
			e = openWithout(t, Options{Workspace: root})
		}
		now := wantOneLook(t, e, ids)
		if now != last && now != lookOf(t, e, "s1") {
			t.Errorf("after kill %d the targets look %.8s, reported was %.8s", life, now, last)
		}
		before = now
		wantSound(t, e, tornTail)
		if hasIntent(root) {
			t.Errorf("after kill %d there is an intent", life)
		}
	}
	t.Logf("%d of %d kills came in the middle of a series", cut, kills)
	if cut == 0 && !testing.Short() {
		t.Error("no kill came in the middle of a series")
	}
}

// hasIntent reports whether a series is being published, or was cut off.
func hasIntent(root string) bool {
	entries, _ := os.ReadDir(filepath.Join(root, "intents"))
	return slices.ContainsFunc(entries, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) == ".json" })
}

// Series with the same targets in other orders wait for each other, and never for
// ever: in one engine, and in several processes of which some are killed.
func TestSeriesWithTheSameTargetsDoNotBlockEachOther(t *testing.T) {
	const n = 6
	e := openWithout(t, Options{})
	ids := targets(n)
	for _, id := range append(ids, "s1", "s2") {
		add(t, e, id, "5.4.1")
	}
	var workers []*testutil.Worker
	done := make(chan error)
	reports := make([]int, 3)
	for i := range reports {
		source := fmt.Sprintf("s%d", 1+i%2)
		w := testutil.StartWorker(t, "propagate", e.workspace.Root(), source, strconv.Itoa(i), strconv.Itoa(n))
		workers = append(workers, w)
		go func() {
			var failed error
			for one := range testutil.Messages[shot](w) {
				if reports[i]++; one.Code != "" {
					failed = errors.Join(failed, errors.New(one.Code))
				}
				if reports[i] == 6*(i+1) {
					w.Kill() // in the middle of something, while the others go on
				}
			}
			done <- errors.Join(failed, w.Wait())
		}()
	}
	for range workers {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	wantOneLook(t, e, ids)
	wantSound(t, e)
}
