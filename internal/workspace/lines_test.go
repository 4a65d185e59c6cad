package workspace

import (
	"bytes"
	"errors"
	"os"
	"strings"
	"testing"
)

// Verify counts a line that is too long as one that cannot be read, and reads on.
func TestALineOfAnySizeIsPassedOver(t *testing.T) {
	t.Parallel()
	w := openNew(t)
	long := strings.Repeat("x", mostLine+10)
	if err := os.WriteFile(w.Path(AuditLog), []byte("{}\n"+long+"\n{\n{}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if torn, err := w.tornLines(AuditLog); torn != 2 || err != nil {
		t.Errorf("%d lines are torn, %v; want 2", torn, err)
	}
}

func FuzzLines(f *testing.F) {
	f.Add([]byte("a\n\nbc\n"), 1)
	f.Add(bytes.Repeat([]byte("0123456789\n"), 1000), 9)
	f.Add(bytes.Repeat([]byte("x"), 9000), 8192)
	f.Fuzz(func(t *testing.T, data []byte, most int) {
		if most < 0 {
			return
		}
		var want, got []string
		for line := range bytes.Lines(data) {
			line = bytes.TrimSuffix(line, []byte("\n"))
			if want = append(want, string(line)); len(line) > most {
				want[len(want)-1] = "too long"
			}
		}
		for line, err := range Lines(bytes.NewReader(data), most) {
			if got = append(got, string(line)); errors.Is(err, ErrLongLine) {
				got[len(got)-1] = "too long"
			} else if err != nil {
				t.Fatal(err)
			}
		}
		if strings.Join(want, "|") != strings.Join(got, "|") {
			t.Errorf("of %q at most %d: got %q, want %q", data, most, got, want)
		}
	})
}
