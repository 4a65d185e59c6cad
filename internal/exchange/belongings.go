package exchange

import (
	"context"
	"errors"
	"maps"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// shareBelongings brings an image's notes, brief and marks together with those of a
// remote, and with send writes them there, too.
func (x *Exchange) shareBelongings(ctx context.Context, remote *share.Remote, name string, img *workspace.Image, image versioning.Hash, send bool) error {
	const tries = 5 // each time, somebody else has just sent theirs
	var err error
	for range tries {
		if err = x.shareOnce(ctx, remote, name, img, image, send); !errors.Is(err, fault.Versioning) || ctx.Err() != nil {
			return err
		}
	}
	return err
}

// shareOnce is one try. The image's lock is not held while the remote is asked.
func (x *Exchange) shareOnce(ctx context.Context, remote *share.Remote, name string, img *workspace.Image, image versioning.Hash, send bool) error {
	theirs, at, err := remote.Belongings(ctx, image)
	if err != nil {
		return err
	}
	var now workspace.Belongings
	err = img.ShareBelongings(ctx, name, func(last, mine workspace.Belongings) (workspace.Belongings, workspace.Belongings) {
		now = together(last, mine, theirs)
		return now, theirs
	})
	if err != nil || !send || maps.Equal(now, theirs) {
		return err
	}
	if err := remote.SetBelongings(ctx, image, at, now, x.Workspace.Actor(ctx)); err != nil {
		return err
	}
	return img.ShareBelongings(ctx, name, func(_, mine workspace.Belongings) (workspace.Belongings, workspace.Belongings) { return mine, now })
}

// together merges belongings: what one side changed is taken. Of a text that both changed
// no line is lost; of marks that both changed, those that are here are kept.
func together(last, mine, theirs workspace.Belongings) workspace.Belongings {
	now := workspace.Belongings{}
	maps.Copy(now, mine)
	for name, text := range theirs {
		switch {
		case mine[name] == last[name]:
			now[name] = text
		case text != last[name] && strings.HasSuffix(name, ".md"):
			now[name] = union(text, mine[name])
		}
	}
	return now
}

// union is a text with the lines of another that it lacks behind it.
func union(text, other string) string {
	have := map[string]bool{}
	for line := range strings.Lines(text) {
		have[strings.TrimSpace(line)] = true
	}
	var more strings.Builder
	for line := range strings.Lines(other) {
		if !have[strings.TrimSpace(line)] {
			more.WriteString(strings.TrimRight(line, "\r\n") + "\n")
		}
	}
	if more.Len() == 0 {
		return text
	}
	return strings.TrimRight(text, "\n") + "\n" + more.String()
}
