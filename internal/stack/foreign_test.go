package stack

import (
	"encoding/binary"
	"errors"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

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

// A sidecar in another encoding is refused for that; of another file nothing is told.
func TestASidecarInUTF16IsRefusedForItsEncoding(t *testing.T) {
	t.Parallel()
	wide := func(text string) []byte {
		var out []byte
		for _, unit := range utf16.Encode([]rune("\ufeff" + text)) {
			out = binary.LittleEndian.AppendUint16(out, unit)
		}
		return out
	}
	if _, err := ReadForeign("a.xmp", wide(string(baseline.Packet("5.4.1")))); err == nil || !strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("a sidecar: %v", err)
	}
	if _, err := ReadForeign("a.xmp", wide("a diary")); err == nil || strings.Contains(err.Error(), "UTF-16") {
		t.Errorf("another file: %v", err)
	}
}
