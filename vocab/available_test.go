package vocab

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/xmp/iop"
)

func TestRequiresDecidesWhereAnEntryWorks(t *testing.T) {
	t.Parallel()
	v := loaded(t, `{"name": "redder", "layer": "L3", "subject": "colour", "description": "Redder.",
	  "requires": {"darktable": ">=5.0"},
	  "ops": [{"module": "colorequal", "set": {"hue_red": 10}}], "claims": [{"measure": "tint", "moves": "up"}]}`)
	e, err := v.Entry("redder")
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, version := range supported {
		release, err := iop.ReleaseFor(version)
		if err != nil {
			t.Fatal(err)
		}
		ok, reason := e.Available(release)
		got[version] = ok
		if ok != (reason == "") {
			t.Errorf("darktable %s: %v, %q", version, ok, reason)
		}
	}
	if diff := cmp.Diff(map[string]bool{"4.2.1": false, "5.0.1": true, "5.4.1": true}, got); diff != "" {
		t.Error(diff)
	}
	b := newFixture(t, "4.2.1")
	b.words = v
	_, err = b.try(b.baseline, "redder", Application{})
	if e, ok := errors.AsType[*Error](err); !ok || e.Kind != Unavailable || !strings.Contains(err.Error(), "requires darktable >=5.0; installed is 4.2.1") {
		t.Errorf("%v", err)
	}
}
