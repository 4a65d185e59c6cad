package vocab

import (
	"errors"
	"io/fs"
	"testing"
)

func TestErrorsHaveAKindAPlaceAndACause(t *testing.T) {
	t.Parallel()
	err := error(&Error{
		Kind: BadPack, Pack: "mine", File: "tone.json", Line: 3, Entry: "lift", Key: "ops[0]", Message: "cannot be read",
		Suggestions: []string{"a", "b"}, Err: fs.ErrNotExist,
	})
	want := "pack mine: tone.json:3: lift: ops[0]: cannot be read: file does not exist (nearest: a, b)"
	if err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
	if !errors.Is(err, BadPack) || errors.Is(err, Unknown) || !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("bad pack %t, unknown %t, not exist %t", errors.Is(err, BadPack), errors.Is(err, Unknown), errors.Is(err, fs.ErrNotExist))
	}
}
