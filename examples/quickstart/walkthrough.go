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

// moves are the edit of an evening landscape, in small steps.
var moves = []move{
	{"exposure", 0.3, "a little brighter"},
	{"highlights", -0.8, "bring back the sky"},
	{"shadows", 0.6, "open the shade"},
	{"warmth", 12, "keep the evening light"},
	{"vibrance", 0.25, "richer colours, skin left alone"},
	{"clarity", 0.3, "more presence"},
}

// walkthrough calls the main verbs one after the other.
type walkthrough struct {
	engine   *chemigram.Engine
	printer  printer
	out      string
	size     chemigram.Size
	image    chemigram.ImageID
	pictures []string
}

func (w *walkthrough) run(ctx context.Context, raw string) error {
	health, err := w.engine.HealthCheck(ctx, chemigram.HealthCheckParams{})
	if err != nil {
		return err
	}
	w.printer.line("darktable %s at %s", health.Darktable.Version, health.Darktable.Path)

	for _, step := range []func(context.Context) error{
		func(ctx context.Context) error { return w.ingest(ctx, raw) },
		w.applyMoves, w.branchOff, w.printHistory, w.printDifference, w.export,
	} {
		if err := step(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (w *walkthrough) ingest(ctx context.Context, raw string) error {
	var res chemigram.IngestResult
	err := w.printer.timed("Ingesting "+filepath.Base(raw), func() (err error) {
		res, err = w.engine.Ingest(ctx, chemigram.IngestParams{RawPath: raw})
		return err
	})
	if err != nil {
		return err
	}
	w.image = res.ImageID
	exif := res.EXIFSummary
	w.printer.line("  %s %s, %s, ISO %d, f/%g, %d × %d: baseline %.8s",
		exif.Make, exif.Model, exif.LensModel, exif.ISO, exif.Aperture, exif.Width, exif.Height, res.BaselineHash)
	return w.preview(ctx, "baseline", "HEAD")
}

func (w *walkthrough) applyMoves(ctx context.Context) error {
	for _, m := range moves {
		res, err := w.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
			ImageID: w.image, PrimitiveName: m.name, Value: &m.value,
		})
		if err != nil {
			return err
		}
		w.printer.line("%s %+g, %s: snapshot %.8s", m.name, m.value, m.why, res.SnapshotHash)
		if err := w.preview(ctx, m.name, "HEAD"); err != nil {
			return err
		}
	}
	_, err := w.engine.Tag(ctx, chemigram.TagParams{ImageID: w.image, Name: "colour"})
	return err
}

// branchOff makes a second edit on a branch of its own.
func (w *walkthrough) branchOff(ctx context.Context) error {
	if _, err := w.engine.Branch(ctx, chemigram.BranchParams{ImageID: w.image, Name: "monochrome"}); err != nil {
		return err
	}
	if _, err := w.engine.Checkout(ctx, chemigram.CheckoutParams{ImageID: w.image, RefOrHash: "monochrome"}); err != nil {
		return err
	}
	if _, err := w.engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: w.image, PrimitiveName: "black_and_white"}); err != nil {
		return err
	}
	w.printer.line("On a branch of its own: black_and_white")
	return w.preview(ctx, "monochrome", "monochrome")
}

func (w *walkthrough) printHistory(ctx context.Context) error {
	res, err := w.engine.Log(ctx, chemigram.LogParams{ImageID: w.image})
	if err != nil {
		return err
	}
	w.printer.line("History, newest first:")
	for _, entry := range res.Entries {
		w.printer.line("  %.8s %-16s %-16s %s", entry.Hash, entry.Op, entry.Entry, strings.Join(entry.Ref, " "))
	}
	return nil
}

func (w *walkthrough) printDifference(ctx context.Context) error {
	diff, err := w.engine.Diff(ctx, chemigram.DiffParams{ImageID: w.image, HashA: "baseline", HashB: "colour"})
	if err != nil {
		return err
	}
	w.printer.line("What differs between the baseline and the edit:")
	for _, change := range diff.Changes {
		w.printer.line("  %s %s %s", change.Module, change.Instance, change.Kind)
		for _, field := range change.Fields {
			w.printer.line("    %s: %s → %s %s", field.Name, field.Before, field.After, field.Unit)
		}
	}
	var res chemigram.CompareResult
	err = w.printer.timed("Comparing them", func() (err error) {
		res, err = w.engine.Compare(ctx, chemigram.CompareParams{
			ImageID: w.image, HashA: "baseline", HashB: "colour", Size: w.size,
		})
		return err
	})
	if err != nil {
		return err
	}
	w.printer.line("  mean ΔE2000 %.1f, largest %.1f, %.0f %% of the picture changed",
		res.MeanDeltaE, res.MaxDeltaE, 100*res.ChangedFraction)
	return w.keep(res.JPEGPath, "side-by-side")
}

func (w *walkthrough) export(ctx context.Context) error {
	var res chemigram.ExportFinalResult
	err := w.printer.timed("Exporting the edit in full size", func() (err error) {
		res, err = w.engine.ExportFinal(ctx, chemigram.ExportFinalParams{
			ImageID: w.image, RefOrHash: "colour", OutputDir: w.out,
		})
		return err
	})
	if err != nil {
		return err
	}
	w.pictures = append(w.pictures, res.OutputPath)
	w.printer.line("  %d × %d, %.1f MB", res.Width, res.Height, float64(res.Bytes)/1e6)
	return nil
}

// preview renders a version and keeps the picture.
func (w *walkthrough) preview(ctx context.Context, name string, ref chemigram.RefOrHash) error {
	var res chemigram.RenderPreviewResult
	err := w.printer.timed("  preview", func() (err error) {
		res, err = w.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
			ImageID: w.image, RefOrHash: ref, Size: w.size, Quality: chemigram.QualityFine,
		})
		return err
	})
	if err != nil {
		return err
	}
	return w.keep(res.JPEGPath, name)
}

// keep copies a picture from the workspace into the output folder.
func (w *walkthrough) keep(path, name string) error {
	target := filepath.Join(w.out, fmt.Sprintf("%02d-%s%s", len(w.pictures)+1, name, filepath.Ext(path)))
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
	w.pictures = append(w.pictures, target)
	return file.Close()
}
