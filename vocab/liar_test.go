package vocab_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
)

// A pack of one's own is proven as the shipped ones are, and a claim that does
// not hold is found.
func TestAClaimThatDoesNotHoldIsFound(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"pack.json": `{"name": "mine", "version": "0.1.0", "description": "My own.", "licence": "MIT", "author": "Me"}`,
		"moves.json": `[
			{"name": "honest", "layer": "L3", "subject": "tone", "description": "Brighter.", "tags": ["tone"],
			 "parameters": [{"name": "ev", "unit": "EV", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
			 "ops": [{"module": "exposure", "instance": "honest", "add": {"exposure": "ev"}}],
			 "claims": [{"measure": "luma_mean", "moves": "up", "at_least": 2}]},
			{"name": "liar", "layer": "L3", "subject": "tone", "description": "Darker, it says.", "tags": ["tone"],
			 "parameters": [{"name": "ev", "unit": "EV", "min": -1, "max": 1, "default": 0.5, "neutral": 0}],
			 "ops": [{"module": "exposure", "instance": "liar", "add": {"exposure": "ev"}}],
			 "claims": [{"measure": "luma_mean", "moves": "down", "at_least": 2}]}
		]`,
	} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	words, failures := vocab.Load(vocab.Dir(folder))
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	s := newStudio(t, testutil.AnyDarktable(t))
	proofs, err := vocab.Verify(t.Context(), vocab.VerifyParams{
		Entries: words.List(vocab.Filter{}), Renderer: s, Target: s.release, Parallel: 2,
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range proofs {
		if ok := p.Entry == "honest"; p.OK() != ok {
			t.Errorf("%s: OK is %v: %q", p.Entry, p.OK(), p.Failures())
		}
		if p.Entry == "liar" && !strings.Contains(strings.Join(p.Failures(), "\n"), "luma_mean down") {
			t.Errorf("the failures do not name the claim: %q", p.Failures())
		}
	}
}
