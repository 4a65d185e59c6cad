package exchange

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

const (
	headsPrefix = "refs/heads/"
	tagsPrefix  = "refs/tags/"
)

// Pushed says what a push did.
type Pushed struct {
	share.Pushed
	Remote, Ref string
	RawSent     bool
}

// Push sends a branch or a tag of an image; "" is the branch that HEAD names.
func (x *Exchange) Push(ctx context.Context, img *workspace.Image, remoteName, ref string, withRaw bool) (done Pushed, err error) {
	remote, known, err := x.Remote(ctx, remoteName)
	if err != nil {
		return done, err
	}
	done.Remote = known.Name
	at, err := refOf(ctx, img, ref)
	if err != nil {
		return done, err
	}
	done.Ref = at.Name
	first, err := img.Identity(ctx)
	if err != nil {
		return done, err
	}
	if err := x.describe(ctx, remote, img, first.History); err != nil {
		return done, err
	}
	done.Pushed, err = remote.Push(ctx, share.Push{
		History: img.History, Image: first.History, Ref: at.Name, To: at.Record, Actor: x.Workspace.Actor(ctx),
		Progress: x.progress(ctx, "snapshots sent"),
	})
	if err == nil && at.Name != "" && strings.HasPrefix(at.Name, headsPrefix) {
		// Where it is there is known now.
		if here, hereErr := img.History.Here(ctx, []versioning.Hash{done.To}); hereErr == nil && here[done.To] {
			_, err = img.History.Track(ctx, known.Name, strings.TrimPrefix(at.Name, headsPrefix), done.To)
		}
	}
	if err == nil {
		err = x.shareBelongings(ctx, remote, known.Name, img, first.History, true)
	}
	if err == nil && withRaw {
		done.RawSent, err = x.sendRaw(ctx, remote, img)
	}
	return done, err
}

// refOf finds a branch or a tag of an image, with where it is.
func refOf(ctx context.Context, img *workspace.Image, name string) (versioning.Ref, error) {
	if name == "" {
		head, err := img.History.Head(ctx)
		if err == nil && head.Detached {
			err = fault.New(fault.Versioning, "HEAD is detached, so there is no branch to share: name one, or check one out")
		}
		return versioning.Ref{Name: head.Ref, Record: head.Record.ID}, err
	}
	refs, err := img.History.Refs(ctx)
	if err != nil {
		return versioning.Ref{}, err
	}
	var names []string
	for _, prefix := range []string{"", headsPrefix, tagsPrefix} {
		for _, r := range refs {
			if r.Name == prefix+name && (strings.HasPrefix(r.Name, headsPrefix) || strings.HasPrefix(r.Name, tagsPrefix)) {
				return r, nil
			}
			names = append(names, r.Name)
		}
	}
	return versioning.Ref{}, fault.Missing("ref", name, names)
}

// describe says on a remote what an image is.
func (x *Exchange) describe(ctx context.Context, remote *share.Remote, img *workspace.Image, first versioning.Hash) error {
	return remote.Describe(ctx, share.Image{
		First: first, ImageID: img.ImageID, Raw: img.Raw.SHA256, RawSize: img.Raw.Size, RawName: filepath.Base(img.Raw.Path),
		EXIF: img.EXIF, Darktable: img.Darktable, IngestedAt: img.IngestedAt,
	})
}

func (x *Exchange) progress(ctx context.Context, what string) func(done, total int) {
	if x.Progress == nil {
		return nil
	}
	return func(done, total int) { x.Progress(ctx, done, total, what) }
}

// Fetched is what came of one branch or tag.
type Fetched struct {
	share.Fetched
	Ref string // on the remote
}

// Fetch brings what an image's branches and tags have on a remote: all, or the one of a
// full name. It moves no branch here; a tag that is not here yet is made.
func (x *Exchange) Fetch(ctx context.Context, img *workspace.Image, remoteName, only string) (list []Fetched, known workspace.Remote, err error) {
	remote, known, err := x.Remote(ctx, remoteName)
	if err != nil {
		return nil, known, err
	}
	first, err := img.Identity(ctx)
	if err != nil {
		return nil, known, err
	}
	refs := []string{only}
	if only == "" {
		if refs, err = remote.Branches(ctx, first.History); err != nil {
			return nil, known, err
		}
	}
	list, err = x.fetchAll(ctx, remote, img.History, first.History, refs)
	if err == nil {
		err = x.shareBelongings(ctx, remote, known.Name, img, first.History, false)
	}
	return list, known, err
}

