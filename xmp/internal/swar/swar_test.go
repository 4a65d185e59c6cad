package swar_test

import (
	"testing"

	"github.com/chemigram/chemigram/xmp/internal/swar"
)

func TestAnyBelow(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]bool{
		"abcdefgh": false, "abcdefg\x1f": true, "\nbcdefgh": true, "a\x7f\x80\xff fgh": false, "\x00\x00\x00\x00\x00\x00\x00\x00": true,
	} {
		if got := swar.AnyBelow(swar.Load(text), 0x20); got != want {
			t.Errorf("%q: %t", text, got)
		}
	}
	if got := swar.Load("\x01\x02\x03\x04\x05\x06\x07\x08ignored"); got != 0x0807060504030201 {
		t.Errorf("%#x", got)
	}
}
