package chemigram

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A move that switches tone mappers is listed module by module, and taking one
// module back gives it its baseline form.
func TestSwitchedModulesAreTold(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		baseline := headHash(t, e)
		// One of the two is the baseline's own and changes nothing.
		for _, move := range []string{"use_sigmoid", "use_filmic"} {
			if _, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: move}); err != nil {
				t.Fatal(err)
			}
			if headHash(t, e) != baseline {
				break
			}
		}
		res, err := e.Diff(t.Context(), DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD"})
		if err != nil {
			t.Fatal(err)
		}
		kinds := map[ChangeKind]int{}
		for _, c := range res.Changes {
			kinds[c.Kind]++
		}
		if diff := cmp.Diff(map[ChangeKind]int{"disabled": 1, "added": 1}, kinds); diff != "" {
			t.Errorf("changes (-want +got):\n%s", diff)
		}
		for _, module := range []string{"sigmoid", "filmicrgb"} {
			if _, err := e.RemoveModule(t.Context(), RemoveModuleParams{ImageID: "a", ModuleName: module}); err != nil {
				t.Fatal(err)
			}
		}
		if headHash(t, e) != baseline {
			t.Error("with both modules taken back, the baseline has not come back")
		}
	})
}

func TestAMoveOfAnotherToneMapperIsRefused(t *testing.T) {
	eachBaseline(t, func(t *testing.T, e *Engine) {
		refused := 0
		for _, move := range []string{"filmic_contrast", "sigmoid_contrast"} {
			_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: move})
			if errors.Is(err, ErrState) {
				refused++
			} else if err != nil {
				t.Error(err)
			}
		}
		if refused != 1 {
			t.Errorf("%d of two moves were refused; want the one whose tone mapper is off", refused)
		}
	})
}
