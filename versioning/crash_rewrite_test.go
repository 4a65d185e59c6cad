package versioning

import (
	"bytes"
	"context"
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/versioning/internal/journal"
)

// cutEverywhere runs do on a disk with files, and again with a power cut after
// each of its operations; see checks what is left. It returns the number of cuts.
func cutEverywhere(t *testing.T, files map[string][]byte, do func(context.Context, *History) error, see func(t *testing.T, h *History)) int {
	t.Helper()
	ran := synced(files)
	h := must[*History](t)(open(ran, &Options{Now: ticking()}))
	if err := do(t.Context(), h); err != nil {
		t.Fatal(err)
	}
	see(t, h)
	rounds := 1
	if inCI() {
		rounds = 5
	}
	cuts := 0
	for round := range rounds {
		for at := 0; at <= len(ran.log); at++ {
			cuts++
			r := rand.New(rand.NewPCG(uint64(round), uint64(at)))
			see(t, must[*History](t)(open(ran.after(at, r), &Options{Now: ticking()})))
			if t.Failed() {
				t.Fatalf("round %d, power cut after operation %d of %d", round, at, len(ran.log))
			}
		}
	}
	if cuts < 5*rounds {
		t.Errorf("the power was cut %d times only", cuts)
	}
	return cuts
}

// filesOf returns what a disk holds.
func filesOf(d *faulty) map[string][]byte {
	files := map[string][]byte{}
	for name, n := range d.names {
		files[name] = bytes.Clone(n.data)
	}
	return files
}

// A repair that is cut short has changed nothing, or everything; the next one
// does it.
func TestAPowerCutDuringRepair(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	d := newFaulty()
	h := must[*History](t)(open(d, &Options{Now: ticking()}))
	populate(t, h)
	must[Ref](t)(h.Tag(t.Context(), "whole", "baseline"))
	cuts := 0
	for name, damage := range map[string]func(files map[string][]byte){
		"in the journal":      func(files map[string][]byte) { files[journal.Name][len(files[journal.Name])*2/3] ^= 4 },
		"in the baseline":     func(files map[string][]byte) { clear(files[journal.Name][headerSize : headerSize+100]) },
		"in its copy":         func(files map[string][]byte) { files[baselineName][headerSize+50] ^= 4 },
		"its copy is missing": func(files map[string][]byte) { delete(files, baselineName); files[journal.Name][30] ^= 4 },
		"in both of them": func(files map[string][]byte) {
			files[baselineName][headerSize+50] ^= 4
			files[journal.Name][headerSize+90] ^= 4
		},
	} {
		files := filesOf(d)
		damage(files)
		cuts += powerCutDuringRepair(t, name, files)
	}
	t.Logf("%d cuts", cuts)
}

func powerCutDuringRepair(t *testing.T, name string, files map[string][]byte) (cuts int) {
	t.Helper()
	repair := func(ctx context.Context, h *History) error {
		_, err := h.Verify(ctx, &VerifyOptions{Repair: true})
		return err
	}
	repaired := synced(files)
	m := must[*History](t)(open(repaired, &Options{Now: ticking()}))
	if err := repair(t.Context(), m); err != nil {
		t.Fatal(name, err)
	}
	want := must[map[string]string](t)(everything(t, m))
	return cutEverywhere(t, files, repair, func(t *testing.T, h *History) {
		t.Helper()
		if found, err := h.Verify(t.Context(), nil); err != nil {
			t.Error(name, err)
		} else if len(found) > 0 {
			if err := repair(t.Context(), h); err != nil {
				t.Error(name, err)
			}
		}
		wantClean(t, h)
		if got, err := everything(t, h); err != nil || !maps.Equal(got, want) {
			t.Errorf("%s: after the repair it reads otherwise, %v", name, err)
		}
	})
}

// An import that is cut short has changed nothing, or everything; the next one
// does it.
func TestAPowerCutDuringImport(t *testing.T) {
	t.Parallel()
	d := newFaulty()
	h := must[*History](t)(open(d, &Options{Now: ticking()}))
	begin(t, h)
	commit(t, h, "state 1")
	earlier, before := filesOf(d), must[map[string]string](t)(everything(t, h))
	commit(t, h, "state 2")
	var bundle bytes.Buffer
	must[int64](t)(h.Export(t.Context(), &bundle))
	want := must[map[string]string](t)(everything(t, h))
	doImport := func(ctx context.Context, h *History) error {
		_, err := h.Import(ctx, bytes.NewReader(bundle.Bytes()))
		return err
	}
	cuts := 0
	for name, files := range map[string]map[string][]byte{"nothing": nil, "an earlier version": earlier} {
		cuts += cutEverywhere(t, files, doImport, func(t *testing.T, h *History) {
			t.Helper()
			got, err := everything(t, h)
			switch {
			case KindOf(err) == NotInitialised && files == nil:
			case err != nil, !maps.Equal(got, want) && !maps.Equal(got, before):
				t.Errorf("over %s: it reads as neither, %v", name, err)
			}
			if err := doImport(t.Context(), h); err != nil {
				t.Errorf("over %s: again: %v", name, err)
			}
			wantClean(t, h)
			if got, err := everything(t, h); err != nil || !maps.Equal(got, want) {
				t.Errorf("over %s: after the next import it reads otherwise, %v", name, err)
			}
		})
	}
	t.Logf("%d cuts", cuts)
}
