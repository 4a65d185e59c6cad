package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAnIDThatWindowsKeepsIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	raw := filepath.Join(t.TempDir(), "a.dng")
	if err := os.WriteFile(raw, []byte("raw"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, id := range []ImageID{"CON", "nul.dng", "Lpt1", "a.", "a/b", "..", "a\nb", "a\u202eb", ImageID(strings.Repeat("a", 10_000))} {
		if _, err := e.Ingest(t.Context(), IngestParams{RawPath: raw, ImageID: id}); !errors.Is(err, ErrInvalidInput) {
			t.Errorf("ingest as %.20q says %v", id, err)
		}
	}
}
