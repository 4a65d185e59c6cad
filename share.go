package chemigram

import (
	"context"

	"github.com/chemigram/chemigram/internal/exchange"
)

// RemoteName names a place where images are shared with other workspaces: a lower-case
// letter or digit, then up to 39 of them, hyphens and underscores.
type RemoteName string

// AddRemoteParams are the parameters of AddRemote.
type AddRemoteParams struct {
	// Remote is the name that it gets here.
	Remote RemoteName `json:"remote"`
	// Location is a folder that is there, such as one on a network disk; or a URL, where
	// the program knows its kind. It has no password in it.
	Location string `json:"location"`
}

// RemoteResult is a remote.
type RemoteResult struct {
	// Remote is its name.
	Remote RemoteName `json:"remote"`
	// Location of it.
	Location string `json:"location"`
	// Changed is false when it was so before.
	Changed bool `json:"changed"`
}

// AddRemote remembers a place where images are shared with other workspaces, after trying
// it: one that writes over what is there is refused.
func (e *Engine) AddRemote(ctx context.Context, p AddRemoteParams) (_ RemoteResult, err error) {
	defer seal(&err, "add_remote", "")
	if err := e.validateWrite(&p); err != nil {
		return RemoteResult{}, err
	}
	r, changed, err := e.exchange.Add(ctx, string(p.Remote), p.Location)
	return RemoteResult{RemoteName(r.Name), r.Location, changed}, err
}

// RemoveRemoteParams are the parameters of RemoveRemote.
type RemoveRemoteParams struct {
	// Remote to forget.
	Remote RemoteName `json:"remote"`
}

// RemoveRemote forgets a remote. What is there stays, and what came from it, too.
func (e *Engine) RemoveRemote(ctx context.Context, p RemoveRemoteParams) (_ RemoteResult, err error) {
	defer seal(&err, "remove_remote", "")
	if err := e.validateWrite(&p); err != nil {
		return RemoteResult{}, err
	}
	r, err := e.exchange.Remove(ctx, string(p.Remote))
	return RemoteResult{RemoteName(r.Name), r.Location, true}, err
}

// ListRemotesParams are the parameters of ListRemotes.
type ListRemotesParams struct{}

// ListRemotesResult lists the remotes.
type ListRemotesResult struct {
	// Remotes by name.
	Remotes []RemoteResult `json:"remotes"`
}

// ListRemotes lists the places where images are shared with other workspaces.
func (e *Engine) ListRemotes(_ context.Context, _ ListRemotesParams) (res ListRemotesResult, err error) {
	defer seal(&err, "list_remotes", "")
	list, err := e.workspace.Remotes()
	res.Remotes = []RemoteResult{}
	for _, r := range list {
		res.Remotes = append(res.Remotes, RemoteResult{Remote: RemoteName(r.Name), Location: r.Location})
	}
	return res, err
}

// PushParams are the parameters of Push.
type PushParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Remote to send to. Default: the only one.
	Remote RemoteName `json:"remote,omitempty"`
	// Ref is the branch or tag that is sent. Default: HEAD's branch.
	Ref RefOrHash `json:"ref,omitempty"`
	// WithRaw sends the raw, too, unless it is there.
	WithRaw bool `json:"with_raw,omitempty"`
}

// PushResult says what was sent.
type PushResult struct {
	// Remote that it was sent to.
	Remote RemoteName `json:"remote"`
	// Ref is the full name of the branch or tag.
	Ref string `json:"ref"`
	// Event is the snapshot where it is there now.
	Event string `json:"event"`
	// Changed is false when the remote had it already, or has more.
	Changed bool `json:"changed"`
	// Snapshots that were sent.
	Snapshots int `json:"snapshots"`
	// Bytes of them.
	Bytes int64 `json:"bytes"`
	// RawSent is true when the raw was sent.
	RawSent bool `json:"raw_sent"`
}

