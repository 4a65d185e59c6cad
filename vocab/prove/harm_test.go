package prove_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

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

// harmfulPack has a move for each harm, which does it and does not say so, and one that
// does none.
const harmfulPack = `[
	{"name": "harmless", "layer": "L3", "subject": "tone", "description": "A little darker.",
	 "ops": [{"module": "exposure", "instance": "harmless", "set": {"exposure": -0.3}}], "claims": [{"measure": "luma_mean", "moves": "down"}]},
	{"name": "noise", "layer": "L3", "subject": "tone", "description": "Grain.",
	 "ops": [{"module": "grain", "instance": "noise", "set": {"strength": 60, "scale": 8}}], "claims": [{"measure": "noise", "moves": "up"}]},
	{"name": "banding", "layer": "L3", "subject": "tone", "description": "Blocks.",
	 "ops": [{"module": "censorize", "instance": "banding", "set": {"pixelate": 12}}], "claims": [{"measure": "sharpness", "moves": "down"}]},
	{"name": "halos", "layer": "L3", "subject": "tone", "description": "Sharp.",
	 "ops": [{"module": "sharpen", "instance": "halos", "set": {"amount": 2, "radius": 8}}], "claims": [{"measure": "sharpness", "moves": "up"}]},
	{"name": "clipping", "layer": "L3", "subject": "tone", "description": "Brighter.",
	 "ops": [{"module": "exposure", "instance": "clipping", "set": {"exposure": 2}}], "claims": [{"measure": "luma_mean", "moves": "up"}]},
	{"name": "cast", "layer": "L3", "subject": "tone", "description": "Warmer.",
	 "ops": [{"module": "colorcorrection", "instance": "cast", "set": {"hib": 8, "lob": 8}}], "claims": [{"measure": "warmth", "moves": "up"}]},
	{"name": "skin", "layer": "L3", "subject": "tone", "description": "Other hues.",
	 "ops": [{"module": "colorbalancergb", "instance": "skin", "set": {"hue_angle": 25}}], "claims": [{"measure": "warmth", "moves": "up"}]},
	{"name": "speckle", "layer": "L3", "subject": "tone", "description": "Darker where a hue is nearest, greys too.",
	 "mask": {"ranges": [{"channel": "hue", "from": 20, "to": 200, "softness": 0.1}]},
	 "ops": [{"module": "exposure", "instance": "speckle", "set": {"exposure": -1}}], "claims": [{"measure": "luma_mean", "moves": "down"}]}
]`

// A harm that is planted is found: each has a measure that can fail.
func TestEachHarmIsFoundWhereItIsPlanted(t *testing.T) {
	words, failures := vocab.Load(vocab.Source{Name: "mine", FS: fstest.MapFS{
		"pack.json":  {Data: []byte(`{"name": "mine", "version": "0.1.0", "description": "My own.", "licence": "MIT", "author": "Me"}`)},
		"moves.json": {Data: []byte(harmfulPack)},
	}})
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	r := newRenderer(t, testutil.AnyDarktable(t))
	proofs, err := prove.Verify(t.Context(), prove.VerifyParams{
		Entries: words.List(vocab.Filter{}), Renderer: r, Target: r.release, HarmAlone: true, Parallel: 1,
	})
	if err != nil {
		t.Fatal(err)
	}
	planted := map[vocab.Harm]bool{}
	for _, p := range proofs {
		for _, f := range p.Findings {
			if f.Claim == p.Entry && !f.OK {
				planted[vocab.Harm(f.Claim)] = true
			}
		}
		if p.Entry == "harmless" && !p.OK() {
			t.Errorf("a third of a stop less light does harm: %q", p.Failures())
		}
	}
	for _, h := range vocab.Harms() {
		if !planted[h] {
			t.Errorf("a move that does nothing but %s passes", h)
		}
	}
}
