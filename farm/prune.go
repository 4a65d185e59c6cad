package farm

import (
	"context"
	"errors"
	"time"

	"github.com/chemigram/chemigram/objects"
)

// Pruned is what [Prune] has removed.
type Pruned struct {
	Objects int
	Bytes   int64
}

// Prune removes what is older than an age from a farm's store: raws, pictures and tries.
// All of it is made again when it is wanted. An age below an hour is an error: what is
// under way is younger.
func Prune(ctx context.Context, s objects.Store, older time.Duration) (p Pruned, err error) {
	if older < time.Hour {
		return p, errors.New("what is younger than an hour may be under way: the age is too short")
	}
	before := time.Now().Add(-older)
	for _, prefix := range []string{"tries/", "results/", "raws/"} {
		for page := ""; ; {
			list, next, err := s.List(ctx, prefix, page)
			if err != nil {
				return p, err
			}
			for _, o := range list {
				if !o.Modified.Before(before) {
					continue
				}
				if err := s.Delete(ctx, o.Name); err != nil {
					return p, err
				}
				p.Objects++
				p.Bytes += o.Size
			}
			if page = next; page == "" {
				break
			}
		}
	}
	return p, nil
}
