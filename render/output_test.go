package render

import (
	"strings"
	"testing"
)

func TestOutputKeepsTheEnd(t *testing.T) {
	t.Parallel()
	var x output
	for range 1000 {
		if n, err := x.Write([]byte("0123456789é")); n != 12 || err != nil {
			t.Fatal(n, err)
		}
	}
	_, _ = x.Write([]byte(strings.Repeat("a", outputLimit-1) + "z"))
	if got := x.String(); len(got) != outputLimit || !strings.HasSuffix(got, "az") {
		t.Errorf("kept %d bytes", len(got))
	}
	var y output
	_, _ = y.Write([]byte(strings.Repeat("é", outputLimit)[1:]))
	if got := y.String(); strings.Trim(got, "é") != "" {
		t.Errorf("the text is cut within a letter: %q…", got[:4])
	}
}
