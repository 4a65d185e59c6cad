package versioning_test

import (
	"context"
	"fmt"
	"log"

	"github.com/chemigram/chemigram/versioning"
)

func Example() {
	ctx := context.Background()
	h := versioning.NewMemory(nil) // or versioning.Open(folder, nil)
	if _, err := h.Init(ctx, []byte("as darktable sets it up"), versioning.Change{Op: "ingest"}); err != nil {
		log.Fatal(err)
	}
	for _, look := range []string{"brighter", "brighter and warmer"} {
		if _, _, err := h.Commit(ctx, []byte(look), versioning.Change{Op: "apply_primitive", Label: look}); err != nil {
			log.Fatal(err)
		}
	}
	if _, err := h.Tag(ctx, "v1", ""); err != nil {
		log.Fatal(err)
	}
	if _, err := h.Undo(ctx); err != nil {
		log.Fatal(err)
	}
	for _, name := range []string{"HEAD", "v1", "v1~2", "baseline"} {
		rec, err := h.Resolve(ctx, name)
		if err != nil {
			log.Fatal(err)
		}
		state, err := h.State(ctx, rec.State)
		if err != nil {
			log.Fatal(err)
		}
		fmt.Printf("%s: %s\n", name, state)
	}
	// Output:
	// HEAD: brighter
	// v1: brighter and warmer
	// v1~2: as darktable sets it up
	// baseline: as darktable sets it up
}
