package enginetest

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/chemigram/chemigram"
)

func (w *world) prune(at place) error {
	params := chemigram.PruneParams{ImageID: at.id, Reason: "a walk"}
	if w.r.IntN(2) == 0 {
		params.ImageID = ""
	}
	now := w.r.IntN(4) > 0
	if now {
		params.OlderThanDays = new(chemigram.Days(0))
	}
	w.did("prune %s", show(params))
	res, err := at.Prune(w.ctx, params)
	if err := wantCode(err, ""); err != nil {
		return err
	}
	if len(res.Problems) > 0 {
		return fmt.Errorf("the problems %q", res.Problems)
	}
	want := 0
	if now {
		for id, p := range at.images {
			if params.ImageID == "" || params.ImageID == id {
				want += p.prune()
			}
		}
		if params.ImageID == "" {
			at.trash = nil
		}
	}
	if res.Snapshots != want {
		return fmt.Errorf("%d snapshots were taken, want %d", res.Snapshots, want)
	}
	return nil
}

// verify finds nothing, and there is nothing to repair.
func (w *world) verify(at place) error {
	check := (*chemigram.Engine).Verify
	if w.r.IntN(2) == 0 {
		check = (*chemigram.Engine).Repair
	}
	w.did("verify or repair %d", at.s)
	res, err := check(at.Engine, w.ctx, chemigram.VerifyParams{})
	if err := wantCode(err, ""); err != nil {
		return err
	}
	if len(res.Findings) > 0 || res.Images != len(at.images) {
		return fmt.Errorf("of %d images verify finds %+v", res.Images, res.Findings)
	}
	return nil
}

func (w *world) exportBundle(at place) error {
	w.did("export_bundle %s", at.id)
	res, err := at.ExportBundle(w.ctx, chemigram.ExportBundleParams{ImageID: at.id, OutputDir: filepath.Join(w.dir, "out")})
	if err := wantCode(err, ""); err != nil {
		return err
	}
	w.bundles = append(w.bundles, bundle{res.OutputPath, at.id, at.p.clone()})
	if want := len(at.p.now().ancestry()); res.Snapshots != want {
		return fmt.Errorf("%d snapshots lead to HEAD, want %d", res.Snapshots, want)
	}
	return nil
}

func (w *world) importBundle(at place) error {
	if len(w.bundles) == 0 {
		return nil
	}
	// the newest more often than the others
	b := w.bundles[len(w.bundles)-1-w.r.IntN(1+w.r.IntN(len(w.bundles)))]
	params := chemigram.ImportBundleParams{BundlePath: b.path, ImageID: pick(w.r, ids)}
	if w.r.IntN(2) == 0 {
		params.ImageID = b.id
	}
	w.did("import_bundle %s", show(params))
	here := at.images[params.ImageID]
	res, err := at.ImportBundle(w.ctx, params)
	code := chemigram.Code("")
	created, changed := here == nil, true
	switch {
	case created:
		here = b.photo.clone()
	case here.raw != b.photo.raw:
		code = chemigram.ErrState
	case here.last.comesFrom(b.photo.last):
		changed = false
	case b.photo.last.comesFrom(here.last):
		marks, marked := here.marks, here.marked
		here = b.photo.clone()
		here.marks, here.marked = marks, marked
	default:
		code = chemigram.ErrVersioning
	}
	if err := wantCode(err, code); err != nil || code != "" {
		return err
	}
	at.images[params.ImageID] = here
	if res.Created != created || res.Changed != changed || !res.RawFound || res.ImageID != params.ImageID {
		return fmt.Errorf("it gives %+v, want created %v, changed %v", res, created, changed)
	}
	return w.checkState(here.now().look, res.StateAfter)
}

func (w *world) exportSidecar(at place) error {
	ref, s := w.version(at.p)
	if s == nil {
		return nil
	}
	w.did("export_sidecar %s %s", at.id, ref)
	res, err := at.ExportSidecar(w.ctx, chemigram.ExportSidecarParams{ImageID: at.id, RefOrHash: ref})
	if err := wantCode(err, ""); err != nil {
		return err
	}
	marks := at.p.marks
	if !at.p.marked {
		marks.Rating = 1 // as darktable has what nobody rated
	}
	w.sidecars = append(w.sidecars, sidecar{res.OutputPath, s.look, marks})
	if want := w.hashes[s.look.key()]; want != "" && res.StateHash != want {
		return fmt.Errorf("the state is %.8s, want %.8s", res.StateHash, want)
	}
	return nil
}

