package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram"
)

// move is one application of the vocabulary.
type move struct {
	name  string
	value float64
	why   string
}

// moves are the tour's edit: what a photographer might do to an evening
// landscape, one small step at a time.
var moves = []move{
	{"exposure", 0.3, "a little brighter"},
	{"highlights", -0.8, "bring back the sky"},
	{"shadows", 0.6, "open the shade"},
	{"warmth", 12, "keep the evening light"},
	{"vibrance", 0.25, "richer colours, skin left alone"},
	{"clarity", 0.3, "more presence"},
}

// tour is one walk through the verbs.
type tour struct {
	engine   *chemigram.Engine
	say      teller
	out      string
	size     chemigram.Size
	image    chemigram.ImageID
	pictures []string
}

func (t *tour) walk(ctx context.Context, raw string) error {
	health, err := t.engine.HealthCheck(ctx, chemigram.HealthCheckParams{})
	if err != nil {
		return err
	}
	t.say.line("darktable %s at %s", health.Darktable.Version, health.Darktable.Path)

	for _, chapter := range []func(context.Context) error{
		func(ctx context.Context) error { return t.ingest(ctx, raw) },
		t.applyMoves, t.branchOff, t.tellHistory, t.tellDifference, t.export,
	} {
		if err := chapter(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (t *tour) ingest(ctx context.Context, raw string) error {
	var res chemigram.IngestResult
	err := t.say.step("Ingesting "+filepath.Base(raw), func() (err error) {
		res, err = t.engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw})
		return err
	})
	if err != nil {
		return err
	}
	t.image = res.ImageID
	exif := res.EXIFSummary
	t.say.line("  %s %s, %s, ISO %d, f/%g, %d × %d: baseline %.8s",
		exif.Make, exif.Model, exif.LensModel, exif.ISO, exif.Aperture, exif.Width, exif.Height, res.BaselineHash)
	return t.preview(ctx, "baseline", "HEAD")
}

func (t *tour) applyMoves(ctx context.Context) error {
	for _, m := range moves {
		res, err := t.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
			ImageID: t.image, PrimitiveName: m.name, Value: &m.value,
		})
		if err != nil {
			return err
		}
		t.say.line("%s %+g, %s: snapshot %.8s", m.name, m.value, m.why, res.SnapshotHash)
		if err := t.preview(ctx, m.name, "HEAD"); err != nil {
			return err
		}
	}
	_, err := t.engine.Tag(ctx, chemigram.TagParams{ImageID: t.image, Name: "colour"})
	return err
}

// branchOff tries another idea without losing the first.
func (t *tour) branchOff(ctx context.Context) error {
	if _, err := t.engine.Branch(ctx, chemigram.BranchParams{ImageID: t.image, Name: "monochrome"}); err != nil {
		return err
	}
	if _, err := t.engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: t.image, RefOrHash: "monochrome"}); err != nil {
		return err
	}
	if _, err := t.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: t.image, PrimitiveName: "black_and_white"}); err != nil {
		return err
	}
	t.say.line("On a branch of its own: black_and_white")
	return t.preview(ctx, "monochrome", "monochrome")
}

func (t *tour) tellHistory(ctx context.Context) error {
	res, err := t.engine.Log(ctx, chemigram.LogParams{ImageID: t.image})
	if err != nil {
		return err
	}
	t.say.line("History, newest first:")
	for _, entry := range res.Entries {
		t.say.line("  %.8s %-16s %-16s %s", entry.Hash, entry.Op, entry.Entry, strings.Join(entry.Ref, " "))
	}
	return nil
}

func (t *tour) tellDifference(ctx context.Context) error {
	diff, err := t.engine.Diff(ctx, chemigram.DiffParams{ImageID: t.image, HashA: "baseline", HashB: "colour"})
	if err != nil {
		return err
	}
	t.say.line("What differs between the baseline and the edit:")
	for _, change := range diff.Changes {
		t.say.line("  %s %s %s", change.Module, change.Instance, change.Kind)
		for _, field := range change.Fields {
			t.say.line("    %s: %s → %s %s", field.Name, field.Before, field.After, field.Unit)
		}
	}
	var res chemigram.CompareResult
	err = t.say.step("Comparing them", func() (err error) {
		res, err = t.engine.Compare(ctx, chemigram.CompareParams{
			ImageID: t.image, HashA: "baseline", HashB: "colour", Size: t.size,
		})
		return err
	})
	if err != nil {
		return err
	}
	t.say.line("  mean ΔE2000 %.1f, largest %.1f, %.0f %% of the picture changed",
		res.MeanDeltaE, res.MaxDeltaE, 100*res.ChangedFraction)
	return t.keep(res.JPEGPath, "side-by-side")
}

func (t *tour) export(ctx context.Context) error {
	var res chemigram.ExportFinalResult
	err := t.say.step("Exporting the edit in full size", func() (err error) {
		res, err = t.engine.ExportFinal(ctx, chemigram.ExportFinalParams{
			ImageID: t.image, RefOrHash: "colour", OutputDir: t.out,
		})
		return err
	})
	if err != nil {
		return err
	}
	t.pictures = append(t.pictures, res.OutputPath)
	t.say.line("  %d × %d, %.1f MB", res.Width, res.Height, float64(res.Bytes)/1e6)
	return nil
}

// preview develops a version and keeps the picture.
func (t *tour) preview(ctx context.Context, name string, ref chemigram.RefOrHash) error {
	var res chemigram.RenderPreviewResult
	err := t.say.step("  preview", func() (err error) {
		res, err = t.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
			ImageID: t.image, RefOrHash: ref, Size: t.size, Quality: chemigram.QualityFine,
		})
		return err
	})
	if err != nil {
		return err
	}
	return t.keep(res.JPEGPath, name)
}

// keep copies a picture from the workspace into the folder for people.
func (t *tour) keep(path, name string) error {
	target := filepath.Join(t.out, fmt.Sprintf("%02d-%s%s", len(t.pictures)+1, name, filepath.Ext(path)))
	in, err := os.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }()
	file, err := os.Create(target)
	if err != nil {
		return err
	}
	if _, err := io.Copy(file, in); err != nil {
		_ = file.Close()
		return err
	}
	t.pictures = append(t.pictures, target)
	return file.Close()
}
