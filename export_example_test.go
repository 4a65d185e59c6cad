package chemigram_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/chemigram/chemigram"
)

// Every image of four stars and more goes out as a JPEG that does not tell where
// it was taken. A call that was interrupted is made again, and does the rest.
func ExampleEngine_ExportBatch() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine without darktable
	defer done()

	stars := chemigram.Rating(4)
	ctx = chemigram.WithProgress(ctx, func(done, total int, what string) {
		fmt.Printf("%d of %d, %s\n", done, total, what)
	})
	res, err := engine.ExportBatch(ctx, chemigram.ExportBatchParams{
		Choose: &chemigram.ListImagesParams{MinRating: &stars},
		Size:   2048, Metadata: "strip_location",
	})
	if errors.Is(err, chemigram.ErrDarktable) {
		fmt.Println("darktable is missing")
		return
	}
	fmt.Println(res.Exported, res.Skipped, res.Failed)
	// Output: darktable is missing
}
