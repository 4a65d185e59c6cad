package prove_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/photos"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

var (
	photographCount = flag.Int("photographs", 4, "prove on so `many` of the photographs, drawn by -seed")
	onPhotographs   = flag.Float64("onphotographs", 0.006, "prove this `share` of the moves on photographs, drawn by -seed")
)

const (
	// allPhotographs are as many as moves are proven on.
	allPhotographs = 24
	// recordPath has what was found on all of them.
	recordPath = "testdata/photographs.json"
)

// printed is a photograph as if its print had been photographed.
type printed struct{ photos.Print }

func (printed) Places() map[string]pixel.Rect { return nil }

// photographsThere are the photographs beside the repository that moves are proven on, as
// scenes that different cameras record. Without them there are none.
func photographsThere(t *testing.T) (names []vocab.Scene) {
	t.Helper()
	var there []photos.Photo
	t.Run("photographs", func(t *testing.T) { there = photos.Read(t) }) // skips alone where there are none
	for i, at := range varied(there, allPhotographs) {
		name := vocab.Scene("photograph " + there[at].ID)
		if _, made := photographs[name]; !made {
			photographs[name] = recorded(printed{photos.Print{Picture: there[at].Picture}}, i)
		}
		names = append(names, name)
	}
	return names
}

// varied picks photographs, always the same ones, so that every kind of region occurs.
func varied(there []photos.Photo, count int) (picked []int) {
	order := make([]int, len(there))
	for i := range order {
		order[i] = i * 61 % len(there) // their ids are in order, and likes beside likes
	}
	for _, region := range []string{"sky", "plants", "water", "skin", "person", "subject"} {
		at := slices.IndexFunc(order, func(at int) bool {
			_, has := there[at].Regions[region]
			return has && !slices.Contains(picked, at)
		})
		if at >= 0 {
			picked = append(picked, order[at])
		}
	}
	for _, at := range order {
		if !slices.Contains(picked, at) {
			picked = append(picked, at)
		}
	}
	return picked[:min(count, len(picked))]
}

// recorded is a scene as one of several cameras records it, at its sensitivity: some that
// were built, a Bayer sensor of ours and one with X-Trans's pattern.
func recorded(s sceneWithPlaces, camera int) photograph {
	o := dng.Options{ISO: []int{100, 400, 1600}[camera%3], Noise: 1, Seed: uint64(camera)}
	built := dng.BalancedCameras()
	write, extension := func(b *bytes.Buffer) error { return dng.Write(b, s.Image(480, 320), o) }, "dng"
	switch which := camera % 5; which {
	case 0, 1, 2:
		c := built[which]
		write, extension = func(b *bytes.Buffer) error { return c.Write(b, s.Image(480, 320), o) }, c.Extension
	case 3:
		o.Layout.Samples = dng.XTrans
	}
	return photograph{scene: s, extension: extension, raw: sync.OnceValues(func() ([]byte, error) {
		var b bytes.Buffer
		err := write(&b)
		return b.Bytes(), err
	})}
}

// record is what all moves showed on photographs.
type record struct {
	// Photographs are those that were looked at.
	Photographs []vocab.Scene `json:"photographs"`
	// Exceptions are, by darktable, move and claim, the photographs on which a claim does
	// not hold.
	Exceptions map[string]map[string]map[string][]vocab.Scene `json:"exceptions"`
}

func readRecord(t *testing.T) (r record) {
	t.Helper()
	data, err := os.ReadFile(recordPath)
	if err == nil {
		err = json.Unmarshal(data, &r)
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// take takes in what was found on a darktable.
func (r *record) take(darktable string, proofs []prove.Proof) {
	if r.Exceptions == nil {
		r.Exceptions = map[string]map[string]map[string][]vocab.Scene{}
	}
	r.Exceptions[darktable] = map[string]map[string][]vocab.Scene{}
	for _, p := range proofs {
		for _, f := range p.Findings {
			if len(f.Failed) == 0 {
				continue
			}
			if r.Exceptions[darktable][p.Entry] == nil {
				r.Exceptions[darktable][p.Entry] = map[string][]vocab.Scene{}
			}
			r.Exceptions[darktable][p.Entry][f.Claim] = f.Failed
		}
	}
}

// replace puts what was found of some entries in the place of what the record has of them.
func (r *record) replace(entries []*vocab.Entry, found record) {
	for darktable, exceptions := range found.Exceptions {
		for _, e := range entries {
			delete(r.Exceptions[darktable], e.Name)
		}
		if r.Exceptions[darktable] == nil {
			r.Exceptions[darktable] = exceptions
			continue
		}
		maps.Copy(r.Exceptions[darktable], exceptions)
	}
}

// Every move of taste keeps its word on photographs, too: what it says goes up or down
// does, on nine of ten in which there is such a thing; it clips at most one percent more,
// and a border of its own mask does not show. Some moves on some of the photographs are
// held to what all of them on all showed before.
func TestMovesKeepTheirWordOnPhotographs(t *testing.T) {
	testutil.SkipLeftOut(t)
	words, known := builtin(t), readRecord(t)
	entries, _ := chosen(t, words)
	entries = slices.DeleteFunc(entries, func(e *vocab.Entry) bool { return e.Layer != vocab.L3 })
	if *entryNames == "" && *onPhotographs < 1 {
		entries = sample(t, entries, *onPhotographs)
	}
	there := photographsThere(t)
	if len(there) == 0 {
		t.Skip("there are no photographs")
	}
	if *update {
		there = there[:min(*photographCount, len(there))]
	} else {
		there = slices.DeleteFunc(there, func(scene vocab.Scene) bool { return !slices.Contains(known.Photographs, scene) })
		there = sample(t, there, float64(*photographCount)/float64(len(there)))
	}
	found, measured := record{Photographs: there}, map[string][]prove.Proof{}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		if known.Exceptions[dt.Name] == nil && !*update {
			t.Logf("the moves were not looked at on photographs on darktable %s", dt.Name)
			return
		}
		r := newRenderer(t, dt)
		proofs, err := prove.Verify(t.Context(), prove.VerifyParams{
			Entries: entries, Renderer: r, Target: r.release, OnPhotographs: true, Photographs: there, Parallel: 2, Memo: newMemo(t, r),
		})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proofs {
			for _, f := range p.Findings {
				t.Logf("%-24s %-60s %6.3g %6.3g %s", p.Entry, f.Claim, f.Before, f.After, f.Message)
				for _, scene := range f.Failed {
					if !*update && !slices.Contains(known.Exceptions[dt.Name][p.Entry][f.Claim], scene) {
						t.Errorf("%s on darktable %s: %s: not on %s any more", p.Entry, dt.Name, f.Claim, scene)
					}
				}
			}
		}
		t.Logf("%d pictures developed", r.count.Load())
		found.take(dt.Name, proofs)
		measured[dt.Name] = proofs
	})
	if !*update || t.Failed() || len(measured) == 0 {
		return
	}
	switch {
	case *entryNames != "":
		known.replace(entries, found)
		writeLines(t, entries, known, measured)
	case *onPhotographs == 1:
		writePhotographs(t, words, found, measured)
	}
}
