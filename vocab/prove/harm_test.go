package prove_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp/iop"
)

// A vignette is smooth in the darks, in a move as in a look: darktable's dithering of
// eight bits, before the tone mapper, is noise there.
func TestVignettesLeaveDarksSmooth(t *testing.T) {
	words := builtin(t)
	all := words.List(vocab.Filter{})
	all = slices.DeleteFunc(all, func(e *vocab.Entry) bool { return !slices.Contains(e.Touches(), "vignette") })
	if len(all) < 16 {
		t.Fatalf("%d entries have a vignette", len(all))
	}
	for _, e := range all {
		for _, op := range e.Ops {
			if op.Module == "vignette" && op.Set["dithering"].Constant.Equal(iop.Text("DITHER_8BIT")) {
				t.Errorf("%s is dithered to eight bits", e.Name)
			}
		}
	}
	// Some on developed pictures, the strongest among them.
	var entries []*vocab.Entry
	for _, name := range []string{"vignette", "vignette_wide", "look_moody"} {
		e, err := words.Entry(name)
		if err != nil {
			t.Fatal(err)
		}
		entries = append(entries, e)
	}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		r := newRenderer(t, dt)
		proofs, err := prove.Verify(t.Context(), prove.VerifyParams{Entries: entries, Renderer: r, Target: r.release, HarmAlone: true, Parallel: 2})
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range proofs {
			noise := slices.IndexFunc(p.Findings, func(f prove.Finding) bool { return f.Claim == string(vocab.Noise) })
			if noise < 0 {
				t.Fatalf("%s: no noise was measured", p.Entry)
			}
			if f := p.Findings[noise]; !f.OK || f.Intended {
				t.Errorf("%s on darktable %s: %s", p.Entry, p.Darktable, f.Message)
			}
			if text := strings.Join(p.Failures(), ""); strings.Contains(text, string(vocab.Banding)) {
				t.Errorf("%s on darktable %s: %s", p.Entry, p.Darktable, text)
			}
		}
	})
}
