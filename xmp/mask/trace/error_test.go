package trace

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

func TestErrorsAreRecognisedByTheirKind(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		file io.Reader
		kind Kind
		want string
	}{
		"no polygon": {strings.NewReader(`[[0,0],[1,1]]`), Unreadable, "mask file: polygon 0 has 2 corners; it needs 3"},
		"no content": {strings.NewReader(""), Empty, "mask file: it is empty"},
		"many rings": {strings.NewReader("[" + strings.Repeat("[[0,0],[1,0],[1,1]],", maxRings) + "[[0,0],[1,0],[1,1]]]"), TooLarge, "mask file: 501 outlines; at most 500: smooth the mask, or drop its specks"},
		"no access":  {iotest.ErrReader(io.ErrUnexpectedEOF), Unreadable, "mask file: it cannot be read: unexpected EOF"},
	} {
		_, err := Decode(t.Context(), tt.file)
		if !errors.Is(err, tt.kind) || err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", name, err, tt.want)
		}
	}
	if _, err := Decode(t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF)); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("%v does not have its cause", err)
	}
}
