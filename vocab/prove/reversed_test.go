package prove_test

import (
	"os"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
	"github.com/chemigram/chemigram/xmp/iop"
)

// reversed gives a move that does the opposite: it subtracts what the entry adds,
// and what the entry sets by a parameter it sets as far on the other side of
// neutral. It is nil for a move that only chooses.
func reversed(e *vocab.Entry) *vocab.Entry {
	r, changed := *e, false
	r.Ops = slices.Clone(e.Ops)
	for i := range r.Ops {
		o := &r.Ops[i]
		o.Add, o.Set, o.Multiply = mirror(e, o.Add, true, &changed), mirror(e, o.Set, false, &changed), mirror(e, o.Multiply, false, &changed)
	}
	if !changed {
		return nil
	}
	return &r
}

// mirror mirrors the expressions of an op around neutral.
func mirror(e *vocab.Entry, fields map[string]vocab.Expr, added bool, changed *bool) map[string]vocab.Expr {
	out := map[string]vocab.Expr{}
	for name, x := range fields {
		p, _ := e.Parameter(x.Parameter)
		v, number := x.Constant.Float()
		switch {
		case x.Parameter != "":
			x.Offset, x.Scale = x.Offset+2*x.Scale*p.Neutral, -x.Scale
			*changed = true
		case added && number:
			x.Constant = iop.Number(-v)
			*changed = true
		}
		out[name] = x
	}
	return out
}

// A claim does not hold for a move that does the opposite. The test takes as long
// as the whole proof, so it runs only when CHEMIGRAM_TEST_REVERSED is set.
func TestAReversedMoveIsFound(t *testing.T) {
	if os.Getenv("CHEMIGRAM_TEST_REVERSED") == "" {
		t.Skip("CHEMIGRAM_TEST_REVERSED is not set")
	}
	r := newRenderer(t, testutil.AnyDarktable(t))
	var entries []*vocab.Entry
	all, _ := chosen(t, builtin(t))
	for _, e := range all {
		if r := reversed(e); r != nil {
			entries = append(entries, r)
		}
	}
	proofs, err := prove.Verify(t.Context(), prove.VerifyParams{
		Entries: entries, Others: []*vocab.Entry{}, Renderer: r, Target: r.release, Parallel: 2,
	})
	if err != nil {
		t.Logf("some cannot be reversed, since their values would be out of range: %v", err)
	}
	for _, p := range proofs {
		if len(p.Findings) > 0 && p.OK() {
			t.Errorf("%s: the claims hold for the opposite, too", p.Entry)
		}
	}
}
