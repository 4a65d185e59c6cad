package exchange

import (
	"context"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/workspace"
)

// Verify reads all of a remote, and counts its images.
func (x *Exchange) Verify(ctx context.Context, name string) (found []workspace.Finding, images int, err error) {
	remote, _, err := x.Remote(ctx, name)
	if err != nil {
		return nil, 0, err
	}
	list, err := remote.Verify(ctx, x.counting(ctx, "objects read"))
	if err != nil {
		return nil, 0, err
	}
	for _, f := range list {
		found = append(found, workspace.Finding{
			Fault: "damaged_remote", File: f.Object, Detail: f.Detail,
			Advice: "restore the object from a backup of the remote, or push to a new one from a workspace that has all",
		})
	}
	images, err = remote.Count(ctx)
	return found, images, err
}

// Prune takes from a remote what nothing leads to.
func (x *Exchange) Prune(ctx context.Context, name, image string, grace time.Duration) (share.Pruned, error) {
	if image != "" {
		return share.Pruned{}, fault.Invalid("/image_id", "a remote is pruned as a whole: leave out image_id")
	}
	remote, _, err := x.Remote(ctx, name)
	if err != nil {
		return share.Pruned{}, err
	}
	return remote.Prune(ctx, grace, x.counting(ctx, "moves read"))
}

// counting tells how far a call is that does not know how far it has to go.
func (x *Exchange) counting(ctx context.Context, what string) func(read int) {
	if x.Progress == nil {
		return nil
	}
	return func(read int) { x.Progress(ctx, read, 0, what) }
}
