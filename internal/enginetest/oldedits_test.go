package enginetest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/files"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/xmp"
)

// Sidecars that darktable wrote over the years come in on files of several kinds, as they
// are and as darktable 2 wrote them: darktable develops what goes out again as it develops
// what came in, pixel by pixel, the export has these pixels, too, and what it cannot develop
// is named. One is drawn by the seed; with `make files` each comes in whose name matches, on
// both darktables.
func TestFilesOfTheWorldTakeOldEdits(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no sidecars: %v", err)
	}
	if wanted := wantedFiles(); wanted != nil {
		testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
			takeOldEdits(t, dt, paths, func(i int) bool { return wanted("old edit: " + filepath.Base(paths[i])) })
		})
		return
	}
	dt := testutil.AnyDarktable(t)
	drawn := testutil.Random(t).IntN(len(paths))
	takeOldEdits(t, dt, paths, func(i int) bool { return i == drawn })
}

// takeOldEdits takes the sidecars in that are chosen by their places, by turns on one of
// some files.
func takeOldEdits(t *testing.T, dt testutil.Darktable, paths []string, chosen func(i int) bool) {
	t.Helper()
	all := files.All()
	dir := t.TempDir()
	e := openOn(t, dt)
	kinds := []string{"DNG", "NEF", "JPEG"}
	for i, path := range paths {
		if !chosen(i) {
			continue
		}
		f := all[slices.IndexFunc(all, func(f files.File) bool { return f.Kind == kinds[i%len(kinds)] })]
		f.Name = fmt.Sprintf("%03d", i) + filepath.Ext(f.Name)
		now, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		stem, ext := strings.TrimSuffix(f.Name, filepath.Ext(f.Name)), filepath.Ext(f.Name)
		f.Beside = map[string][]byte{ext + ".xmp": now, "_01" + ext + ".xmp": asDarktable2(now)}
		raw, err := f.Write(dir)
		if err != nil {
			t.Fatal(err)
		}
		// A copy for darktable-cli, which would develop the duplicates, too.
		bare := filepath.Join(t.TempDir(), f.Name)
		copyFile(t, raw, bare)
		res, err := e.Ingest(t.Context(), chemigram.IngestParams{RawPath: raw, ImageID: chemigram.ImageID(fmt.Sprint("image", i)), TimeoutSeconds: seconds})
		if err != nil {
			t.Fatal(err)
		}
		names := []string{f.Name + ".xmp", stem + "_01" + ext + ".xmp"}
		if slices.Sort(res.Companions); !slices.Equal(res.Companions, names) {
			t.Errorf("%s: the companions are %q, want %q", f.Name, res.Companions, names)
		}
		t.Logf("%s is beside %s", filepath.Base(path), f.Name)
		for _, name := range res.Companions {
			if err := takeOldEdit(t, e, dt, res.ImageID, bare, filepath.Join(dir, name)); err != nil {
				t.Errorf("%s as %s: %v", filepath.Base(path), name, err)
			}
		}
	}
}

