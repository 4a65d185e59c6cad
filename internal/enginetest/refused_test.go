package enginetest

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/files"
)

// A whole file that darktable does not open is refused for what it is: an unusual JPEG, a
// document under a picture's name, a raw of a camera that nobody knows. A few are drawn by
// the seed; with `make files` each is tried whose name matches, on both darktables.
func TestFilesThatAreRefused(t *testing.T) {
	all := files.Refused()
	if wanted := wantedFiles(); wanted != nil {
		all = slices.DeleteFunc(all, func(f files.Refusal) bool { return !wanted("refused: " + f.Name) })
		testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) { tryRefused(t, dt, all) })
		return
	}
	dt := testutil.AnyDarktable(t)
	testutil.Random(t).Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	tryRefused(t, dt, all[:4])
}

func tryRefused(t *testing.T, dt testutil.Darktable, all []files.Refusal) {
	t.Helper()
	e, dir := openOn(t, dt), t.TempDir()
	for _, f := range all {
		path, err := f.Write(dir)
		if err != nil {
			t.Fatal(err)
		}
		_, err = e.Ingest(t.Context(), chemigram.IngestParams{RawPath: path, TimeoutSeconds: seconds})
		if err == nil && f.OpenedBy != "" && strings.HasPrefix(dt.Name, f.OpenedBy) {
			continue
		}
		refused, ok := errors.AsType[*chemigram.Error](err)
		if !ok {
			t.Errorf("%s: %v", f.Name, err)
			continue
		}
		t.Logf("%s: %s", f.Name, refused.Message)
		if refused.Code != chemigram.ErrDarktable || refused.Details["reason"] != f.Reason || refused.Recoverable || !strings.Contains(refused.Message, f.Says) || !strings.Contains(refused.Message, f.Name) {
			t.Errorf("%s: %s %v, recoverable: %v, want %s and %q; darktable says %s", f.Name, refused.Code, refused.Details["reason"], refused.Recoverable, f.Reason, f.Says, refused.Details["stderr"])
		}
	}
}
