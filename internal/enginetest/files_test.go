package enginetest

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/files"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/render"
)

// filesEnv makes the test of files try those whose kind and what match a regular
// expression, and write what became of them into docs/files.md.
const filesEnv = "CHEMIGRAM_FILES"

// Files as they come from everywhere are taken in from one folder, get an edit from
// another, are exported with its history and the stamp, go out as a sidecar and come
// back; and a raw shows the chart's greys as grey.
func TestFilesOfTheWorld(t *testing.T) {
	wanted := os.Getenv(filesEnv)
	if wanted == "" {
		t.Skip("run `make files`: it takes a darktable for each file")
	}
	chosen := regexp.MustCompile(wanted)
	tried := slices.DeleteFunc(files.All(), func(f files.File) bool { return !chosen.MatchString(f.Kind + ": " + f.What) })
	results := readTable(t)
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		for name, result := range tryFiles(t, openOn(t, dt), tried) {
			f := tried[slices.IndexFunc(tried, func(f files.File) bool { return f.Name == name })]
			if result != well {
				t.Errorf("%s: %s (%q): %s", f.Kind, f.What, f.Name, result)
			}
			results[row{f.Kind, f.What, dt.Name}] = result
		}
	})
	if err := os.WriteFile(tablePath, table(results), 0o644); err != nil {
		t.Fatal(err)
	}
}

// tryFiles gives what is wrong with each file, by its name.
func tryFiles(t *testing.T, e *chemigram.Engine, all []files.File) map[string]string {
	t.Helper()
	dir := t.TempDir()
	result := map[string]string{}
	for _, f := range all {
		result[f.Name] = well
	}
	byPath := map[string]files.File{}
	for _, f := range all {
		path, err := f.Write(dir)
		if err != nil { // a file system that has no such names
			result[f.Name] = err.Error()
			continue
		}
		byPath[path] = f
	}
	res, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPaths: slices.Sorted(maps.Keys(byPath)), TimeoutSeconds: seconds})
	if err != nil {
		t.Fatal(err)
	}
	of := map[chemigram.ImageID]files.File{}
	var ids []chemigram.ImageID
	for _, o := range res.Outcomes {
		f := byPath[o.RawPath]
		if o.ErrorCode != "" {
			result[f.Name] = o.Error
			continue
		}
		if !o.Created {
			result[f.Name] = "it is taken for another file"
			continue
		}
		of[o.ImageID], ids = f, append(ids, o.ImageID)
	}
	note := func(id chemigram.ImageID, err error) {
		if err != nil && result[of[id].Name] == well {
			result[of[id].Name] = err.Error()
		}
	}
	for _, id := range ids {
		note(id, editFile(t, e, id, of[id]))
	}
	out, err := e.ExportBatch(t.Context(), chemigram.ExportBatchParams{Items: items(ids), Format: "png", Size: 96, TimeoutSeconds: seconds})
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range out.Outcomes {
		if o.ErrorCode != "" {
			note(o.ImageID, errors.New(o.Error))
			continue
		}
		note(o.ImageID, checkExport(o, of[o.ImageID]))
	}
	return result
}

func items(ids []chemigram.ImageID) []chemigram.ExportItem {
	out := make([]chemigram.ExportItem, len(ids))
	for i, id := range ids {
		out[i].ImageID = id
	}
	return out
}

// editFile edits an image, and takes the edit out as a sidecar and in again. The edit
// does nothing to grey.
func editFile(t *testing.T, e *chemigram.Engine, id chemigram.ImageID, f files.File) error {
	t.Helper()
	ctx := t.Context()
	value := 0.1
	if _, err := e.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: id, PrimitiveName: "saturation", Value: &value, Mask: &chemigram.Mask{Name: "skin"},
	}); err != nil {
		return err
	}
	side, err := e.ExportSidecar(ctx, chemigram.ExportSidecarParams{ImageID: id})
	if err != nil {
		return err
	}
	if _, err := e.Reset(ctx, chemigram.ResetParams{ImageID: id}); err != nil {
		return err
	}
	back, err := e.ImportSidecar(ctx, chemigram.ImportSidecarParams{ImageID: id, Path: side.OutputPath})
	if err != nil {
		return err
	}
	if got := back.StateAfter.HeadHash; got == nil || *got != side.StateHash {
		return errors.New("the sidecar comes back as another look")
	}
	_, err = e.PropagateState(ctx, chemigram.PropagateStateParams{ImageID: id, Targets: []chemigram.ImageID{id}})
	if err == nil {
		return errors.New("a look was propagated to itself")
	}
	return nil
}