// takeOldEdit takes a sidecar in, and compares what darktable makes of it and of what
// goes out again.
func takeOldEdit(t *testing.T, e *chemigram.Engine, dt testutil.Darktable, id chemigram.ImageID, raw, path string) error {
	t.Helper()
	before, complained, err := develop(t, dt, raw, path)
	if err != nil {
		t.Logf("%s: darktable-cli itself does not develop it: %v", filepath.Base(path), err)
		return nil
	}
	if _, err := e.Reset(t.Context(), chemigram.ResetParams{ImageID: id}); err != nil {
		return err
	}
	got, err := e.ImportSidecar(t.Context(), chemigram.ImportSidecarParams{ImageID: id, Path: path, TimeoutSeconds: seconds})
	if err != nil && strings.Contains(err.Error(), "partial") {
		got, err = e.ImportSidecar(t.Context(), chemigram.ImportSidecarParams{ImageID: id, Path: path, Partial: true, TimeoutSeconds: seconds})
		if err == nil && !strings.HasPrefix(got.Warning, "left out, ") {
			err = errors.New("it came without some, and nothing is said to be left out")
		}
	}
	if errors.Is(err, chemigram.ErrNotImplemented) {
		t.Logf("%s: %v", filepath.Base(path), err) // nothing of it can be taken over, by name
		return nil
	}
	if err != nil {
		return err
	}
	if got.Warning != "" {
		t.Logf("%s: %s", filepath.Base(path), got.Warning)
	}
	out, err := e.ExportSidecar(t.Context(), chemigram.ExportSidecarParams{ImageID: id})
	if err != nil {
		return err
	}
	if err := keeps(path, out.OutputPath, got.Warning); err != nil {
		return err
	}
	after, complains, err := develop(t, dt, raw, out.OutputPath)
	if err != nil {
		return fmt.Errorf("what goes out: %w", err)
	}
	for _, line := range complains {
		if !slices.Contains(complained, line) {
			return fmt.Errorf("darktable complains of what goes out alone: %s", line)
		}
	}
	if got.Warning != "" {
		return nil
	}
	first := after
	err = sameOnceMore(t, before, func() (*pixel.Image, error) {
		if made := first; made != nil {
			first = nil
			return made, nil
		}
		made, _, err := develop(t, dt, raw, out.OutputPath)
		return made, err
	})
	if err == nil {
		err = sameOnceMore(t, before, func() (*pixel.Image, error) {
			ours, err := e.ExportFinal(t.Context(), chemigram.ExportFinalParams{ImageID: id, Format: "png", Size: 96, TimeoutSeconds: seconds})
			if err != nil {
				return nil, fmt.Errorf("the export: %w", err)
			}
			return loadPicture(t, ours.OutputPath), nil
		})
	}
	if err == nil {
		t.Logf("%s: what goes out and the export are as darktable-cli develops it", filepath.Base(path))
		return nil
	}
	for range 5 {
		if again, _, failed := develop(t, dt, raw, path); failed == nil && samePixels(before, again) != nil {
			t.Logf("%s: darktable-cli itself develops it otherwise each time", filepath.Base(path))
			return nil
		}
	}
	return err
}

// sameOnceMore asks that what is made has the pixels that are wanted. There are modules
// of darktable's that develop one edit otherwise every few times, so it may be made again.
func sameOnceMore(t *testing.T, want *pixel.Image, develop func() (*pixel.Image, error)) (err error) {
	t.Helper()
	for try := range 3 {
		made, failed := develop()
		if failed != nil {
			return failed
		}
		differs := samePixels(want, made)
		if differs == nil {
			if try > 0 {
				t.Logf("once more, it is developed as before, and not as just now: %v", err)
			}
			return nil
		}
		err = differs
	}
	return err
}

// samePixels asks that two pictures have the same pixels.
func samePixels(want, got *pixel.Image) error {
	d, err := pixel.Compare(want, got)
	if err == nil && d.Max > 0 {
		err = fmt.Errorf("it is developed otherwise: ΔE %.2f, at most %.2f", d.Mean, d.Max)
	}
	return err
}

// keeps asks that all modules that a sidecar switches on are in another one, but for
// those that are left out.
func keeps(before, after, leftOut string) error {
	modules := func(path string) (map[string]bool, error) {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil, err
		}
		s, err := xmp.Parse(data)
		if err != nil {
			return nil, err
		}
		on := map[string]bool{}
		for _, entry := range s.History() {
			on[entry.Operation] = on[entry.Operation] || entry.Enabled
		}
		return on, nil
	}
	was, err := modules(before)
	if err != nil {
		return err
	}
	is, err := modules(after)
	if err != nil {
		return err
	}
	for module, on := range was {
		_, there := is[module]
		named := regexp.MustCompile(`(^left out,|;) ` + module + `(:|$)`).MatchString(leftOut)
		if on && !there && !named {
			return fmt.Errorf("%s is lost without a word", module)
		}
	}
	return nil
}

