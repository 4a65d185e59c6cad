package vocab

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/vocab/measure"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// A style with a pipeline order of its own is carried without it, and its entry says so;
// an order that darktable has built in is none of its own.
func TestACapturedStyleSaysThatItsOrderIsLeftOut(t *testing.T) {
	t.Parallel()
	release, err := iop.ReleaseFor("4.2.1")
	if err != nil {
		t.Fatal(err)
	}
	builtin, _ := release.BuiltinOrder(2)
	if builtin, err = builtin.Insert("exposure", 1); err != nil {
		t.Fatal(err)
	}
	for list, want := range map[string]string{
		"":               "",
		builtin.String(): "",
		"exposure,0,exposure,1,colorbalancergb,0,sigmoid,0":               "",
		"sigmoid,0,exposure,1,colorbalancergb,0":                          "sigmoid before exposure",
		"colorbalancergb,0,exposure,1,exposure,0,sigmoid,0,nonesuch,0":    "colorbalancergb before exposure",
		"exposure,1,colorbalancergb,0,sigmoid,0,a_module_of_the_future,3": "",
	} {
		order, err := iop.ParseOrder(list)
		if err != nil {
			t.Fatal(err)
		}
		folder := filepath.Join(t.TempDir(), "pack")
		err = Capture(folder, Captured{
			Style: captured(t, func(s *xmp.Style) { s.Order = order }), Name: "film", Description: "My film.",
			Claims: []Claim{{Measure: measure.Chroma, Moves: Up}},
		})
		if err != nil {
			t.Fatal(err)
		}
		words, _ := Load(Dir(folder))
		e, err := words.Entry("film")
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.TrimPrefix(e.Description, "My film."); (said == "") != (want == "") || !strings.Contains(said, want) {
			t.Errorf("of the order %.80q it says %q, want %q", list, said, want)
		}
	}
}

func TestInstancesInAnotherOrderThanTheirNamesAreTold(t *testing.T) {
	t.Parallel()
	second := func(name string, priority int) styleOp {
		return styleOp{Op{Module: "exposure", Instance: name}, xmp.Entry{Operation: "exposure", MultiPriority: priority}}
	}
	e := &Entry{style: []styleOp{second("film z", 1), second("film a", 2)}}
	for list, want := range map[string]bool{"exposure,1,exposure,2": true, "exposure,2,exposure,1": false} {
		order, err := iop.ParseOrder(list)
		if err != nil {
			t.Fatal(err)
		}
		if said := e.orderLeftOut(order); (said != "") != want || want && !strings.Contains(said, "film a) after film z") {
			t.Errorf("%s: %q", list, said)
		}
	}
}
