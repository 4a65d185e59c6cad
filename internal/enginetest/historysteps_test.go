package enginetest

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram"
)

func (w *world) undo(at place) error {
	w.did("undo %s", at.id)
	res, err := at.Undo(w.ctx, chemigram.UndoParams{ImageID: at.id})
	return w.checkStep(at.p, true, res, err)
}

func (w *world) redo(at place) error {
	w.did("redo %s", at.id)
	res, err := at.Redo(w.ctx, chemigram.UndoParams{ImageID: at.id})
	return w.checkStep(at.p, false, res, err)
}

// checkStep takes an undo or redo in the model.
func (w *world) checkStep(p *photo, back bool, res chemigram.UndoResult, err error) error {
	b := p.branches[p.head]
	if b == nil {
		return wantCode(err, chemigram.ErrVersioning)
	}
	from, to := &b.undo, &b.redo
	if !back {
		from, to = to, from
	}
	n := len(*from) - 1
	if n < 0 || !p.kept[(*from)[n]] {
		return wantCode(err, chemigram.ErrVersioning)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	next := (*from)[n]
	*from, *to = (*from)[:n], append(slices.Clip(*to), b.at)
	b.at = next
	p.published()
	if res.Event != next.hash {
		return fmt.Errorf("it came to %.8s, want %.8s", res.Event, next.hash)
	}
	return w.checkState(next.look, res.StateAfter)
}

// backAndForth undoes all, and redoes as much.
func (w *world) backAndForth(at place) error {
	depth := 0
	for ; ; depth++ {
		b := at.p.branches[at.p.head]
		more := b != nil && len(b.undo) > 0 && at.p.kept[b.undo[len(b.undo)-1]]
		if err := w.undo(at); err != nil || !more || depth == 20 {
			if err != nil {
				return err
			}
			break
		}
	}
	for ; depth > 0; depth-- {
		if err := w.redo(at); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) reset(at place) error {
	params := chemigram.ResetParams{ImageID: at.id, Layers: pick(w.r, []chemigram.ResetLayers{"", chemigram.KeepLayers, chemigram.DropLayers})}
	w.did("reset %s", show(params))
	res, err := at.Reset(w.ctx, params)
	if at.p.head == "" {
		return wantCode(err, chemigram.ErrVersioning)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	if now := at.p.now().look; params.Layers != chemigram.DropLayers && now.bound() {
		return w.resetKeeping(at, w.rules.reset(now), res)
	}
	changed := at.p.now() != at.p.baseline
	if changed {
		at.p.branches[at.p.head].move(at.p.baseline)
		at.p.published()
	}
	if res.Changed != changed {
		return fmt.Errorf("changed is %v, want %v", res.Changed, changed)
	}
	return w.checkState(at.p.baseline.look, res.StateAfter)
}

// resetKeeping takes a reset that keeps templates and looks in the model.
func (w *world) resetKeeping(at place, next look, res chemigram.ResetResult) error {
	state, err := at.GetState(w.ctx, chemigram.GetStateParams{ImageID: at.id})
	if err != nil {
		return err
	}
	log, err := at.Log(w.ctx, chemigram.LogParams{ImageID: at.id, Limit: 1})
	if err != nil {
		return err
	}
	made, code := w.commit(at.p, next, "reset", "")
	if made != nil && made != at.p.now() {
		made.parents = []*snapshot{at.p.baseline}
	}
	edit := chemigram.EditResult{StateAfter: res.StateAfter, SnapshotHash: *state.HeadHash, Event: log.Entries[0].Event, Changed: res.Changed}
	return w.checkEdit(at.p, made, code, edit, nil)
}

func (w *world) snapshot(at place) error {
	label := pick(w.r, []string{"", "before the crop", "größer"})
	w.did("snapshot %s %q", at.id, label)
	made, code := w.commit(at.p, at.p.now().look, "snapshot", label)
	res, err := at.Snapshot(w.ctx, chemigram.SnapshotParams{ImageID: at.id, Label: label})
	if err := wantCode(err, code); err != nil || code != "" {
		return err
	}
	state, err := at.GetState(w.ctx, chemigram.GetStateParams{ImageID: at.id})
	edit := chemigram.EditResult{StateAfter: state, SnapshotHash: res.Hash, Event: res.Event, Changed: made != at.p.now()}
	return w.checkEdit(at.p, made, "", edit, err)
}

var branchNames = []string{"warm", "cold", "a/b", "größe", "Warm"}

func (w *world) branch(at place) error {
	name := pick(w.r, branchNames)
	ref, from := w.version(at.p)
	w.did("branch %s %s at %s", at.id, name, ref)
	res, err := at.Branch(w.ctx, chemigram.BranchParams{ImageID: at.id, Name: name, From: ref})
	switch {
	case at.p.branches[name] != nil:
		return wantCode(err, chemigram.ErrVersioning)
	case from == nil:
		return wantUnknown(err)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	at.p.branches[name] = &branch{at: from}
	at.p.published()
	return wantRef(res, "refs/heads/"+name, from)
}

func (w *world) tag(at place) error {
	name := pick(w.r, []string{"v1", "v2", "warm", "sent"})
	ref, to := w.version(at.p)
	w.did("tag %s %s at %s", at.id, name, ref)
	res, err := at.Tag(w.ctx, chemigram.TagParams{ImageID: at.id, Name: name, Hash: ref})
	switch {
	case at.p.tags[name] != nil:
		return wantCode(err, chemigram.ErrVersioning)
	case to == nil:
		return wantUnknown(err)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	at.p.tags[name] = to
	at.p.published()
	return wantRef(res, "refs/tags/"+name, to)
}

func wantRef(got chemigram.RefResult, ref string, at *snapshot) error {
	if got.Ref != ref || got.Event != at.hash {
		return fmt.Errorf("the ref is %+v, want %s at %.8s", got, ref, at.hash)
	}
	return nil
}

// wantUnknown makes sure that a verb did not find the version.
func wantUnknown(err error) error { return wantCode(err, chemigram.ErrNotFound) }

func (w *world) checkout(at place) error {
	ref, to := w.version(at.p)
	if w.r.IntN(2) == 0 { // rather a branch
		ref = chemigram.RefOrHash(pick(w.r, at.p.refs()))
		to = at.p.named(string(ref))
	}
	w.did("checkout %s %s", at.id, ref)
	res, err := at.Checkout(w.ctx, chemigram.CheckoutParams{ImageID: at.id, RefOrHash: ref})
	if to == nil {
		return wantUnknown(err)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	head, detached := at.p.head, at.p.detached
	if name, ok := strings.CutPrefix(string(ref), "refs/heads/"); ok {
		head, detached = name, nil
	} else if ref != "HEAD" {
		head, detached = "", to
	}
	if head != at.p.head || detached != at.p.detached {
		at.p.head, at.p.detached = head, detached
		at.p.published()
	}
	full := ""
	if head != "" {
		full = "refs/heads/" + head
	}
	if res.Ref != full || res.Detached != (head == "") {
		return fmt.Errorf("HEAD is at %q, want %q", res.Ref, full)
	}
	return w.checkState(to.look, res.StateAfter)
}

func (w *world) deleteRef(at place) error {
	full := pick(w.r, at.p.refs())
	name := full
	if w.r.IntN(2) == 0 {
		name = strings.TrimPrefix(strings.TrimPrefix(full, "refs/heads/"), "refs/tags/")
		if at.p.branches[name] != nil {
			full = "refs/heads/" + name
		}
	}
	w.did("delete_ref %s %s", at.id, name)
	was := at.p.named(full)
	res, err := at.DeleteRef(w.ctx, chemigram.DeleteRefParams{ImageID: at.id, Name: name, Reason: "a walk"})
	if full == "refs/tags/baseline" || full == "refs/heads/"+at.p.head {
		return wantCode(err, chemigram.ErrVersioning)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	if short, ok := strings.CutPrefix(full, "refs/heads/"); ok {
		delete(at.p.branches, short)
	} else {
		delete(at.p.tags, strings.TrimPrefix(full, "refs/tags/"))
	}
	at.p.published()
	return wantRef(res, full, was)
}

func (w *world) diff(at place) error {
	refA, a := w.version(at.p)
	refB, b := w.version(at.p)
	if a == nil || b == nil {
		return nil
	}
	w.did("diff %s %s %s", at.id, refA, refB)
	res, err := at.Diff(w.ctx, chemigram.DiffParams{ImageID: at.id, HashA: refA, HashB: refB})
	if err := wantCode(err, ""); err != nil {
		return err
	}
	var got, want []string
	for _, c := range res.Changes {
		got = append(got, c.Module+" "+string(c.Kind))
	}
	for _, id := range a.look.instances() {
		if b.look[id] == nil {
			want = append(want, id.module+" removed")
		}
	}
	for _, id := range b.look.instances() {
		if kind := kindOf(a.look[id], b.look[id]); kind != "" {
			want = append(want, id.module+" "+kind)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the differences are %q, want %q", got, want)
	}
	return w.checkFields(a.look, b.look, res.Changes)
}

// kindOf is how an instance differs that the second version has, or "".
func kindOf(a, b *settings) string {
	switch {
	case a == nil:
		return "added"
	case alike(a, b):
		return ""
	case a.enabled != b.enabled && b.enabled:
		return "enabled"
	case a.enabled != b.enabled:
		return "disabled"
	case a.madeBy != nil && a.fields == nil: // spots
		return "changed"
	}
	for name := range b.fields {
		if a.fields[name] != b.fields[name] {
			return "changed"
		}
	}
	return "mask"
}

// checkFields holds the fields of differences to the two looks.
func (w *world) checkFields(a, b look, changes []chemigram.ModuleChange) error {
	for _, c := range changes {
		if c.Kind == "removed" || c.Module == "retouch" {
			continue
		}
		id, known := w.identify(b, c.Module, c.Instance)
		if !known {
			continue
		}
		before, after := w.defaults[id.module], b[id].fields
		if c.Kind != "added" {
			before = a[id].fields
		}
		told := map[string]bool{}
		for _, f := range c.Fields {
			was, ours := before[f.Name]
			if !ours {
				continue // of a mask
			}
			if c.Kind == "added" {
				was = ""
			}
			if told[f.Name] = true; norm(f.After) != after[f.Name] || norm(f.Before) != was {
				return fmt.Errorf("%s of %s:%s went from %q to %q, want %q to %q", f.Name, id.module, id.label, f.Before, f.After, was, after[f.Name])
			}
		}
		for name := range after {
			if after[name] != before[name] && !told[name] {
				return fmt.Errorf("%s of %s:%s went from %q to %q, and diff does not say so", name, id.module, id.label, before[name], after[name])
			}
		}
	}
	return nil
}

// look describes any version, by its named fields.
func (w *world) look(at place) error {
	ref, s := w.version(at.p)
	w.did("describe_state %s %s", at.id, ref)
	res, err := at.DescribeState(w.ctx, chemigram.DescribeStateParams{ImageID: at.id, RefOrHash: ref})
	if s == nil {
		return wantUnknown(err)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	return w.checkLook(s.look, res)
}
