package mask

import (
	"errors"
	"fmt"
	"testing"
)

func TestErrorsAreRecognisedByTheirKind(t *testing.T) {
	t.Parallel()
	_, err := DecodeBlend(14, []byte{1})
	err = fmt.Errorf("decoding: %w", err)
	if !errors.Is(err, SizeMismatch) || errors.Is(err, UnknownVersion) {
		t.Errorf("%v is no size mismatch", err)
	}
	if want := "decoding: blend parameters version 14: 1 bytes where the layout has 420"; err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	if _, err = (Spec{}).Mask(Frame{}); !errors.Is(err, Empty) || err.Error()[:6] != "mask: " {
		t.Errorf("%v", err)
	}
}
