package enginetest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/chemigram/chemigram"
)

// soakImages are those that the soak works on. Of the first four nothing is ever
// lost; pruned is pruned; tossed goes to the trash and comes back.
var soakImages = []chemigram.ImageID{"a", "b", "c", "d", pruned, tossed}

const (
	pruned = chemigram.ImageID("e")
	tossed = chemigram.ImageID("f")
)

// seconds is how long darktable may take on a machine that is kept busy.
const seconds = chemigram.TimeoutSeconds(600)

func (s *soaker) image() chemigram.ImageID { return pick(s.r, soakImages) }

func (s *soaker) ref() chemigram.RefOrHash {
	return pick(s.r, []chemigram.RefOrHash{"HEAD", "main", "baseline", "HEAD~1", "main~2"})
}

// share is a number from 0 to 1.
func (s *soaker) share() float64 { return float64(s.r.IntN(17)) / 16 }

// soakMove is a move with a value, and its bounds.
func (s *soaker) move() (name string, value float64) {
	name = pick(s.r, []string{"exposure", "saturation", "contrast", "warmth"})
	if value = s.share() - 0.5; name == "warmth" {
		value *= 60
	}
	return name, value
}

// soakVerbs does each verb of the engine, by the name of its method.
var soakVerbs = map[string]func(*soaker) error{
	"Ingest": func(s *soaker) error {
		id := s.image()
		res, err := s.Ingest(s.ctx, chemigram.IngestParams{RawPath: soakRaw(s.dir, id), ImageID: id, TimeoutSeconds: seconds})
		if err == nil && res.Created && id != tossed {
			return fmt.Errorf("%s was ingested anew", id)
		}
		return err
	},
	"ApplyPrimitive": func(s *soaker) error {
		name, value := s.move()
		p := chemigram.ApplyPrimitiveParams{ImageID: s.image(), PrimitiveName: name, Value: &value}
		if s.r.IntN(3) == 0 {
			p.Mask = new(pick(s.r, masks[:8])) // that need no frame
		}
		res, err := s.ApplyPrimitive(s.ctx, p)
		return s.edited(p.ImageID, res, err)
	},
	"ApplyPerRegion": func(s *soaker) error {
		p := chemigram.ApplyPerRegionParams{ImageID: s.image(), PrimitiveName: "exposure"}
		for _, name := range []string{"reds", "sky_blue"} {
			p.Regions = append(p.Regions, chemigram.RegionMove{Mask: chemigram.Mask{Name: name}, Value: new(s.share())})
		}
		res, err := s.ApplyPerRegion(s.ctx, p)
		return s.edited(p.ImageID, res, err)
	},
	"ApplySpot": func(s *soaker) error {
		p := chemigram.ApplySpotParams{ImageID: s.image(), X: s.fraction(), Y: s.fraction(), Radius: 0.03, NoPicture: true}
		if s.r.IntN(2) == 0 {
			p.SourceX, p.SourceY = s.fraction(), s.fraction()
		}
		res, err := s.ApplySpot(s.ctx, p)
		return s.edited(p.ImageID, chemigram.EditResult{StateAfter: res.StateAfter, Event: res.Event, Changed: res.Changed}, err)
	},
	"SetParameters": func(s *soaker) error {
		p := chemigram.SetParametersParams{ImageID: s.image(), ModuleName: "colorbalancergb", Instance: "mine"}
		p.Fields = []chemigram.FieldSetting{{Name: "contrast", Value: fmt.Sprint(s.share() / 4)}}
		res, err := s.SetParameters(s.ctx, p)
		return s.edited(p.ImageID, res, err)
	},
	"RemoveModule": func(s *soaker) error {
		id := s.image()
		res, err := s.RemoveModule(s.ctx, chemigram.RemoveModuleParams{ImageID: id, ModuleName: "exposure"})
		return s.edited(id, res, err)
	},
	"BindLayers": func(s *soaker) error {
		id := s.image()
		_, err := s.BindLayers(s.ctx, chemigram.BindLayersParams{ImageID: id, L2Template: pick(s.r, s.looks)})
		return err
	},
	"WBFromPoint": func(s *soaker) error {
		id := s.image()
		res, err := s.WBFromPoint(s.ctx, chemigram.WBFromPointParams{ImageID: id, X: 0.5, Y: *s.fraction(), Radius: 0.05, TimeoutSeconds: seconds})
		return s.edited(id, chemigram.EditResult{StateAfter: res.StateAfter, Event: res.Event, Changed: res.Changed}, err)
	},
	"PropagateState": func(s *soaker) error {
		p := chemigram.PropagateStateParams{ImageID: "a", RefOrHash: s.ref(), Targets: []chemigram.ImageID{"b", "c", tossed}, AllOrNothing: s.r.IntN(2) == 0}
		res, err := s.PropagateState(s.ctx, p)
		return s.series(res, err)
	},
	"MatchExposure": func(s *soaker) error {
		res, err := s.MatchExposure(s.ctx, chemigram.MatchExposureParams{ImageID: "a", Targets: []chemigram.ImageID{"d"}, TimeoutSeconds: seconds})
		return s.series(res, err)
	},
	"MatchSeries": func(s *soaker) error {
		res, err := s.MatchSeries(s.ctx, chemigram.MatchSeriesParams{
			ImageIDs: []chemigram.ImageID{"a", "d"}, Reference: "a", Insist: s.r.IntN(2) == 0, DryRun: s.r.IntN(4) == 0, TimeoutSeconds: seconds,
		})
		return s.series(res.SeriesResult, err)
	},
	"MatchReference": func(s *soaker) error {
		res, err := s.MatchReference(s.ctx, chemigram.MatchReferenceParams{
			ImageID: "d", Reference: "a", Budget: 8, Keep: s.r.IntN(2) == 0, DryRun: s.r.IntN(4) == 0, TimeoutSeconds: seconds,
		})
		return s.edited("d", res.EditResult, err)
	},
	"Merge": func(s *soaker) error {
		id := s.image()
		res, err := s.Merge(s.ctx, chemigram.MergeParams{ImageID: id, RefOrHash: s.ref(), Prefer: chemigram.Theirs})
		return s.edited(id, chemigram.EditResult{StateAfter: res.StateAfter, Event: res.Event, Changed: res.Changed}, err)
	},
	"CherryPick": func(s *soaker) error {
		id := s.image()
		res, err := s.CherryPick(s.ctx, chemigram.CherryPickParams{ImageID: id, Event: s.ref(), Prefer: chemigram.Ours})
		return s.edited(id, chemigram.EditResult{StateAfter: res.StateAfter, Event: res.Event, Changed: res.Changed}, err)
	},
	"ImportSidecar": func(s *soaker) error {
		id := s.image()
		out, err := s.ExportSidecar(s.ctx, chemigram.ExportSidecarParams{ImageID: s.image(), RefOrHash: s.ref()})
		if err != nil {
			return err
		}
		res, err := s.ImportSidecar(s.ctx, chemigram.ImportSidecarParams{ImageID: id, Path: out.OutputPath})
		return s.edited(id, res, err)
	},
	"Snapshot": func(s *soaker) error {
		id := s.image()
		res, err := s.Snapshot(s.ctx, chemigram.SnapshotParams{ImageID: id, Label: s.name()})
		return s.acknowledge(ack{Image: id, Event: res.Event}, err)
	},
	"Undo":  func(s *soaker) error { _, err := s.Undo(s.ctx, chemigram.UndoParams{ImageID: s.image()}); return err },
	"Redo":  func(s *soaker) error { _, err := s.Redo(s.ctx, chemigram.UndoParams{ImageID: s.image()}); return err },
	"Reset": func(s *soaker) error { _, err := s.Reset(s.ctx, chemigram.ResetParams{ImageID: s.image()}); return err },
	"Checkout": func(s *soaker) error {
		id := s.image()
		_, err := s.Checkout(s.ctx, chemigram.CheckoutParams{ImageID: id, RefOrHash: s.ref()})
		_, back := s.Checkout(s.ctx, chemigram.CheckoutParams{ImageID: id, RefOrHash: "main"})
		return first(err, back)
	},
	"Branch": func(s *soaker) error {
		id := s.image()
		res, err := s.Branch(s.ctx, chemigram.BranchParams{ImageID: id, Name: s.name(), From: s.ref()})
		return s.acknowledge(ack{Image: id, Ref: res.Ref}, err)
	},
	"Tag": func(s *soaker) error {
		id := s.image()
		res, err := s.Tag(s.ctx, chemigram.TagParams{ImageID: id, Name: s.name()})
		return s.acknowledge(ack{Image: id, Ref: res.Ref}, err)
	},
	"DeleteRef": func(s *soaker) error {
		id, name := s.image(), s.name()
		_, err := s.Branch(s.ctx, chemigram.BranchParams{ImageID: id, Name: name})
		if err == nil {
			_, err = s.DeleteRef(s.ctx, chemigram.DeleteRefParams{ImageID: id, Name: name, Reason: "a soak"})
		}
		return err
	},
	"DeleteImage": func(s *soaker) error {
		_, err := s.DeleteImage(s.ctx, chemigram.DeleteImageParams{ImageID: tossed, Reason: "a soak"})
		return err
	},
	"RestoreImage": func(s *soaker) error {
		trash, err := s.ListTrash(s.ctx, chemigram.ListTrashParams{})
		i := slices.IndexFunc(trash.Images, func(gone chemigram.TrashedImage) bool { return gone.ImageID == tossed })
		if err != nil || i < 0 {
			return err
		}
		_, err = s.RestoreImage(s.ctx, chemigram.RestoreImageParams{TrashName: trash.Images[i].TrashName})
		return err
	},
	"ListTrash": func(s *soaker) error { _, err := s.ListTrash(s.ctx, chemigram.ListTrashParams{}); return err },
	"Prune": func(s *soaker) error {
		p := chemigram.PruneParams{Reason: "a soak"}
		if s.r.IntN(2) == 0 {
			p.ImageID, p.OlderThanDays = pruned, new(chemigram.Days(0))
		}
		res, err := s.Prune(s.ctx, p)
		if len(res.Problems) > 0 {
			return fmt.Errorf("problems %q", res.Problems)
		}
		return err
	},
	"ExportBundle": func(s *soaker) error {
		_, err := s.ExportBundle(s.ctx, chemigram.ExportBundleParams{ImageID: s.image()})
		return err
	},
	"ImportBundle": func(s *soaker) error {
		from := s.image()
		out, err := s.ExportBundle(s.ctx, chemigram.ExportBundleParams{ImageID: from})
		if err != nil {
			return err
		}
		if s.r.IntN(2) == 0 { // what is here already
			_, err = s.ImportBundle(s.ctx, chemigram.ImportBundleParams{BundlePath: out.OutputPath, ImageID: from})
			return err
		}
		id := chemigram.ImageID(s.name())
		if _, err = s.ImportBundle(s.ctx, chemigram.ImportBundleParams{BundlePath: out.OutputPath, ImageID: id}); err != nil {
			return err
		}
		_, err = s.DeleteImage(s.ctx, chemigram.DeleteImageParams{ImageID: id, Reason: "a soak"})
		return err
	},
	"ExportSidecar": func(s *soaker) error {
		_, err := s.ExportSidecar(s.ctx, chemigram.ExportSidecarParams{ImageID: s.image(), RefOrHash: s.ref()})
		return err
	},
	"ReadSidecar": func(s *soaker) error {
		_, err := s.ReadSidecar(s.ctx, chemigram.ReadSidecarParams{ImageID: s.image(), RefOrHash: s.ref()})
		return err
	},
	"SetRating": func(s *soaker) error {
		_, err := s.SetRating(s.ctx, chemigram.SetRatingParams{ImageID: s.image(), Rating: new(chemigram.Rating(s.r.IntN(6)))})
		return err
	},
	"AddRemote": func(s *soaker) error { _, err := s.remote(); return err },
	"ListRemotes": func(s *soaker) error {
		_, err := s.ListRemotes(s.ctx, chemigram.ListRemotesParams{})
		return err
	},
	"RemoveRemote": func(s *soaker) error {
		name, err := s.remote()
		if err != nil {
			return err
		}
		_, err = s.RemoveRemote(s.ctx, chemigram.RemoveRemoteParams{Remote: name})
		if errors.Is(err, chemigram.ErrNotFound) || errors.Is(err, chemigram.ErrState) {
			return nil // another was faster
		}
		return err
	},
	"Push": func(s *soaker) error {
		return s.shared(func(remote chemigram.RemoteName) error {
			_, err := s.Push(s.ctx, chemigram.PushParams{ImageID: s.image(), Remote: remote})
			return err
		})
	},
	"Fetch": func(s *soaker) error {
		return s.shared(func(remote chemigram.RemoteName) error {
			_, err := s.Fetch(s.ctx, chemigram.FetchParams{ImageID: s.image(), Remote: remote})
			return err
		})
	},
	"Pull": func(s *soaker) error {
		return s.shared(func(remote chemigram.RemoteName) error {
			_, err := s.Pull(s.ctx, chemigram.PullParams{ImageID: s.image(), Remote: remote, Prefer: chemigram.Ours})
			return err
		})
	},
	"CloneImage": func(s *soaker) error {
		return s.shared(func(remote chemigram.RemoteName) error {
			id := s.image() // which may be in the trash: without raw_path its raw would be missed
			clone := chemigram.CloneImageParams{Remote: remote, RemoteImage: string(id), RawPath: soakRaw(s.dir, id)}
			shared, err := s.ListRemoteImages(s.ctx, chemigram.ListRemoteImagesParams{Remote: remote})
			for _, image := range shared.RemoteImages {
				if image.ImageID == id {
					// One that was in the trash while it was cloned or ingested has had several
					// histories, and a remote that got them has several images of its name.
					clone.RemoteImage = image.FirstEvent
				}
			}
			if err == nil {
				_, err = s.CloneImage(s.ctx, clone)
			}
			return err
		})
	},
	"ListRemoteImages": func(s *soaker) error {
		return s.shared(func(remote chemigram.RemoteName) error {
			_, err := s.ListRemoteImages(s.ctx, chemigram.ListRemoteImagesParams{Remote: remote})
			return err
		})
	},
	"Verify": func(s *soaker) error {
		res, err := s.Verify(s.ctx, chemigram.VerifyParams{})
		return noFindings(res, err)
	},
	"Repair": func(s *soaker) error {
		res, err := s.Repair(s.ctx, chemigram.VerifyParams{ImageID: s.image()})
		return noFindings(res, err)
	},
	"GetState": func(s *soaker) error {
		_, err := s.GetState(s.ctx, chemigram.GetStateParams{ImageID: s.image()})
		return err
	},
	"DescribeState": func(s *soaker) error {
		_, err := s.DescribeState(s.ctx, chemigram.DescribeStateParams{ImageID: s.image(), RefOrHash: s.ref()})
		return err
	},
	"Log": func(s *soaker) error { _, err := s.Log(s.ctx, chemigram.LogParams{ImageID: s.image()}); return err },
	"Diff": func(s *soaker) error {
		_, err := s.Diff(s.ctx, chemigram.DiffParams{ImageID: s.image(), HashA: s.ref(), HashB: s.ref()})
		return err
	},
	"ListImages": func(s *soaker) error {
		res, err := s.ListImages(s.ctx, chemigram.ListImagesParams{})
		for _, summary := range res.Images {
			if summary.Problem != "" && slices.Contains(soakImages[:4], summary.ImageID) {
				return fmt.Errorf("%s has the problem %s", summary.ImageID, summary.Problem)
			}
		}
		return err
	},
	"RenderPreview": func(s *soaker) error {
		return s.showLook(func(id chemigram.ImageID, look chemigram.RefOrHash) any {
			return chemigram.RenderPreviewParams{
				ImageID: id, RefOrHash: look, Size: pick(s.r, []chemigram.Size{96, 160}), TimeoutSeconds: seconds,
				Quality: pick(s.r, []chemigram.PreviewQuality{chemigram.QualityDraft, chemigram.QualityFine, chemigram.QualityFine}),
			}
		})
	},
	"Compare": func(s *soaker) error {
		return s.showLook(func(id chemigram.ImageID, look chemigram.RefOrHash) any {
			return chemigram.CompareParams{ImageID: id, HashA: "baseline", HashB: look, Size: 128, TimeoutSeconds: seconds}
		})
	},
	"SuggestStart": func(s *soaker) error {
		_, err := s.SuggestStart(s.ctx, chemigram.SuggestStartParams{ImageID: s.image(), TimeoutSeconds: seconds})
		return err
	},
	"Prove": func(s *soaker) error {
		_, err := s.Prove(s.ctx, chemigram.ProveParams{Entries: []string{"exposure"}})
		return err
	},
	"ImageStats": func(s *soaker) error {
		_, err := s.ImageStats(s.ctx, chemigram.ImageStatsParams{ImageID: s.image(), Size: 128, TimeoutSeconds: seconds})
		return err
	},
	"PreviewMask": func(s *soaker) error {
		p := chemigram.PreviewMaskParams{ImageID: s.image(), Mask: pick(s.r, masks), Size: 128, TimeoutSeconds: seconds}
		return s.show(p.ImageID, "", p)
	},
	"RenderVariants": func(s *soaker) error {
		return s.showLook(func(id chemigram.ImageID, look chemigram.RefOrHash) any {
			return chemigram.RenderVariantsParams{
				ImageID: id, RefOrHash: look, PrimitiveName: "exposure", Values: []float64{0, s.share()}, Size: 64, TimeoutSeconds: seconds,
			}
		})
	},
	"ExportFinal": func(s *soaker) error {
		return s.showLook(func(id chemigram.ImageID, look chemigram.RefOrHash) any {
			return chemigram.ExportFinalParams{ImageID: id, RefOrHash: look, Size: 128, TimeoutSeconds: seconds}
		})
	},
	"ExportBatch": func(s *soaker) error {
		res, err := s.ExportBatch(s.ctx, chemigram.ExportBatchParams{
			Items: []chemigram.ExportItem{{ImageID: "a"}, {ImageID: tossed}}, Size: 64, TimeoutSeconds: seconds,
		})
		for _, o := range res.Outcomes {
			if o.ErrorCode != "" {
				err = first(err, &chemigram.Error{Code: o.ErrorCode, Message: o.Error})
			}
		}
		return err
	},
	"ListVocabulary": func(s *soaker) error {
		_, err := s.ListVocabulary(s.ctx, chemigram.ListVocabularyParams{Query: "warm"})
		return err
	},
	"ListMasks": func(s *soaker) error { _, err := s.ListMasks(s.ctx, chemigram.ListMasksParams{}); return err },
	"DescribeModule": func(s *soaker) error {
		_, err := s.DescribeModule(s.ctx, chemigram.DescribeModuleParams{ModuleName: "exposure"})
		return err
	},
	"HealthCheck": func(s *soaker) error { _, err := s.HealthCheck(s.ctx, chemigram.HealthCheckParams{}); return err },
	"ReadContext": func(s *soaker) error {
		_, err := s.ReadContext(s.ctx, chemigram.ReadContextParams{ImageID: s.image()})
		return err
	},
	"LogVocabularyGap": func(s *soaker) error {
		_, err := s.LogVocabularyGap(s.ctx, chemigram.LogVocabularyGapParams{ImageID: s.image(), Description: s.name(), Workaround: "none"})
		return err
	},
	"ListGaps":      func(s *soaker) error { _, err := s.ListGaps(s.ctx, chemigram.ListGapsParams{}); return err },
	"ListProposals": func(s *soaker) error { _, err := s.ListProposals(s.ctx, chemigram.ListProposalsParams{}); return err },
	"ProposeTasteUpdate": func(s *soaker) error {
		_, err := s.proposeTaste()
		return err
	},
	"ConfirmTasteUpdate": func(s *soaker) error {
		res, err := s.proposeTaste()
		if err == nil {
			_, err = s.ConfirmTasteUpdate(s.ctx, chemigram.ConfirmParams{ProposalID: res.ProposalID})
		}
		return err
	},
	"DeclineProposal": func(s *soaker) error {
		res, err := s.proposeTaste()
		if err == nil {
			_, err = s.DeclineProposal(s.ctx, chemigram.DeclineProposalParams{ProposalID: res.ProposalID})
		}
		return err
	},
	"ProposeNotesUpdate": func(s *soaker) error {
		_, err := s.ProposeNotesUpdate(s.ctx, chemigram.ProposeNotesUpdateParams{ImageID: s.image(), Content: "- " + s.name()})
		return err
	},
	"ConfirmNotesUpdate": func(s *soaker) error {
		res, err := s.ProposeNotesUpdate(s.ctx, chemigram.ProposeNotesUpdateParams{ImageID: s.image(), Content: "- " + s.name()})
		if err == nil {
			_, err = s.ConfirmNotesUpdate(s.ctx, chemigram.ConfirmParams{ProposalID: res.ProposalID})
		}
		return err
	},
	"ListTranscripts": func(s *soaker) error {
		_, err := s.ListTranscripts(s.ctx, chemigram.ListTranscriptsParams{})
		return err
	},
	"ReadTranscript": func(s *soaker) error {
		id, _, err := s.record()
		if err == nil {
			_, err = s.ReadTranscript(s.ctx, chemigram.ReadTranscriptParams{SessionID: id})
		}
		return err
	},
	"Replay": func(s *soaker) error {
		id, image, err := s.record()
		if err != nil {
			return err
		}
		as := chemigram.ImageID(s.name())
		if _, err := s.Replay(s.ctx, chemigram.ReplayParams{SessionID: id, ImageID: image, As: as, TimeoutSeconds: seconds}); err != nil {
			return err
		}
		_, err = s.DeleteImage(s.ctx, chemigram.DeleteImageParams{ImageID: as, Reason: "a soak"})
		return err
	},
}

