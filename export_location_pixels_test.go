package chemigram

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/geotag"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// A raw that names its place wherever it can is exported in every format without
// a trace of it, and with what says nothing of it.
func TestNoExportTellsWhereItWasTaken(t *testing.T) {
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		e, raw := openWith(t, dt, scene.Chart{})
		data, err := os.ReadFile(raw)
		if err != nil {
			t.Fatal(err)
		}
		if data, err = geotag.Plant(data); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(raw, data, 0o600); err != nil {
			t.Fatal(err)
		}
		ingest(t, e, raw)
		apply(t, e, "exposure", 0.5)
		for _, format := range render.Formats() {
			if format == "jxl" && strings.HasPrefix(dt.Name, "4.2") {
				continue // it cannot write it
			}
			var stays []string
			if slices.Contains([]string{"jpeg", "png", "tiff", "webp"}, format) {
				before, state := exportWith(t, e, format, "keep")
				if len(geotag.Find(before)) < 10 {
					t.Errorf("%s: the raw's place is not in the file", format)
				}
				stays = []string{state, `darktable:operation="exposure"`, "darktable:history_end=", "Synthetic 24-70mm f/2.8", "Synthetic 1"}
				for _, text := range geotag.Kept {
					if stays = append(stays, text); !strings.Contains(string(before), text) {
						t.Errorf("%s: %q of the raw is not in the file", format, text)
					}
				}
			}
			after, _ := exportWith(t, e, format, "strip_location")
			for _, found := range geotag.Find(after) {
				t.Errorf("%s: there is still %s", format, found)
			}
			for _, text := range stays {
				if !strings.Contains(string(after), text) {
					t.Errorf("%s: %q is not in it any more", format, text)
				}
			}
		}
	})
}

// exportWith exports the image a, and gives the file's bytes, unpacked, and the
// state that it shows.
func exportWith(t *testing.T, e *Engine, format string, policy Metadata) (file []byte, state string) {
	t.Helper()
	res, err := e.ExportFinal(t.Context(), ExportFinalParams{ImageID: "a", Size: 120, Format: Format(format), Metadata: policy})
	if err != nil {
		t.Fatalf("%s, %s: %v", format, policy, err)
	}
	if _, _, err := render.Inspect(res.OutputPath); err != nil {
		t.Errorf("%s, %s: %v", format, policy, err)
	}
	file, err = os.ReadFile(res.OutputPath)
	if err != nil {
		t.Fatal(err)
	}
	return geotag.Unpacked(file), res.StateHash
}
