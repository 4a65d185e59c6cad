package vocab_test

import (
	"os"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/iop"
)

// reversed is a move that does the opposite: what it adds it takes away, and what
// it sets by a parameter it sets as far on the other side of neutral. It is nil
// for a move that only chooses.
func reversed(e *vocab.Entry) *vocab.Entry {
	back, turned := *e, false
	back.Ops = slices.Clone(e.Ops)
	for i := range back.Ops {
		o := &back.Ops[i]
		o.Add, o.Set, o.Multiply = turn(e, o.Add, true, &turned), turn(e, o.Set, false, &turned), turn(e, o.Multiply, false, &turned)
	}
	if !turned {
		return nil
	}
	return &back
}

// turn mirrors the expressions of an op around neutral.
func turn(e *vocab.Entry, fields map[string]vocab.Expr, added bool, turned *bool) map[string]vocab.Expr {
	out := map[string]vocab.Expr{}
	for name, x := range fields {
		p, _ := e.Parameter(x.Parameter)
		v, number := x.Constant.Float()
		switch {
		case x.Parameter != "":
			x.Offset, x.Scale = x.Offset+2*x.Scale*p.Neutral, -x.Scale
			*turned = true
		case added && number:
			x.Constant = iop.Number(-v)
			*turned = true
		}
		out[name] = x
	}
	return out
}

// Claims notice a move that does the opposite of what it says. It takes as long
// as the whole proof, so it runs when CHEMIGRAM_TEST_REVERSED is set.
func TestAReversedMoveIsFound(t *testing.T) {
	if os.Getenv("CHEMIGRAM_TEST_REVERSED") == "" {
		t.Skip("CHEMIGRAM_TEST_REVERSED is not set")
	}
	s := newStudio(t, testutil.AnyDarktable(t))
	var turned []*vocab.Entry
	entries, _ := chosen(t, builtin(t))
	for _, e := range entries {
		if back := reversed(e); back != nil {
			turned = append(turned, back)
		}
	}
	proofs, err := vocab.Verify(t.Context(), vocab.VerifyParams{
		Entries: turned, Others: []*vocab.Entry{}, Renderer: s, Target: s.release, Parallel: 2,
	})
	if err != nil {
		t.Logf("some cannot be turned round, as their fields end there: %v", err)
	}
	for _, p := range proofs {
		if len(p.Findings) > 0 && p.OK() {
			t.Errorf("%s may do the opposite: its claims do not notice", p.Entry)
		}
	}
}