// complaint is what darktable prints when it cannot take over a part of an edit.
var complaint = regexp.MustCompile(`(?i)mismatch|can't|cannot|failed|invalid|corrupt|unknown|not found|unable`)

// longest is how long darktable-cli may take for a picture of 96 pixels. There are edits with
// which it does not end by itself.
const longest = 3 * time.Minute

// develop has darktable develop a file by a sidecar, and gives the lines with a complaint.
func develop(t *testing.T, dt testutil.Darktable, raw, sidecar string) (made *pixel.Image, complains []string, err error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.png")
	ctx, cancel := context.WithTimeout(t.Context(), longest)
	defer cancel()
	out, err := exec.CommandContext(ctx, dt.CLI, raw, sidecar, path, "--width", "96", "--height", "96", "--hq", "true", "--icc-type", "SRGB", "--apply-custom-presets", "false",
		"--core", "--configdir", t.TempDir(), "--library", ":memory:", "--disable-opencl", "--conf", "write_sidecar_files=never").CombinedOutput()
	if ctx.Err() != nil {
		return nil, nil, fmt.Errorf("it does not end within %v", longest)
	}
	if err != nil {
		said, _, _ := strings.Cut(string(out), "\n") // and then where each thread was, when it crashed
		return nil, nil, fmt.Errorf("%w: %s", err, said)
	}
	for line := range strings.Lines(string(out)) {
		if complaint.MatchString(line) {
			complains = append(complains, strings.TrimLeft(line, " .0123456789")) // without the time
		}
	}
	made, err = pixel.Load(path)
	return made, complains, err
}

var (
	formatOf   = regexp.MustCompile(`xmp_version="\d+"`)
	newerWords = regexp.MustCompile(`\s*darktable:(num|iop_order|iop_order_version|iop_order_list|multi_name_hand_edited)="[^"]*"`)
	masksOf    = regexp.MustCompile(`(?s)\s*<darktable:masks_history>.*?</darktable:masks_history>`)
	oneMask    = regexp.MustCompile(`(?s)<rdf:li\s+(darktable:mask_num=.*?)/>`)
	maskWord   = regexp.MustCompile(`darktable:(mask_\w+)="([^"]*)"`)
)

// asDarktable2 writes a sidecar as darktable 2 did: without numbers of the steps and a
// pipeline order, and with the drawn forms in lists of their own.
func asDarktable2(sidecar []byte) []byte {
	text := formatOf.ReplaceAllString(string(sidecar), `xmp_version="2"`)
	lists := map[string][]string{}
	newest := ""
	for _, form := range oneMask.FindAllStringSubmatch(masksOf.FindString(text), -1) {
		words := map[string]string{}
		for _, word := range maskWord.FindAllStringSubmatch(form[1], -1) {
			words[word[1]] = word[2]
		}
		if words["mask_num"] != newest { // the forms that are in force at a later step
			lists, newest = map[string][]string{}, words["mask_num"]
		}
		for name, value := range words {
			name = strings.Replace(name, "mask_points", "mask", 1)
			lists[name] = append(lists[name], value)
		}
	}
	delete(lists, "mask_num")
	var masks strings.Builder
	for _, name := range slices.Sorted(maps.Keys(lists)) {
		fmt.Fprintf(&masks, "\n   <darktable:%s>\n    <rdf:Seq>\n     <rdf:li>%s</rdf:li>\n    </rdf:Seq>\n   </darktable:%s>", name, strings.Join(lists[name], "</rdf:li>\n     <rdf:li>"), name)
	}
	text = masksOf.ReplaceAllLiteralString(text, masks.String())
	return []byte(newerWords.ReplaceAllString(text, ""))
}