func (w *world) importSidecar(at place) error {
	if len(w.sidecars) == 0 {
		return nil
	}
	file := pick(w.r, w.sidecars)
	params := chemigram.ImportSidecarParams{ImageID: at.id, Path: file.path, Label: pick(w.r, []string{"", "by hand"})}
	w.did("import_sidecar %s", show(params))
	made, code := w.commit(at.p, file.look, "import_sidecar", params.Label)
	res, err := at.ImportSidecar(w.ctx, params)
	if err := w.checkEdit(at.p, made, code, res, err); err != nil || code != "" {
		return err
	}
	if file.marks.Rating != 0 || len(file.marks.ColorLabels) > 0 {
		at.p.marks, at.p.marked = file.marks, true
	}
	return nil
}

func (w *world) deleteImage(at place) error {
	w.did("delete_image %s", at.id)
	res, err := at.DeleteImage(w.ctx, chemigram.DeleteImageParams{ImageID: at.id, Reason: "a walk"})
	if err := wantCode(err, ""); err != nil {
		return err
	}
	at.trash = append(at.trash, trashed{res.TrashName, at.id, at.p})
	delete(at.images, at.id)
	return nil
}

func (w *world) restoreImage(at place) error {
	if len(at.trash) == 0 {
		return nil
	}
	i := w.r.IntN(len(at.trash))
	gone := at.trash[i]
	w.did("restore_image %s", gone.name)
	res, err := at.RestoreImage(w.ctx, chemigram.RestoreImageParams{TrashName: gone.name})
	if at.images[gone.id] != nil {
		return wantCode(err, chemigram.ErrState)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	at.trash = slices.Delete(at.trash, i, i+1)
	at.images[gone.id] = gone.image
	if res.ImageID != gone.id || !res.RawFound {
		return fmt.Errorf("it gives %+v", res)
	}
	return nil
}

func (w *world) rate(at place) error {
	params := chemigram.SetRatingParams{ImageID: at.id}
	if w.r.IntN(2) == 0 {
		params.Rating = new(chemigram.Rating(w.r.IntN(7) - 1))
		at.p.marks.Rating = *params.Rating
	}
	if params.Rating == nil || w.r.IntN(2) == 0 {
		params.ColorLabels = pick(w.r, [][]chemigram.ColorLabel{{}, {"red"}, {"yellow", "blue"}})
		at.p.marks.ColorLabels = params.ColorLabels
	}
	at.p.marked = true
	w.did("set_rating %s", show(params))
	res, err := at.SetRating(w.ctx, params)
	if err := wantCode(err, ""); err != nil {
		return err
	}
	return sameMarks(res, at.p.marks)
}

func sameMarks(got, want chemigram.Marks) error {
	if got.Rating != want.Rating || !slices.Equal(got.ColorLabels, want.ColorLabels) {
		return fmt.Errorf("the marks are %+v, want %+v", got, want)
	}
	return nil
}

// ingestAgain gives the image that is there.
func (w *world) ingestAgain(at place) error {
	raw := w.r.IntN(raws)
	w.did("ingest raw %d as %s", raw, at.id)
	res, err := at.Ingest(w.ctx, chemigram.IngestParams{RawPath: rawPath(w.t.dir, raw), ImageID: at.id})
	if raw != at.p.raw {
		return wantCode(err, chemigram.ErrState)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	if want := w.hashes[w.baseline.key()]; res.Created || want != "" && res.BaselineHash != want {
		return fmt.Errorf("it gives %+v", res)
	}
	return nil
}

// checkSpace holds a workspace to the model: which images there are, and which in the
// trash.
func (w *world) checkSpace(s int) error {
	e, is := pick(w.r, w.engines[s]), w.spaces[s]
	list, err := e.ListImages(w.ctx, chemigram.ListImagesParams{})
	if err != nil {
		return err
	}
	var have []chemigram.ImageID
	for _, summary := range list.Images {
		have = append(have, summary.ImageID)
		p := is.images[summary.ImageID]
		if p == nil {
			continue
		}
		if err := sameMarks(chemigram.Marks{Rating: summary.Rating, ColorLabels: summary.ColorLabels}, p.marks); err != nil {
			return fmt.Errorf("%s: %w", summary.ImageID, err)
		}
		if summary.Problem != "" || summary.Branch != p.head || summary.EntryCount != len(p.now().look) || !summary.RawFound {
			return fmt.Errorf("%s is listed as %+v, want it on %q with %d entries", summary.ImageID, summary, p.head, len(p.now().look))
		}
	}
	if want := slices.Sorted(maps.Keys(is.images)); !slices.Equal(have, want) {
		return fmt.Errorf("the images are %q, want %q", have, want)
	}
	trash, err := e.ListTrash(w.ctx, chemigram.ListTrashParams{Limit: 500})
	if err != nil {
		return err
	}
	var names, want []chemigram.TrashName
	for _, gone := range trash.Images {
		names = append(names, gone.TrashName)
	}
	for _, gone := range is.trash {
		want = append(want, gone.name)
	}
	slices.Reverse(want)
	if !slices.Equal(names, want) {
		return fmt.Errorf("the trash has %q, want %q", names, want)
	}
	return nil
}