func (x *Exchange) fetchAll(ctx context.Context, remote *share.Remote, history *versioning.History, image versioning.Hash, refs []string) (list []Fetched, err error) {
	for i, ref := range refs {
		fetch := share.Fetch{History: history, Image: image, Ref: ref}
		if len(refs) == 1 { // else the branches are counted
			fetch.Progress = x.progress(ctx, "packs received")
		}
		got, err := remote.Fetch(ctx, fetch)
		if err != nil {
			return list, err
		}
		if !got.There {
			continue
		}
		if err := checkLook(ctx, history, got.To); err != nil {
			return list, err
		}
		if tag, ok := strings.CutPrefix(ref, tagsPrefix); ok {
			if err := keepTag(ctx, history, tag, got.To); err != nil {
				return list, err
			}
		}
		list = append(list, Fetched{got, ref})
		if x.Progress != nil && len(refs) > 1 {
			x.Progress(ctx, i+1, len(refs), ref)
		}
	}
	return list, nil
}

// keepTag makes a tag, unless it is here: a tag never moves.
func keepTag(ctx context.Context, history *versioning.History, tag string, at versioning.Hash) error {
	_, err := history.Tag(ctx, tag, at.String())
	if versioning.KindOf(err) == versioning.RefExists {
		return nil
	}
	return err
}

// checkLook makes sure that a look that came from outside can be read, and names no file
// by its path.
func checkLook(ctx context.Context, history *versioning.History, id versioning.Hash) error {
	record, err := history.Record(ctx, id)
	if err != nil {
		return err
	}
	state, err := history.State(ctx, record.State)
	if err != nil {
		return err
	}
	look, err := xmp.Parse(state)
	if err == nil {
		err = look.CheckFiles()
	}
	return err
}

// Pulled says what a pull found.
type Pulled struct {
	Remote, Ref string
	Snapshots   int
	// To is the remote's snapshot; Tracked names it here.
	To      versioning.Hash
	Tracked string
}

// FetchForPull brings what HEAD's branch has on a remote, for Forward or a merge.
func (x *Exchange) FetchForPull(ctx context.Context, img *workspace.Image, remoteName string) (p Pulled, err error) {
	at, err := refOf(ctx, img, "")
	if err != nil {
		return p, err
	}
	list, known, err := x.Fetch(ctx, img, remoteName, at.Name)
	p.Remote, p.Ref = known.Name, at.Name
	if err != nil {
		return p, err
	}
	if len(list) == 0 {
		return p, fault.New(fault.NotFound, "the remote %s has no %s of this image: push makes it", known.Name, at.Name).With("kind", "ref").With("name", at.Name)
	}
	p.Snapshots, p.To = list[0].Snapshots, list[0].To
	p.Tracked = "refs/remotes/" + known.Name + "/" + strings.TrimPrefix(at.Name, headsPrefix)
	return p, nil
}

// Forward moves HEAD's branch on to what a pull has found, unless there is something here
// that is not there: then it has to be merged.
func (x *Exchange) Forward(ctx context.Context, img *workspace.Image, p Pulled) (before, now workspace.Version, merges bool, err error) {
	ctx, unlock, err := img.History.Lock(ctx, "pull")
	if err != nil {
		return before, now, false, err
	}
	defer unlock()
	if before, err = img.At(ctx, ""); err != nil {
		return before, now, false, err
	}
	here, there := []versioning.Hash{before.Record.ID}, []versioning.Hash{p.To}
	theirs, err := img.History.MissingFrom(ctx, there, here)
	if err != nil || len(theirs) == 0 {
		return before, before, false, err
	}
	ours, err := img.History.MissingFrom(ctx, here, there)
	if err != nil || len(ours) > 0 {
		return before, before, len(ours) > 0, err
	}
	if now, err = img.At(ctx, p.To.String()); err != nil {
		return before, now, false, err
	}
	_, _, err = img.History.Reset(ctx, p.To.String())
	return before, now, false, err
}

// Images lists the images of a remote.
func (x *Exchange) Images(ctx context.Context, remoteName string, offset, limit int) ([]share.Image, int, error) {
	remote, _, err := x.Remote(ctx, remoteName)
	if err != nil {
		return nil, 0, err
	}
	return remote.Images(ctx, offset, limit)
}
