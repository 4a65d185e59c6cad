package exchange

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/share"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// Clone is what a clone wants.
type Clone struct {
	Remote string
	// Image names the image on the remote: the hash of its first snapshot, 8 digits of it
	// or more, or its id there, when only one has it.
	Image string
	// ImageID is the id that it gets here; "" is the one that it has there.
	ImageID string
	// RawPath is where the raw is here, or "".
	RawPath  string
	RawRoots []string
	// WithRaw brings the raw, too.
	WithRaw bool
}

// Cloned says what a clone did.
type Cloned struct {
	Image     *workspace.Image
	Created   bool
	Snapshots int
	RawFound  bool
}

// Clone makes an image of a remote's, with all of its branches and tags. An image that was
// cloned before is fetched.
func (x *Exchange) Clone(ctx context.Context, c Clone) (done Cloned, err error) {
	remote, known, err := x.Remote(ctx, c.Remote)
	if err != nil {
		return done, err
	}
	from, err := find(ctx, remote, known.Name, c.Image)
	if err != nil {
		return done, err
	}
	raw, err := x.rawFor(ctx, remote, from, c)
	if err != nil {
		return done, err
	}
	id := c.ImageID
	if id == "" {
		id = from.ImageID
	}
	if !workspace.ValidID(id) {
		return done, fault.Invalid("/image_id", "the image is called %q there, which is no id here: give image_id", fault.Shorten(id))
	}
	choice, err := x.Workspace.ChooseID(id, raw)
	if err != nil {
		return done, err
	}
	if choice.Known != nil {
		return x.again(ctx, choice.Known, from, c.Remote)
	}
	file := workspace.File{ImageID: choice.ID, Raw: raw, EXIF: from.EXIF, Darktable: from.Darktable, IngestedAt: from.IngestedAt}
	refs, err := remote.Branches(ctx, from.First)
	if err != nil {
		return done, err
	}
	err = x.Workspace.AddFrom(ctx, file, func(h *versioning.History) error {
		list, err := x.fetchAll(ctx, remote, h, from.First, refs)
		if err != nil {
			return err
		}
		for _, f := range list {
			done.Snapshots += f.Snapshots
		}
		return checkOut(ctx, h, list)
	})
	if err != nil {
		return done, err
	}
	done.Created = true
	if done.Image, err = x.Workspace.Image(choice.ID); err != nil {
		return done, err
	}
	err = x.shareBelongings(ctx, remote, known.Name, done.Image, from.First, false)
	_, statErr := os.Stat(raw.Path)
	done.RawFound = statErr == nil
	return done, err
}

// again fetches an image that was cloned before.
func (x *Exchange) again(ctx context.Context, img *workspace.Image, from share.Image, remote string) (done Cloned, err error) {
	first, err := img.Identity(ctx)
	if err != nil {
		return done, err
	}
	if first.History != from.First {
		return done, fault.New(fault.State, "%s here is the same raw with another history: give the clone another image_id", img.ImageID)
	}
	list, _, err := x.Fetch(ctx, img, remote, "")
	for _, f := range list {
		done.Snapshots += f.Snapshots
	}
	done.Image = img
	_, statErr := os.Stat(img.Raw.Path)
	done.RawFound = statErr == nil
	return done, err
}

// find finds an image on a remote.
func find(ctx context.Context, remote *share.Remote, name, image string) (found share.Image, err error) {
	if id, err := versioning.ParseHash(image); err == nil {
		return remote.Image(ctx, id)
	}
	const most = 100000
	list, _, err := remote.Images(ctx, 0, most)
	if err != nil {
		return found, err
	}
	var fits []share.Image
	var ids []string
	for _, i := range list {
		ids = append(ids, i.ImageID)
		if i.ImageID == image || len(image) >= 8 && strings.HasPrefix(i.First.String(), image) {
			fits = append(fits, i)
		}
	}
	switch {
	case len(fits) == 1:
		return fits[0], nil
	case len(fits) == 0:
		return found, fault.Missing("image", image, ids)
	}
	var hashes []string
	for _, i := range fits {
		hashes = append(hashes, i.First.String())
	}
	return found, fault.Invalid("/remote_image", "the remote %s has several images %q: name one of them by its first_event: %q", name, image, hashes)
}

// checkOut makes the branches of a history that was fetched, with HEAD on main, or else on
// the first.
func checkOut(ctx context.Context, h *versioning.History, list []Fetched) error {
	const mainRef = headsPrefix + "main"
	head := ""
	for _, f := range list {
		branch, ok := strings.CutPrefix(f.Ref, headsPrefix)
		if !ok {
			continue
		}
		if head == "" || f.Ref == mainRef {
			head = f.Ref
		}
		if f.Ref == mainRef {
			if _, _, err := h.Reset(ctx, f.To.String()); err != nil {
				return err
			}
		} else if _, err := h.Branch(ctx, branch, f.To.String()); err != nil {
			return err
		}
	}
	if head == "" {
		return fault.New(fault.State, "the remote has no branch of this image, yet: push again where it comes from")
	}
	if head == mainRef {
		return nil
	}
	_, err := h.Checkout(ctx, head)
	return err
}

// rawFor says where the raw of an image is here: where the caller says, or where the
// workspace keeps the raws that came from remotes, when it comes.
func (x *Exchange) rawFor(ctx context.Context, remote *share.Remote, from share.Image, c Clone) (raw workspace.Raw, err error) {
	if c.RawPath != "" {
		if raw, err = x.Workspace.ReadRaw(ctx, c.RawPath, c.RawRoots); err != nil {
			return raw, err
		}
		if raw.SHA256 != from.Raw {
			return raw, fault.New(fault.State, "%s is not the raw of this image: its content has another digest", raw.Path)
		}
		return raw, nil
	}
	name := from.RawName
	if !filepath.IsLocal(name) || strings.HasPrefix(name, ".") || name != filepath.Base(name) {
		name = "raw"
	}
	path := x.Workspace.Path("raws", from.Raw, name)
	raw = workspace.Raw{Path: path, SHA256: from.Raw, Size: from.RawSize, ModifiedAt: from.IngestedAt}
	if !c.WithRaw {
		return raw, nil
	}
	sum, err := versioning.ParseHash(from.Raw)
	if err != nil {
		return raw, err
	}
	if _, err := os.Stat(path); err == nil {
		return x.Workspace.ReadRaw(ctx, path, nil)
	}
	err = x.Workspace.KeepRaw(ctx, from.Raw, name, func(f *os.File) error { return remote.Raw(ctx, sum, f, workspace.MostRaw) })
	if err != nil {
		return raw, err
	}
	return x.Workspace.ReadRaw(ctx, path, nil)
}

// sendRaw sends an image's raw, unless it is there.
func (x *Exchange) sendRaw(ctx context.Context, remote *share.Remote, img *workspace.Image) (sent bool, err error) {
	if err := img.CheckRaw(ctx); err != nil {
		return false, err
	}
	sum, err := versioning.ParseHash(img.Raw.SHA256)
	if err != nil {
		return false, err
	}
	f, _, err := workspace.OpenUserFile(img.Raw.Path, nil, "a raw")
	if err != nil {
		return false, err
	}
	sent, err = remote.SendRaw(ctx, sum, f)
	return sent, errors.Join(err, f.Close())
}
