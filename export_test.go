package chemigram

import (
	"context"
	"os"
)

// NewExample gives examples an engine without darktable, with the image
// "wedding" and more, in a temporary folder that done removes.
func NewExample(ctx context.Context, more ...ImageID) (e *Engine, done func()) {
	dir, err := os.MkdirTemp("", "chemigram-example-*")
	if err != nil {
		panic(err)
	}
	e, err = Open(ctx, &Options{
		Workspace: dir + "/workspace", Tastes: dir + "/tastes", Darktable: dir + "/none", Actor: "an agent",
	})
	if err != nil {
		panic(err)
	}
	for _, id := range append(more, "wedding") {
		if err := addBaseline(ctx, e, id, "5.4.1"); err != nil {
			panic(err)
		}
	}
	return e, func() { _ = e.Close(); _ = os.RemoveAll(dir) }
}
