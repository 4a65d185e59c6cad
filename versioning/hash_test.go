package versioning

import (
	"errors"
	"testing"
)

func TestHashes(t *testing.T) {
	t.Parallel()
	h := HashOf([]byte("x"))
	if got, err := ParseHash(h.String()); err != nil || got != h {
		t.Errorf("came back as %v, %v", got, err)
	}
	for _, s := range []string{"", "00", h.String()[1:], h.String() + "0", "G" + h.String()[1:], "A" + h.String()[1:]} {
		_, err := ParseHash(s)
		wantKind(t, err, Invalid)
	}
	if !errors.Is(fail("x", Invalid, "y", "z"), &Error{Kind: Invalid}) {
		t.Error("errors.Is does not compare kinds")
	}
}
