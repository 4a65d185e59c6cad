package prove

import (
	"testing"

	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp/iop"
)

// A quarter turn has no half; a brightening has.
func TestOnlyChoicesAreSwitches(t *testing.T) {
	t.Parallel()
	turn := &vocab.Entry{Ops: []vocab.Op{{Module: "flip", Set: map[string]vocab.Expr{"orientation": {Constant: iop.Text("ORIENTATION_ROTATE_CW_90_DEG")}}}}}
	brighten := &vocab.Entry{Ops: []vocab.Op{{Module: "exposure", Set: map[string]vocab.Expr{"exposure": {Constant: iop.Number(1)}}}}}
	scale := &vocab.Entry{Ops: []vocab.Op{{Module: "exposure", Add: map[string]vocab.Expr{"exposure": {Parameter: "ev", Scale: 1}}}}}
	if !isSwitch(turn) || isSwitch(brighten) || isSwitch(scale) {
		t.Errorf("switches: turn %v, brighten %v, scale %v; want only the turn", isSwitch(turn), isSwitch(brighten), isSwitch(scale))
	}
}
