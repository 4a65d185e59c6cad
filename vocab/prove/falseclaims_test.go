package prove_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// wrongPack has moves and masks that do not do what they claim, and correct ones
// beside them.
var wrongPack = map[string]string{
	"pack.json": `{"name": "mine", "version": "0.1.0", "description": "My own.", "licence": "MIT", "author": "Me"}`,
	"moves.json": `[
		{"name": "correct", "layer": "L3", "subject": "tone", "description": "Brighter.",
		 "parameters": [{"name": "ev", "unit": "EV", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
		 "ops": [{"module": "exposure", "instance": "correct", "add": {"exposure": "ev"}}],
		 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 2}]},
		{"name": "wrong_way", "layer": "L3", "subject": "tone", "description": "Darker, it says.",
		 "parameters": [{"name": "ev", "unit": "EV", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
		 "ops": [{"module": "exposure", "instance": "wrong way", "add": {"exposure": "ev"}}],
		 "claims": [{"measure": "luma_mean", "moves": "down", "at_least": 2}]},
		{"name": "peppered", "layer": "L3", "subject": "frame", "description": "Darker corners, with noise in them.",
		 "ops": [{"module": "vignette", "set": {"scale": 60, "falloff_scale": 70, "autoratio": true, "saturation": 0, "dithering": "DITHER_8BIT", "brightness": -0.24}}],
		 "claims": [{"measure": "vignette_falloff", "moves": "down", "at_least": 2}]},
		{"name": "salted", "layer": "L3", "subject": "frame", "description": "The same, meant so.", "intends": ["noise", "banding"],
		 "ops": [{"module": "vignette", "set": {"scale": 60, "falloff_scale": 70, "autoratio": true, "saturation": 0, "dithering": "DITHER_8BIT", "brightness": -0.24}}],
		 "claims": [{"measure": "vignette_falloff", "moves": "down", "at_least": 2}]},
		{"name": "burnt", "layer": "L3", "subject": "tone", "description": "Two stops more, and a cast.",
		 "ops": [{"module": "exposure", "instance": "burnt", "set": {"exposure": 2}}],
		 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 2}]},
		{"name": "correct_left", "layer": "L3", "subject": "tone", "description": "Brighter on the left.",
		 "ops": [{"module": "exposure", "instance": "left", "set": {"exposure": 1}}],
		 "mask": {"shapes": [{"kind": "ellipse", "x": 0.25, "y": 0.5, "radius": 0.2, "radius_y": 0.3}]},
		 "claims": [{"measure": "left_falloff", "moves": "up", "at_least": 1}]},
		{"name": "nowhere", "layer": "L3", "subject": "tone", "description": "Its mask selects nothing.",
		 "ops": [{"module": "exposure", "instance": "nowhere", "set": {"exposure": 1}}],
		 "mask": {"ranges": [{"channel": "chroma", "from": 0.99}, {"channel": "lightness", "to": 0.05}]},
		 "claims": [{"measure": "luma_mean", "moves": "hold", "within": 1}]},
		{"name": "everywhere", "layer": "L3", "subject": "tone", "description": "Its mask leaves nothing out.",
		 "ops": [{"module": "exposure", "instance": "everywhere", "set": {"exposure": 1}}],
		 "mask": {"shapes": [{"kind": "circle", "x": 0.5, "y": 0.5, "radius": 1}]},
		 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 2}]},
		{"name": "idle", "layer": "L3", "subject": "tone", "description": "It does next to nothing in its mask.",
		 "ops": [{"module": "exposure", "instance": "idle", "set": {"exposure": 0.005}}],
		 "mask": {"name": "left_side"},
		 "claims": [{"measure": "luma_mean", "moves": "hold", "within": 1}]},
		{"name": "leaks", "layer": "L3", "subject": "tone", "description": "Behind the tone curve its mask selects something else.",
		 "ops": [{"module": "bilat", "instance": "leaks", "set": {"mode": "s_mode_local_laplacian", "midtone": 0.5}, "add": {"detail": -0.8}}],
		 "mask": {"ranges": [{"channel": "hue", "from": 34, "to": 57}, {"channel": "lightness", "from": 0.2, "to": 0.9}]},
		 "claims": [{"measure": "luma_mean", "moves": "hold", "within": 1}]}
	]`,
	"masks.json": `[
		{"name": "left_side", "description": "The left.", "mask": {"shapes": [{"kind": "circle", "x": 0.1, "y": 0.5, "radius": 0.3}]},
		 "claims": [{"place": "left", "at_least": 0.9}, {"place": "right", "at_most": 0.1}]},
		{"name": "says_sky", "description": "The sky, it says.", "mask": {"ranges": [{"channel": "lightness", "to": 0.1}]},
		 "claims": [{"place": "sky", "at_least": 0.5}]},
		{"name": "says_all", "description": "Everything, but it claims only what is there.", "mask": {"shapes": [{"kind": "circle", "x": 0.5, "y": 0.5, "radius": 1}]},
		 "claims": [{"place": "sky", "at_least": 0.5}]},
		{"name": "says_moon", "description": "A place that the scene lacks.", "mask": {"shapes": [{"kind": "circle", "x": 0.1, "y": 0.5, "radius": 0.3}]},
		 "claims": [{"place": "moon", "at_least": 0.5}]}
	]`,
}

// wantFailures is, for each false claim, a part of the failure that it causes; the
// correct ones have none.
var wantFailures = map[string]string{
	"wrong_way":  "claim luma_mean down by at least 2: ",
	"peppered":   "harm noise: ",
	"burnt":      "harm clipping: ",
	"nowhere":    "selects nothing of the natural scene",
	"everywhere": "leaves nothing of the natural scene out",
	"idle":       "inside the mask ΔE is only 0.0",
	"leaks":      "outside the mask it reaches ΔE ",
	"says_sky":   "claim selects at least 0.5 of sky: it selects 0.0",
	"says_all":   "selects a part of the picture: it selects all or nothing of each scene",
	"says_moon":  `the natural scene has no place "moon"`,
}

// A user's pack is proven as the shipped ones are, and a claim that does not hold
// is found.
func TestClaimsThatDoNotHoldAreFound(t *testing.T) {
	folder := t.TempDir()
	for name, text := range wrongPack {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words, failures := vocab.Load(vocab.Dir(folder))
	if len(failures) > 0 {
		t.Fatal(errors.Join(failures...))
	}
	r := newRenderer(t, testutil.AnyDarktable(t))
	proofs, err := prove.Verify(t.Context(), prove.VerifyParams{
		Entries: words.List(vocab.Filter{}), Masks: words.Masks(), Renderer: r, Target: r.release, Parallel: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range proofs {
		name := p.Entry + p.Mask
		want, text := wantFailures[name], strings.Join(p.Failures(), "\n")
		if p.OK() != (want == "") || !strings.Contains(text, want) {
			t.Errorf("%s: OK is %v: %q, want %q", name, p.OK(), text, want)
		}
	}
	if want := 10 + 4; len(proofs) != want {
		t.Errorf("%d proofs, want %d", len(proofs), want)
	}
}
