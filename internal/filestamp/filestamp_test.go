package filestamp

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

func stampOf(t *testing.T, path string) Stamp {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return Of(info)
}

func write(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// A file that is replaced by one of the same size and time has another stamp.
func TestAStampTellsFilesOfOneSizeAndTimeApart(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("Windows says neither when a file was changed nor its number")
	}
	dir := t.TempDir()
	path, other := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	write(t, path, "one")
	write(t, other, "two")
	taken := time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC)
	for _, p := range []string{path, other} {
		if err := os.Chtimes(p, taken, taken); err != nil {
			t.Fatal(err)
		}
	}
	before := stampOf(t, path)
	if again := stampOf(t, path); again != before {
		t.Errorf("the same file: %+v, then %+v", before, again)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	if after := stampOf(t, path); after == before || after.Size != before.Size || after.Modified != before.Modified {
		t.Errorf("replaced: %+v, was %+v", after, before)
	}
}

func TestAStampIsSettledWhenTheClockHasMovedOn(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 2, 3, 4, 5, 678e6, time.UTC)
	for name, c := range map[string]struct {
		modified, changed time.Duration // before now
		want              bool
	}{
		"long ago":              {time.Hour, time.Hour, true},
		"just now":              {time.Hour, time.Millisecond, false},
		"a tenth of a second":   {time.Hour, 100 * time.Millisecond, true},
		"in whole seconds":      {time.Hour, 1678 * time.Millisecond, false},
		"a camera's wrong date": {-1000 * time.Hour, time.Millisecond, false},
		"a server's wrong date": {time.Hour, -time.Hour, true},
		"written and set back":  {time.Millisecond, time.Hour, false},
	} {
		s := Stamp{Modified: now.Add(-c.modified).UnixNano(), Changed: now.Add(-c.changed).UnixNano()}
		if got := s.IsSettled(now); got != c.want {
			t.Errorf("%s: settled is %t", name, got)
		}
	}
}