// Push sends to a remote what leads to where a branch is here and is not there yet, and
// moves the remote's branch. When somebody else has moved it meanwhile, it is a
// versioning_error that names the winner: pull, and push again. What the call has
// acknowledged survives; a push that was cut off is called again.
func (e *Engine) Push(ctx context.Context, p PushParams) (_ PushResult, err error) {
	defer e.seal(&err, "push", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return PushResult{}, err
	}
	r, err := e.exchange.Push(ctx, img, string(p.Remote), string(p.Ref), p.WithRaw)
	return PushResult{RemoteName(r.Remote), r.Ref, r.To.String(), r.Changed, r.Snapshots, r.Bytes, r.RawSent}, err
}

// FetchParams are the parameters of Fetch.
type FetchParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Remote to ask. Default: the only one.
	Remote RemoteName `json:"remote,omitempty"`
}

// FetchResult says what came.
type FetchResult struct {
	// Remote that was asked.
	Remote RemoteName `json:"remote"`
	// Branches and tags of the image there.
	Branches []FetchedRef `json:"branches"`
}

// FetchedRef is a branch or a tag on a remote.
type FetchedRef struct {
	// Ref is its full name there; here the branch BRANCH is refs/remotes/REMOTE/BRANCH.
	Ref string `json:"ref"`
	// Event is the snapshot where it is.
	Event string `json:"event"`
	// Snapshots that came.
	Snapshots int `json:"snapshots"`
}

// Fetch brings what an image's branches and tags have on a remote, verified, and moves no
// branch here: compare, diff, merge and checkout take refs/remotes/REMOTE/BRANCH.
func (e *Engine) Fetch(ctx context.Context, p FetchParams) (_ FetchResult, err error) {
	defer e.seal(&err, "fetch", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return FetchResult{}, err
	}
	list, remote, err := e.exchange.Fetch(ctx, img, string(p.Remote), "")
	res := FetchResult{Remote: RemoteName(remote.Name), Branches: []FetchedRef{}}
	for _, f := range list {
		res.Branches = append(res.Branches, FetchedRef{f.Ref, f.To.String(), f.Snapshots})
	}
	return res, err
}

// PullParams are the parameters of Pull.
type PullParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Remote to ask. Default: the only one.
	Remote RemoteName `json:"remote,omitempty"`
	// Prefer decides every conflict that resolve does not: ours or theirs.
	// Default: they are listed, and the branch stays.
	Prefer Side `json:"prefer,omitempty"`
	// Resolve decides conflicts one by one.
	Resolve []Resolution `json:"resolve,omitempty"`
	// TimeoutSeconds limits darktable's time.
	TimeoutSeconds TimeoutSeconds `json:"timeout_seconds,omitempty" default:"120"`
}

// PullResult says what came, and what the branch is now.
type PullResult struct {
	// Remote that was asked.
	Remote RemoteName `json:"remote"`
	// Snapshots that came.
	Snapshots int `json:"snapshots"`
	MergeResult
}

// Pull fetches HEAD's branch from a remote and brings it into the branch here: it goes on
// to the remote's, or merges it by field where both have something, as merge does.
func (e *Engine) Pull(ctx context.Context, p PullParams) (res PullResult, err error) {
	defer e.seal(&err, "pull", p.ImageID)
	img, err := e.imageToWrite(&p, p.ImageID)
	if err != nil {
		return PullResult{}, err
	}
	found, err := e.exchange.FetchForPull(ctx, img, string(p.Remote))
	if err != nil {
		return PullResult{}, err
	}
	res = PullResult{Remote: RemoteName(found.Remote), Snapshots: found.Snapshots}
	before, now, merges, err := e.exchange.Forward(ctx, img, found)
	if err != nil {
		return PullResult{}, err
	}
	if !merges {
		res.MergeResult = MergeResult{
			StateAfter: stateOf(now), SnapshotHash: now.Record.State.String(), Event: now.Record.ID.String(),
			Changed: before.Record.ID != now.Record.ID, Conflicts: []MergeConflict{}, Looks: looksOf(before.Sidecar, now.Sidecar),
		}
		return res, nil
	}
	res.MergeResult, err = e.Merge(ctx, MergeParams{
		ImageID: p.ImageID, RefOrHash: RefOrHash(found.Tracked), Prefer: p.Prefer, Resolve: p.Resolve, TimeoutSeconds: p.TimeoutSeconds,
	})
	return res, err
}

