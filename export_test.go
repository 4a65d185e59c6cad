package chemigram

import (
	"context"
	"os"
)

// NewExample gives examples an engine without darktable, with the image
// "wedding", in a temporary folder that done removes.
func NewExample(ctx context.Context) (e *Engine, done func()) {
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
	if err := addBaseline(ctx, e, "wedding", "5.4.1"); err != nil {
		panic(err)
	}
	return e, func() { _ = e.Close(); _ = os.RemoveAll(dir) }
}
