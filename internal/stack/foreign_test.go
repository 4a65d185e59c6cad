package stack

import (
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// A module that a darktable drops when it writes an old sidecar anew is named, and the
// rest comes in only when that is asked for.
func TestAModuleThatIsLostOnTheWayIsNamed(t *testing.T) {
	t.Parallel()
	packet := string(baseline.Packet("5.4.1"))
	old, err := xmp.Parse([]byte(packet))
	if err != nil {
		t.Fatal(err)
	}
	rewritten, lost, err := ReadRewritten(old, []byte(regexp.MustCompile(`<rdf:li[^>]*operation="exposure"[^>]*/>`).ReplaceAllString(packet, "")))
	if err != nil || !slices.Equal(lost, []string{"exposure"}) {
		t.Fatalf("%q are lost, %v", lost, err)
	}
	release, err := iop.ReleaseFor("5.4.1")
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := Importable(rewritten, release, false, lost); !errors.Is(err, fault.NotImplemented) || !strings.Contains(err.Error(), "without exposure") || !strings.Contains(err.Error(), "partial") {
		t.Errorf("whole: %v", err)
	}
	_, warning, err := Importable(rewritten, release, true, lost)
	if err != nil || !strings.HasPrefix(warning, "left out, exposure: ") {
		t.Errorf("in part: %q, %v", warning, err)
	}
}
