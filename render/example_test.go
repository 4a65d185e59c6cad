package render_test

import (
	"context"
	"errors"
	"fmt"
	"log"

	"github.com/chemigram/chemigram/render"
)

// A raw's baseline is a sidecar that develops it as darktable would by default.
func Example() {
	ctx := context.Background()
	darktable, err := render.Find(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	baseline, err := darktable.Baseline(ctx, "DSC_0001.NEF")
	if err != nil {
		log.Fatal(err)
	}
	picture, err := darktable.Render(ctx, render.Job{
		Raw: "DSC_0001.NEF", Sidecar: baseline, Output: "DSC_0001.tif", BitDepth: 16, ColorSpace: "display-p3",
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(picture.Width, picture.Height)
}

// An error's kind is what to decide by; it also has what darktable printed.
func ExampleError() {
	_, err := render.Find(context.Background(), &render.Options{Path: "/opt/darktable/bin/darktable-cli"})
	if e, ok := errors.AsType[*render.Error](err); ok {
		switch e.Kind {
		case render.Missing, render.Unsupported:
			fmt.Println("install darktable 4.2 or later:", e.Message)
		case render.TimedOut:
			fmt.Println("try again with more time:", e.Stderr)
		}
	}
}

// A picture that was made before, in this process or in another one, comes from
// the cache within a millisecond or two.
func ExampleCache_Picture() {
	ctx := context.Background()
	darktable, err := render.Find(ctx, nil)
	if err != nil {
		log.Fatal(err)
	}
	cache, err := render.OpenCache("cache", nil)
	if err != nil {
		log.Fatal(err)
	}
	job := render.Job{
		Raw: "DSC_0001.NEF", RawDigest: "SHA-256 of its content", Darktable: darktable.Identity(),
		Sidecar: []byte("<x:xmpmeta …"), Size: 1024,
	}
	recipe, err := job.Recipe("exact", render.Region{})
	if err != nil {
		log.Fatal(err)
	}
	picture, cached, err := cache.Picture(ctx, recipe, func(ctx context.Context, path string) (render.Picture, error) {
		job.Output = path
		return darktable.Render(ctx, job)
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(picture.Path, cached)
}

// Numbers for how far two pictures are apart, and pictures for eyes.
func ExampleCompare() {
	before, err := render.Load("before.jpg")
	if err != nil {
		log.Fatal(err)
	}
	after, err := render.Load("after.jpg")
	if err != nil {
		log.Fatal(err)
	}
	difference, err := render.Compare(before, after)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("ΔE2000 %.1f on average, %.0f %% of the pixels changed\n", difference.MeanDeltaE, 100*difference.ChangedFraction)
	_ = render.SideBySide(render.Tile{Picture: before, Label: "before"}, render.Tile{Picture: after, Label: "after"})
	_ = difference.Picture()
}
