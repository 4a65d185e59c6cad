package enginetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
)

// mostPictures is how many pictures of each verb a goroutine keeps, to be compared at
// the end.
const mostPictures = 4

// A shown picture is one that a verb gave, and what gives it again.
type shown struct {
	Path    string              // a copy of it
	Params  json.RawMessage     // of the verb
	Head    chemigram.RefOrHash // what it was, or the look that Params name
	Quality chemigram.PreviewQuality
}

// soakPictures are the verbs that show pictures.
var soakPictures = map[string]showing{
	"RenderPreview":  picture((*chemigram.Engine).RenderPreview, func(r chemigram.RenderPreviewResult) (string, chemigram.PreviewQuality) { return r.JPEGPath, r.Quality }),
	"Compare":        picture((*chemigram.Engine).Compare, func(r chemigram.CompareResult) (string, chemigram.PreviewQuality) { return r.JPEGPath, "" }),
	"PreviewMask":    picture((*chemigram.Engine).PreviewMask, func(r chemigram.PreviewMaskResult) (string, chemigram.PreviewQuality) { return r.JPEGPath, "" }),
	"RenderVariants": picture((*chemigram.Engine).RenderVariants, func(r chemigram.RenderVariantsResult) (string, chemigram.PreviewQuality) { return r.JPEGPath, "" }),
	"ExportFinal":    picture((*chemigram.Engine).ExportFinal, func(r chemigram.ExportFinalResult) (string, chemigram.PreviewQuality) { return r.OutputPath, "" }),
}

// showing calls a verb, and gives the picture and of which quality it is.
type showing func(ctx context.Context, e *chemigram.Engine, params json.RawMessage) (string, chemigram.PreviewQuality, error)

func picture[P, R any](
	verb func(*chemigram.Engine, context.Context, P) (R, error), of func(R) (string, chemigram.PreviewQuality),
) showing {
	return func(ctx context.Context, e *chemigram.Engine, params json.RawMessage) (string, chemigram.PreviewQuality, error) {
		var p P
		if err := json.Unmarshal(params, &p); err != nil {
			return "", "", err
		}
		res, err := verb(e, ctx, p)
		if err != nil {
			return "", "", err
		}
		path, quality := of(res)
		return path, quality, nil
	}
}

// show does the present verb, which shows a picture of a look of an image, or, where look
// is "", of HEAD. It keeps a copy of some, of HEAD when nothing of the history changed
// meanwhile: HEAD may have been elsewhere and come back.
func (s *soaker) show(id chemigram.ImageID, look chemigram.RefOrHash, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	if s.kept[s.verb] >= mostPictures || id == pruned || id == tossed {
		_, _, err := soakPictures[s.verb](s.ctx, s.Engine, raw)
		return err
	}
	unchanged := func() bool { return true }
	if look == "" {
		if unchanged, err = s.watchHistory(id); err != nil {
			return err
		}
		if look, err = s.hash(id, "HEAD"); err != nil {
			return err
		}
	}
	path, quality, err := soakPictures[s.verb](s.ctx, s.Engine, raw)
	if err != nil || !unchanged() {
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("the picture that was given: %w", err)
	}
	s.kept[s.verb]++
	kept := filepath.Join(s.dir, "kept", s.name()+".jpg")
	if err := os.WriteFile(kept, data, 0o644); err != nil {
		return err
	}
	return s.acknowledge(ack{Image: id, Shown: &shown{Path: kept, Params: raw, Head: look, Quality: quality}}, nil)
}

// showLook does the present verb on any look of any image.
func (s *soaker) showLook(params func(chemigram.ImageID, chemigram.RefOrHash) any) error {
	id := s.image()
	look, err := s.hash(id, s.ref())
	if err != nil {
		return err
	}
	return s.show(id, look, params(id, look))
}

// watchHistory gives what tells whether an image's history is as it was: every change
// makes its journal longer, or another file.
func (s *soaker) watchHistory(id chemigram.ImageID) (unchanged func() bool, err error) {
	journal := filepath.Join(s.WorkspaceDir(), "images", string(id), "history", "journal")
	before, err := os.Stat(journal)
	return func() bool {
		after, err := os.Stat(journal)
		return err == nil && os.SameFile(before, after) && before.Size() == after.Size()
	}, err
}

// hash is that of the snapshot that a ref leads to.
func (s *soaker) hash(id chemigram.ImageID, ref chemigram.RefOrHash) (chemigram.RefOrHash, error) {
	log, err := s.Log(s.ctx, chemigram.LogParams{ImageID: id, Ref: ref, Limit: 1})
	if err != nil || len(log.Entries) == 0 {
		return "", err
	}
	return chemigram.RefOrHash(log.Entries[0].Hash), nil
}

// lastLook shows each image as it is at the end, from the cache that all have filled.
// The processes, which have a number, begin with different images.
func (s *soaker) lastLook(number int) error {
	s.verb, s.kept["RenderPreview"] = "RenderPreview", -2*len(soakImages)
	for i := range soakImages {
		id := soakImages[(i+number)%len(soakImages)]
		for _, size := range []chemigram.Size{96, 160} {
			err := s.tell(s.ended(s.show(id, "", chemigram.RenderPreviewParams{
				ImageID: id, Size: size, TimeoutSeconds: seconds, Quality: chemigram.QualityFine,
			})))
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// checkPictures compares the pictures that were kept with those of an engine that has
// neither cache nor workers.
func checkPictures(t *testing.T, dir string, all []ack) {
	t.Helper()
	root := filepath.Join(dir, "cold")
	if err := os.CopyFS(filepath.Join(root, "images"), os.DirFS(filepath.Join(dir, "workspace", "images"))); err != nil {
		t.Fatal(err)
	}
	e, err := openSoak(t.Context(), root, -1)
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	compared := map[string]int{}
	for _, a := range all {
		if a.Shown == nil {
			continue
		}
		if err := comparePicture(t.Context(), e, a); err != nil {
			t.Errorf("%s of %s, by %s, %s: %v", a.Verb, a.Image, a.Soaker, a.Shown.Params, err)
		}
		compared[a.Verb]++
	}
	t.Logf("%v pictures were compared", compared)
}

func comparePicture(ctx context.Context, e *chemigram.Engine, a ack) error {
	if _, err := e.Checkout(ctx, chemigram.CheckoutParams{ImageID: a.Image, RefOrHash: a.Shown.Head}); err != nil {
		return err
	}
	path, _, err := soakPictures[a.Verb](ctx, e, a.Shown.Params)
	if err != nil {
		return err
	}
	got, err1 := pixel.Load(a.Shown.Path)
	want, err2 := pixel.Load(path)
	if err := errors.Join(err1, err2); err != nil {
		return err
	}
	most := 0.5
	if a.Shown.Quality == chemigram.QualityDraft { // right in tone and colour
		most, got, want = 2, got.Blur(2), want.Blur(2)
	}
	d, err := pixel.Compare(got, want)
	if err == nil && d.Mean > most {
		err = fmt.Errorf("a mean ΔE of %.2f", d.Mean)
	}
	return err
}