// checkExport asks for the history, the stamp, the size and, of a raw, for greys that
// are grey.
func checkExport(o chemigram.ExportOutcome, f files.File) error {
	_, stamp, err := render.InspectStamp(o.OutputPath)
	if err != nil || stamp.State != o.StateHash || stamp.Raw == "" {
		return fmt.Errorf("the stamp is %+v, %w", stamp, err)
	}
	data, err := os.ReadFile(o.OutputPath)
	if err != nil {
		return err
	}
	if !bytes.Contains(data, []byte("darktable:history")) {
		return errors.New("no history in the export")
	}
	w, h := f.Width, f.Height
	if f.Turned {
		w, h = h, w
	}
	scale := min(1, 96/float64(max(w, h)))
	if math.Abs(scale*float64(w)-float64(o.Width)) > 3 || math.Abs(scale*float64(h)-float64(o.Height)) > 3 {
		return fmt.Errorf("the export has %d × %d pixels, of a picture of %d × %d", o.Width, o.Height, w, h)
	}
	if !f.Chart || o.Width < 90 || o.Height < 60 {
		return nil
	}
	m, err := pixel.Load(o.OutputPath)
	if err != nil {
		return err
	}
	return checkGreys(m)
}

// checkGreys asks that the middle greys of a chart are neutral, and in their order.
func checkGreys(m *pixel.Image) error {
	last := math.Inf(1)
	for _, p := range (scene.Chart{}).Patches() {
		if !p.Neutral || p.Name == "white" || p.Name == "black" {
			continue
		}
		got := m.Mean(p.Rect).Lab()
		if chroma := math.Hypot(got.A, got.B); chroma > 4 {
			return fmt.Errorf("%s has the chroma %.1f", p.Name, chroma)
		}
		if got.L >= last {
			return fmt.Errorf("%s is not darker than the patch before it", p.Name)
		}
		last = got.L
	}
	return nil
}

// well is the result of a file with which nothing is wrong.
const well = "well"

// row is a file, and the darktable that it was tried on.
type row struct{ kind, what, darktable string }

const tablePath = "../../docs/files.md"

// readTable reads what docs/files.md says.
func readTable(t *testing.T) map[row]string {
	t.Helper()
	data, err := os.ReadFile(tablePath)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	all := map[row]string{}
	var names []string
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.Trim(line, "| \n"), " | ")
		switch {
		case !strings.HasPrefix(line, "| "):
		case names == nil:
			names = cells[2:]
		default:
			for i, name := range names {
				if i+2 < len(cells) && cells[i+2] != untried {
					all[row{cells[0], cells[1], name}] = cells[i+2]
				}
			}
		}
	}
	return all
}

// untried is the cell of a file that was not tried on a darktable.
const untried = "–"

// table is docs/files.md.
func table(results map[row]string) []byte {
	var names []string
	for r := range results {
		names = append(names, r.darktable)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	var b bytes.Buffer
	b.WriteString("# Files of the world\n\nWhat was tried, as `make files` writes it down: each file is ingested, edited within a\n" +
		"mask and exported with its history and stamp, its edit goes out as a sidecar and comes\nback, and a raw shows the greys of a chart as grey.\n\n| file | what | ")
	b.WriteString(strings.Join(names, " | ") + " |\n|---|---|" + strings.Repeat("---|", len(names)) + "\n")
	for _, f := range files.All() {
		fmt.Fprintf(&b, "| %s | %s |", f.Kind, f.What)
		for _, name := range names {
			result := cmp.Or(results[row{f.Kind, f.What, name}], untried)
			fmt.Fprintf(&b, " %s |", strings.NewReplacer("|", "/", "\n", " ").Replace(result))
		}
		b.WriteString("\n")
	}
	return b.Bytes()
}
