package chemigram_test

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/chemigram/chemigram"
)

// shareExample gives an engine with the image wedding, pushed to the remote nas, and one
// of another workspace that has the remote, too.
func shareExample(ctx context.Context) (here, there *chemigram.Engine, done func()) {
	here, end := chemigram.NewExample(ctx)
	dir, err := os.MkdirTemp("", "chemigram-nas-")
	if err == nil {
		there, err = chemigram.Open(ctx, &chemigram.Options{Workspace: dir + "/workspace", Tastes: dir + "/tastes", Darktable: dir + "/none", Actor: "ben"})
	}
	if err == nil {
		err = os.Mkdir(dir+"/nas", 0o755)
	}
	for _, e := range []*chemigram.Engine{here, there} {
		if err == nil {
			_, err = e.AddRemote(ctx, chemigram.AddRemoteParams{Remote: "nas", Location: dir + "/nas"})
		}
	}
	if err == nil {
		_, err = here.Push(ctx, chemigram.PushParams{ImageID: "wedding"})
	}
	if err != nil {
		panic(err)
	}
	return here, there, func() {
		_ = there.Close()
		end()
		_ = os.RemoveAll(dir)
	}
}

func ExampleEngine_AddRemote() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	_, err := engine.AddRemote(ctx, chemigram.AddRemoteParams{Remote: "nas", Location: "/no/such/disk"})
	fmt.Println(errors.Is(err, chemigram.ErrState)) // it is not connected
	// Output: true
}

func ExampleEngine_ListRemotes() {
	ctx := context.Background()
	engine, _, done := shareExample(ctx)
	defer done()

	list, err := engine.ListRemotes(ctx, chemigram.ListRemotesParams{})
	fmt.Println(len(list.Remotes), list.Remotes[0].Remote, err)
	// Output: 1 nas <nil>
}

func ExampleEngine_RemoveRemote() {
	ctx := context.Background()
	engine, _, done := shareExample(ctx)
	defer done()

	_, err := engine.RemoveRemote(ctx, chemigram.RemoveRemoteParams{Remote: "nas"})
	fmt.Println(err)
	// Output: <nil>
}

func ExampleEngine_ListRemoteImages() {
	ctx := context.Background()
	_, ben, done := shareExample(ctx)
	defer done()

	list, err := ben.ListRemoteImages(ctx, chemigram.ListRemoteImagesParams{})
	fmt.Println(list.Total, list.RemoteImages[0].ImageID, err)
	// Output: 1 wedding <nil>
}

func ExampleEngine_CloneImage() {
	ctx := context.Background()
	_, ben, done := shareExample(ctx)
	defer done()

	res, err := ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "wedding"})
	fmt.Println(res.ImageID, res.Created, res.Snapshots, err)
	// Output: wedding true 1 <nil>
}

func ExampleEngine_Push() {
	ctx := context.Background()
	engine, _, done := shareExample(ctx)
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: "exposure"}); err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.Push(ctx, chemigram.PushParams{ImageID: "wedding"})
	fmt.Println(res.Ref, res.Changed, res.Snapshots, err)
	// Output: refs/heads/main true 1 <nil>
}

func ExampleEngine_Fetch() {
	ctx := context.Background()
	_, ben, done := shareExample(ctx)
	defer done()

	if _, err := ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "wedding"}); err != nil {
		fmt.Println(err)
		return
	}
	res, err := ben.Fetch(ctx, chemigram.FetchParams{ImageID: "wedding"})
	fmt.Println(res.Branches[0].Ref, res.Branches[0].Snapshots, err)
	// Output: refs/heads/main 0 <nil>
}

func ExampleEngine_Pull() {
	ctx := context.Background()
	ann, ben, done := shareExample(ctx)
	defer done()

	_, err := ben.CloneImage(ctx, chemigram.CloneImageParams{RemoteImage: "wedding"})
	if err == nil { // offline, both edit
		_, err = ann.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: "exposure"})
	}
	if err == nil {
		_, err = ben.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: "warmth"})
	}
	if err == nil {
		_, err = ann.Push(ctx, chemigram.PushParams{ImageID: "wedding"})
	}
	if err != nil {
		fmt.Println(err)
		return
	}
	_, err = ben.Push(ctx, chemigram.PushParams{ImageID: "wedding"})
	fmt.Println(errors.Is(err, chemigram.ErrVersioning))
	res, err := ben.Pull(ctx, chemigram.PullParams{ImageID: "wedding"})
	fmt.Println(res.Changed, len(res.Conflicts), err)
	_, err = ben.Push(ctx, chemigram.PushParams{ImageID: "wedding"})
	fmt.Println(err)
	// Output:
	// true
	// true 0 <nil>
	// <nil>
}
