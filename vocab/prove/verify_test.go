package prove_test

import (
	"errors"
	"flag"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

func builtin(t testing.TB) *vocab.Vocabulary {
	t.Helper()
	sources, err := vocab.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	v, failures := vocab.Load(sources...)
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	return v
}

var (
	entryNames  = flag.String("entry", "", "prove only these `entries`: names, with commas between")
	maskNames   = flag.String("mask", "", "prove only these named `masks`, with commas between")
	sampleShare = flag.Float64("share", 1, "prove only this `share` of the entries, drawn by -seed")
	whole       = flag.Bool("whole", false, "look for harm at the ends of all ranges, too")
	harmAlone   = flag.Bool("harm", false, "look for harm alone")
	sampleSeed  = flag.Uint64("seed", 0, "draw the entries of -share by this `number`; 0 is one by the clock")
)

// sample draws the share of what is looked at where all would take too long, and logs the
// seed that draws it again.
func sample[T any](t *testing.T, all []T, share float64) []T {
	t.Helper()
	seed := *sampleSeed
	if seed == 0 {
		seed = uint64(time.Now().UnixNano())
	}
	n := min(int(math.Ceil(share*float64(len(all)))), len(all))
	t.Logf("%d of %d are drawn, a share of %g: -seed %d", n, len(all), share, seed)
	drawn := rand.New(rand.NewPCG(seed, 0)).Perm(len(all))[:n]
	slices.Sort(drawn)
	some := make([]T, n)
	for i, at := range drawn {
		some[i] = all[at]
	}
	return some
}

// chosen gives the entries and the masks to prove: all masks and all entries or
// the share that is asked for, unless some are named.
func chosen(t *testing.T, words *vocab.Vocabulary) ([]*vocab.Entry, []*vocab.NamedMask) {
	t.Helper()
	entries, masks := words.List(vocab.Filter{}), words.Masks()
	if *entryNames+*maskNames == "" {
		if *sampleShare < 1 {
			entries = sample(t, entries, *sampleShare)
		}
		return entries, masks
	}
	for name := range strings.SplitSeq(*entryNames, ",") {
		if _, err := words.Entry(name); err != nil && name != "" {
			t.Fatal(err)
		}
	}
	named := func(list, name string) bool { return slices.Contains(strings.Split(list, ","), name) }
	entries = slices.DeleteFunc(entries, func(e *vocab.Entry) bool { return !named(*entryNames, e.Name) })
	masks = slices.DeleteFunc(masks, func(m *vocab.NamedMask) bool { return !named(*maskNames, m.Name) })
	return entries, masks
}

// Every entry and every named mask that ships is proven on every darktable.
func TestEveryMoveDoesWhatItClaims(t *testing.T) {
	if *update && *harmAlone {
		t.Fatal("the table is of claims: -harm measures none")
	}
	words, measured := builtin(t), map[string][]prove.Proof{}
	entries, masks := chosen(t, words)
	var further []vocab.Scene
	if *whole {
		further = photographsThere(t)
		further = further[:min(3, len(further))]
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		proofs, err := prove.Verify(t.Context(), prove.VerifyParams{
			Entries: entries, Others: words.List(vocab.Filter{}), Masks: masks, Renderer: r, Target: r.release,
			Whole: *whole, Photographs: further, HarmAlone: *harmAlone, NoHarm: !*harmAlone && !*whole, Parallel: 2, Memo: newMemo(t, r),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proofs {
			if !p.OK() {
				t.Errorf("%s on darktable %s:\n\t%s", p.Entry+p.Mask, p.Darktable, strings.Join(p.Failures(), "\n\t"))
			}
			for _, f := range p.Findings {
				t.Logf("%-20s %-8s %-50s %8.3f → %8.3f %.4g", p.Entry+p.Mask, f.Check, f.Claim, f.Before, f.After, f.Sweep)
			}
		}
		t.Logf("%d pictures developed", r.count.Load())
		measured[dt.Name] = proofs
	})
	if !*update || t.Failed() || len(measured) == 0 {
		return
	}
	switch {
	case *entryNames+*maskNames != "":
		writeEntries(t, entries, measured)
		writeMasks(t, masks, measured)
	case *sampleShare == 1:
		if err := os.WriteFile(tablePath, []byte(table(words, measured)+photographsPart(t)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