// CloneImageParams are the parameters of CloneImage.
type CloneImageParams struct {
	// Remote to ask. Default: the only one.
	Remote RemoteName `json:"remote,omitempty"`
	// RemoteImage is the image there: its first_event as list_remote_images gives it, 8
	// digits of that or more, or its id there when only one has it.
	RemoteImage string `json:"remote_image"`
	// ImageID is the name that it gets. Default: the one that it has there.
	ImageID ImageID `json:"image_id,omitempty"`
	// RawPath is where the raw is on this machine; its content must be the image's.
	RawPath string `json:"raw_path,omitempty"`
	// WithRaw brings the raw, too, into the workspace.
	WithRaw bool `json:"with_raw,omitempty"`
}

// CloneImageResult says what came.
type CloneImageResult struct {
	// ImageID names the image here.
	ImageID ImageID `json:"image_id"`
	// Created is false when it was cloned before: then it was fetched.
	Created bool `json:"created"`
	// Snapshots that came.
	Snapshots int `json:"snapshots"`
	// RawFound is true when the raw is where the image expects it.
	RawFound bool `json:"raw_found"`
	// StateAfter is the edit now.
	StateAfter State `json:"state_after"`
}

// CloneImage makes an image of one that others share on a remote, with its whole history,
// branches and tags, all of it verified.
func (e *Engine) CloneImage(ctx context.Context, p CloneImageParams) (_ CloneImageResult, err error) {
	defer seal(&err, "clone_image", p.ImageID)
	if err := e.validateWrite(&p); err != nil {
		return CloneImageResult{}, err
	}
	done, err := e.exchange.Clone(ctx, exchange.Clone{
		Remote: string(p.Remote), Image: p.RemoteImage, ImageID: string(p.ImageID), RawPath: p.RawPath, RawRoots: e.opts.RawRoots, WithRaw: p.WithRaw,
	})
	if err != nil {
		return CloneImageResult{}, err
	}
	now, err := e.GetState(ctx, GetStateParams{ImageID: ImageID(done.Image.ImageID)})
	return CloneImageResult{ImageID(done.Image.ImageID), done.Created, done.Snapshots, done.RawFound, now}, err
}

// ListRemoteImagesParams are the parameters of ListRemoteImages.
type ListRemoteImagesParams struct {
	// Remote to ask. Default: the only one.
	Remote RemoteName `json:"remote,omitempty"`
	// Limit is how many images to list.
	Limit Limit `json:"limit,omitempty" default:"50"`
	// Offset skips so many.
	Offset Offset `json:"offset,omitempty"`
}

// ListRemoteImagesResult is a page of the images of a remote.
type ListRemoteImagesResult struct {
	// RemoteImages by their first snapshots.
	RemoteImages []RemoteImage `json:"remote_images"`
	// Total is how many there are.
	Total int `json:"total"`
}

// RemoteImage is an image that is shared.
type RemoteImage struct {
	// FirstEvent is the image's first snapshot, which no other image has.
	FirstEvent string `json:"first_event"`
	// ImageID is its id where it comes from.
	ImageID ImageID `json:"image_id"`
	// RawName is the name of the raw's file.
	RawName string `json:"raw_name"`
}

// ListRemoteImages lists the images that are shared on a remote: clone_image brings one.
func (e *Engine) ListRemoteImages(ctx context.Context, p ListRemoteImagesParams) (_ ListRemoteImagesResult, err error) {
	defer seal(&err, "list_remote_images", "")
	if err := validate(&p); err != nil {
		return ListRemoteImagesResult{}, err
	}
	list, total, err := e.exchange.Images(ctx, string(p.Remote), int(p.Offset), int(p.Limit))
	res := ListRemoteImagesResult{RemoteImages: []RemoteImage{}, Total: total}
	for _, i := range list {
		res.RemoteImages = append(res.RemoteImages, RemoteImage{i.First.String(), ImageID(i.ImageID), i.RawName})
	}
	return res, err
}