// heavy are the verbs that wait for darktable. A process does two of them at a time,
// so that the other goroutines go on.
var heavy = map[string]bool{
	"ApplySpot": true, "WBFromPoint": true, "MatchExposure": true, "MatchSeries": true, "MatchReference": true, "RenderPreview": true, "Compare": true, "ImageStats": true, "SuggestStart": true, "Prove": true,
	"PreviewMask": true, "RenderVariants": true, "ExportFinal": true, "ExportBatch": true, "Replay": true,
}

func (s *soaker) fraction() *chemigram.Fraction {
	return new(chemigram.Fraction(0.2 + 0.6*s.share()))
}

func (s *soaker) proposeTaste() (chemigram.ProposeTasteUpdateResult, error) {
	return s.ProposeTasteUpdate(s.ctx, chemigram.ProposeTasteUpdateParams{
		Content: "- " + s.name(), Category: "value", File: fmt.Sprint("genre", s.r.IntN(3)),
	})
}

// record records a session of one edit.
func (s *soaker) record() (id chemigram.SessionID, image chemigram.ImageID, err error) {
	session, err := s.BeginSession(s.ctx, nil)
	if err != nil {
		return "", "", err
	}
	name, value := s.move()
	p := chemigram.ApplyPrimitiveParams{ImageID: s.image(), PrimitiveName: name, Value: &value}
	params, err := json.Marshal(p)
	if err != nil {
		return "", "", err
	}
	end := session.Call(s.ctx, "apply_primitive", params)
	res, err := s.ApplyPrimitive(s.ctx, p)
	end(res, err)
	return session.ID(), p.ImageID, first(s.edited(p.ImageID, res, err), session.End())
}

// first is the first error that is one.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func noFindings(res chemigram.VerifyResult, err error) error {
	if len(res.Findings) > 0 {
		return fmt.Errorf("it finds %+v", res.Findings)
	}
	return err
}

// remote adds the remote of all processes, unless it is there.
func (s *soaker) remote() (chemigram.RemoteName, error) {
	const name = "nas"
	dir := filepath.Join(filepath.Dir(s.WorkspaceDir()), "kept", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return name, err
	}
	_, err := s.AddRemote(s.ctx, chemigram.AddRemoteParams{Remote: name, Location: dir})
	return name, err
}

// shared does something with the remote, which others push to and remove.
func (s *soaker) shared(do func(chemigram.RemoteName) error) error {
	name, err := s.remote()
	if err == nil {
		err = do(name)
	}
	if errors.Is(err, chemigram.ErrVersioning) || errors.Is(err, chemigram.ErrNotFound) || errors.Is(err, chemigram.ErrState) {
		return nil // another was faster, or nobody has pushed the image yet
	}
	return err
}
