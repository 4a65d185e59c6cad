package chemigram

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
)

// Days is an age in days of 24 hours, 0 to 36500.
type Days float64

// PruneParams are the parameters of Prune.
type PruneParams struct {
	// ImageID names the image. Default: every image, and the workspace's trash
	// of deleted images.
	ImageID ImageID `json:"image_id,omitempty"`
	// Remote is pruned in place of images, of what pushes that died have left.
	Remote RemoteName `json:"remote,omitempty"`
	// OlderThanDays keeps what was in use, or was deleted, within so many days; 0
	// keeps nothing. Of a remote it is 1 at least: what is older is marked, and deleted by
	// the first prune so many days later. Default: 30.
	OlderThanDays *Days `json:"older_than_days,omitempty"`
	// Reason says why, for the audit log. It has to be given, and not blank.
	Reason string `json:"reason,omitempty"`
}

// PruneResult says what was taken.
type PruneResult struct {
	// Snapshots is how many were moved to the histories' trash.
	Snapshots int `json:"snapshots"`
	// FreedBytes is how many bytes smaller the histories are.
	FreedBytes int64 `json:"freed_bytes"`
	// TrashRemoved names what was in trash and is deleted for good.
	TrashRemoved []string `json:"trash_removed"`
	// Marked is how many objects of a remote are to be deleted by a later prune.
	Marked int `json:"marked,omitempty"`
	// Problems names images, or the trash, that could not be pruned, and why.
	Problems []string `json:"problems"`
}

// Prune takes out the snapshots that no branch, tag or HEAD leads to and that
// nothing has used for older_than_days, keeping them in the history's trash; and
// deletes for good what has been in trash for that long: the only way to lose
// anything.
func (e *Engine) Prune(ctx context.Context, p PruneParams) (_ PruneResult, err error) {
	defer e.seal(&err, "prune", p.ImageID)
	who, err := e.takeReason(ctx, &p.Reason)
	if err := errors.Join(e.validateWrite(&p), err); err != nil {
		return PruneResult{}, err
	}
	done, err := e.intend(ctx, "prune", who.Reason, p)
	if err != nil {
		return PruneResult{}, err
	}
	defer func() { done(&err) }()
	age := 30 * 24 * time.Hour
	if p.OlderThanDays != nil {
		age = time.Duration(float64(*p.OlderThanDays) * 24 * float64(time.Hour))
	}
	options := versioning.PruneOptions{OlderThan: age, Audit: who}
	if age == 0 {
		options.OlderThan = -1 // keep nothing
	}
	res := PruneResult{TrashRemoved: []string{}, Problems: []string{}}
	if p.Remote != "" {
		gone, err := e.exchange.Prune(ctx, string(p.Remote), string(p.ImageID), age)
		res.Marked, res.FreedBytes, res.TrashRemoved = gone.Marked, gone.Freed, append(res.TrashRemoved, gone.Removed...)
		return res, err
	}
	if p.ImageID != "" {
		err := e.pruneImage(ctx, p.ImageID, options, &res)
		return res, err
	}
	ids, err := e.workspace.IDs()
	if err != nil {
		return res, err
	}
	for _, id := range ids {
		if err := e.pruneImage(ctx, ImageID(id), options, &res); ctx.Err() != nil {
			return res, ctx.Err()
		} else if err != nil && !errors.Is(err, fault.NotFound) { // not one that was deleted meanwhile
			res.Problems = append(res.Problems, fmt.Sprintf("%s: %s", id, AsError(err).Message))
		}
	}
	removed, err := e.workspace.EmptyTrash(time.Now().Add(-age))
	res.TrashRemoved = append(res.TrashRemoved, removed...)
	if err != nil {
		res.Problems = append(res.Problems, "trash: "+err.Error())
	}
	return res, nil
}

func (e *Engine) pruneImage(ctx context.Context, id ImageID, options versioning.PruneOptions, res *PruneResult) error {
	img, err := e.image(id)
	if err != nil {
		return err
	}
	done, err := img.History.Prune(ctx, options)
	res.Snapshots += done.Records
	res.FreedBytes += done.Freed
	for _, name := range done.Trash {
		res.TrashRemoved = append(res.TrashRemoved, fmt.Sprintf("%s: %s", id, name))
	}
	return e.orMissing(id, err)
}
