package chemigram

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/workspace"
)

// BenchmarkApply is one edit, published and synced to disk: two exposures in
// turn, so that each changes something.
func BenchmarkApply(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	values := [2]float64{0.5, 1}
	i := 0
	for b.Loop() {
		apply(b, e, "exposure", values[i%2])
		i++
	}
}

// BenchmarkApplyUnchanged is the same move again: what an edit costs beside
// publishing it.
func BenchmarkApplyUnchanged(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	for b.Loop() {
		apply(b, e, "exposure", 1)
	}
}

func BenchmarkSnapshot(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	for b.Loop() {
		if _, err := e.Snapshot(b.Context(), SnapshotParams{ImageID: "a", Label: "again"}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkGetState(b *testing.B) {
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	for b.Loop() {
		headHash(b, e)
	}
}

// BenchmarkDiff tells two versions apart in named fields, and beside it, in turn,
// git does so in lines of hex, between two blobs that it has; medians.
func BenchmarkDiff(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("there is no git here")
	}
	e := openWithout(b, Options{})
	add(b, e, "a", "5.4.1")
	apply(b, e, "exposure", 1)
	apply(b, e, "shadows", 1)
	dir := b.TempDir()
	git := func(in []byte, args ...string) string {
		cmd := exec.CommandContext(b.Context(), "git", append([]string{"-C", dir}, args...)...)
		cmd.Stdin = bytes.NewReader(in)
		out, err := cmd.Output()
		if err != nil {
			b.Fatal(err)
		}
		return strings.TrimSpace(string(out))
	}
	git(nil, "init", "--quiet", "--bare")
	img, err := e.image("a")
	if err != nil {
		b.Fatal(err)
	}
	var blobs []string
	for _, ref := range []RefOrHash{"baseline", "HEAD"} {
		v, err := img.At(b.Context(), string(ref))
		if err != nil {
			b.Fatal(err)
		}
		blobs = append(blobs, git(v.Sidecar.Canonical(), "hash-object", "-w", "--stdin"))
	}
	calls := map[string]func(){
		"ours": func() {
			if _, err := e.Diff(b.Context(), DiffParams{ImageID: "a", HashA: "baseline", HashB: "HEAD"}); err != nil {
				b.Fatal(err)
			}
		},
		"git": func() { git(nil, "diff", blobs[0], blobs[1]) },
	}
	took := map[string][]time.Duration{}
	for b.Loop() {
		for name, call := range calls {
			begun := time.Now()
			call()
			took[name] = append(took[name], time.Since(begun))
		}
	}
	for name, times := range took {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds()), name+"-µs")
	}
}

// BenchmarkWorkspace works in workspaces of one image and of 50,000, which are
// links to one.
func BenchmarkWorkspace(b *testing.B) {
	for _, images := range []int{1, 50_000} {
		e := openWithout(b, Options{})
		add(b, e, "a", "5.4.1")
		if _, err := e.GetState(b.Context(), GetStateParams{ImageID: "a"}); err != nil {
			b.Fatal(err)
		}
		history := filepath.Join(e.workspace.ImageDir("a"), "history")
		for i := 1; i < images; i++ {
			id := ImageID(fmt.Sprintf("IMG_%05d", i))
			dir := e.workspace.ImageDir(string(id))
			data, err := json.Marshal(workspace.File{ImageID: string(id), Raw: workspace.Raw{Path: "/nowhere/" + string(id)}, Darktable: "5.4.1"})
			if err = errors.Join(err, os.MkdirAll(filepath.Join(dir, "history"), 0o700),
				os.WriteFile(filepath.Join(dir, "image.json"), data, 0o600),
				os.Link(filepath.Join(history, "journal"), filepath.Join(dir, "history", "journal")),
				os.Link(filepath.Join(history, "index"), filepath.Join(dir, "history", "index"))); err != nil {
				b.Fatal(err)
			}
		}
		old := time.Now().Add(-time.Hour)
		if err := os.Chtimes(e.workspace.Path("images"), old, old); err != nil {
			b.Fatal(err)
		}
		calls := map[string]func(e *Engine, i int) error{
			"list": func(e *Engine, i int) error {
				res, err := e.ListImages(b.Context(), ListImagesParams{Limit: 50, Offset: Offset(max(0, i*50%images-50))})
				if err == nil && res.Total != images {
					err = fmt.Errorf("%d images are listed", res.Total)
				}
				return err
			},
			"list-after-two-changes": func(e *Engine, _ int) error {
				gone, err := e.workspace.Discard(b.Context(), "a", "a test")
				if err != nil {
					return err
				}
				if _, err := e.ListImages(b.Context(), ListImagesParams{Limit: 1}); err != nil {
					return err
				}
				if _, err := e.workspace.Restore(b.Context(), gone.Name); err != nil {
					return err
				}
				if _, err := e.ListImages(b.Context(), ListImagesParams{Limit: 1}); err != nil {
					return err
				}
				return nil
			},
			"log": func(e *Engine, _ int) error {
				_, err := e.Log(b.Context(), LogParams{ImageID: "a"})
				return err
			},
			"apply": func(e *Engine, i int) error {
				value := 0.001 * float64(1+i%2000)
				_, err := e.ApplyPrimitive(b.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: "exposure", Value: &value})
				return err
			},
			"open": func(e *Engine, _ int) error {
				again, err := Open(b.Context(), &e.opts)
				if err == nil {
					err = again.Close()
				}
				return err
			},
		}
		for _, name := range []string{"open", "list", "list-after-two-changes", "log", "apply"} {
			b.Run(fmt.Sprintf("%d/%s", images, name), func(b *testing.B) {
				i := 0
				for b.Loop() {
					if err := calls[name](e, i); err != nil {
						b.Fatal(err)
					}
					i++
				}
			})
		}
	}
}
