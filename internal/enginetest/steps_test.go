package enginetest

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/xmp/iop"
)

// place is what a step works on.
type place struct {
	*chemigram.Engine
	s int // the number of the workspace
	*space
	id chemigram.ImageID
	p  *photo
}

// steps are what a walk chooses from, as often as they stand here.
var steps = slices.Concat(
	slices.Repeat([]step{(*world).apply}, 30), slices.Repeat([]step{(*world).spot}, 6), slices.Repeat([]step{(*world).undo}, 8),
	slices.Repeat([]step{(*world).redo}, 6), slices.Repeat([]step{(*world).branch}, 5), slices.Repeat([]step{(*world).checkout}, 9),
	slices.Repeat([]step{(*world).merge}, 8), slices.Repeat([]step{(*world).cherryPick}, 6), slices.Repeat([]step{(*world).set}, 6),
	slices.Repeat([]step{(*world).regions}, 4), slices.Repeat([]step{(*world).bind}, 5), slices.Repeat([]step{(*world).removeModule}, 5),
	slices.Repeat([]step{(*world).propagate}, 4), slices.Repeat([]step{(*world).diff}, 4),
	[]step{
		(*world).reset, (*world).reset, (*world).snapshot, (*world).snapshot, (*world).snapshot, (*world).tag, (*world).tag,
		(*world).tag, (*world).deleteRef, (*world).deleteRef, (*world).backAndForth, (*world).prune, (*world).verify,
		(*world).exportBundle, (*world).exportBundle, (*world).importBundle, (*world).importBundle, (*world).importBundle,
		(*world).exportSidecar, (*world).exportSidecar, (*world).importSidecar, (*world).importSidecar, (*world).importSidecar,
		(*world).deleteImage, (*world).restoreImage, (*world).restoreImage, (*world).rate, (*world).ingestAgain, (*world).look, (*world).damage, (*world).damage,
	},
)

// A step does a verb with a place, and holds what it gives to the model, which it
// brings to where the engine should be now.
type step = func(*world, place) error

func (w *world) amount(p parameter) float64 {
	return p.Min + (p.Max-p.Min)*float64(w.r.IntN(9))/8
}

// choose chooses values of a move's parameters.
func (w *world) values(m move) map[string]float64 {
	values := map[string]float64{}
	for _, p := range m.Parameters {
		if w.r.IntN(4) > 0 {
			values[p.Name] = w.amount(p)
		}
	}
	return values
}

func (w *world) strength() *chemigram.Strength {
	if w.r.IntN(3) > 0 {
		return nil
	}
	return new(chemigram.Strength(w.r.IntN(5)) / 4)
}

func full(strength *chemigram.Strength) float64 {
	if strength == nil {
		return 1
	}
	return float64(*strength)
}

// maskable reports whether a move may have a mask.
func (m move) maskable() bool {
	return !slices.ContainsFunc(m.Ops, func(o op) bool { return o.Module == "sigmoid" })
}

func (w *world) apply(at place) error {
	m := pick(w.r, moves)
	params := chemigram.ApplyPrimitiveParams{ImageID: at.id, PrimitiveName: m.Name, Strength: w.strength()}
	if m.Name == "linear" {
		params.Strength = nil // of two that switch a module, the model does not know the last
	}
	values := w.values(m)
	if len(m.Parameters) == 1 && len(values) == 1 && w.r.IntN(2) == 0 {
		params.Value = new(values[m.Parameters[0].Name])
	} else {
		params.Values = values
	}
	if m.Layer == "L3" && m.maskable() && w.r.IntN(3) == 0 {
		params.Mask = new(pick(w.r, masks))
	}
	w.did("apply_primitive %s", show(params))
	next := w.rules.apply(at.p.now().look, m, values, full(params.Strength), params.Mask)
	made, code := w.commit(at.p, next, "apply_primitive", "")
	res, err := at.ApplyPrimitive(w.ctx, params)
	return w.checkEdit(at.p, made, code, res, err)
}

// show writes parameters as JSON.
func show(params any) string {
	data, err := json.Marshal(params)
	if err != nil {
		panic(err)
	}
	return string(data)
}

func (w *world) regions(at place) error {
	params := chemigram.ApplyPerRegionParams{ImageID: at.id}
	next := at.p.now().look
	for _, n := range w.r.Perm(4)[:1+w.r.IntN(3)] {
		limit := masks[[]int{0, 2, 4, 6}[n]]
		m := pick(w.r, moves)
		if m.Layer != "L3" || !m.maskable() {
			m = findMove("light")
		}
		region := chemigram.RegionMove{Mask: limit, PrimitiveName: m.Name, Values: w.values(m), Strength: w.strength()}
		params.Regions = append(params.Regions, region)
		next = w.rules.apply(next, m, region.Values, full(region.Strength), &limit)
	}
	w.did("apply_per_region %s", show(params))
	made, code := w.commit(at.p, next, "apply_per_region", "")
	res, err := at.ApplyPerRegion(w.ctx, params)
	return w.checkEdit(at.p, made, code, res, err)
}

func (w *world) bind(at place) error {
	params := chemigram.BindLayersParams{ImageID: at.id}
	next := at.p.now().look
	if w.r.IntN(3) > 0 {
		params.L1Template = pick(w.r, []string{"steady", "calm"})
		next = w.rules.bind(next, findMove(params.L1Template))
	}
	if params.L1Template == "" || w.r.IntN(2) == 0 {
		params.L2Template = pick(w.r, []string{"fade", "film"})
		next = w.rules.bind(next, findMove(params.L2Template))
	}
	w.did("bind_layers %s", show(params))
	made, code := w.commit(at.p, next, "bind_layers", "")
	res, err := at.BindLayers(w.ctx, params)
	edit := chemigram.EditResult{StateAfter: res.StateAfter, SnapshotHash: res.SnapshotHash, Event: res.Event}
	edit.Changed = res.Event != at.p.now().hash
	return w.checkEdit(at.p, made, code, edit, err)
}

// settable are fields that the walks set, each with some values.
var settable = []struct {
	id     instance
	fields map[string][]string
}{
	{instance{"exposure", ""}, map[string][]string{"exposure": {"0.7", "1.2", "-0.3"}, "black": {"0", "0.01"}}},
	{instance{"exposure", "mine"}, map[string][]string{"exposure": {"0", "0.5"}}},
	{instance{"sigmoid", ""}, map[string][]string{"middle_grey_contrast": {"1.5", "2"}, "color_processing": {"DT_SIGMOID_METHOD_RGB_RATIO"}}},
	{instance{"colorbalancergb", ""}, map[string][]string{"contrast": {"0", "0.2"}, "vibrance": {"0.1"}, "grey_fulcrum": {"0.1845", "0.25"}}},
	{instance{"colorbalancergb", "mine"}, map[string][]string{"contrast": {"0", "0.1"}}},
	{instance{"channelmixerrgb", ""}, map[string][]string{"red[1]": {"0", "0.1"}, "adaptation": {"DT_ADAPTATION_RGB"}}},
	{instance{"toneequal", ""}, map[string][]string{"blacks": {"0", "0.5"}, "iterations": {"1", "2"}}},
	{instance{"crop", ""}, map[string][]string{"cx": {"0", "0.1"}, "cy": {"0", "0.2"}, "cw": {"1", "0.9"}, "ch": {"1"}}},
	{instance{"temperature", ""}, map[string][]string{"red": {"2", "2.5"}}},
}

func (w *world) set(at place) error {
	chosen := pick(w.r, settable)
	params := chemigram.SetParametersParams{ImageID: at.id, ModuleName: chosen.id.module, Instance: chosen.id.label}
	if w.r.IntN(4) == 0 {
		params.Enabled = new(w.r.IntN(2) == 0)
	}
	fields := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(chosen.fields)) {
		if len(fields) > 0 && w.r.IntN(2) == 0 {
			continue
		}
		value := pick(w.r, chosen.fields[name])
		fields[name] = norm(value)
		params.Fields = append(params.Fields, chemigram.FieldSetting{Name: name, Value: value})
	}
	w.did("set_parameters %s", show(params))
	next := w.rules.set(at.p.now().look, chosen.id, fields, params.Enabled == nil || *params.Enabled)
	made, code := w.commit(at.p, next, "set_parameters", "")
	res, err := at.SetParameters(w.ctx, params)
	return w.checkEdit(at.p, made, code, res, err)
}

func (w *world) removeModule(at place) error {
	now := at.p.now().look
	id := pick(w.r, now.instances())
	if w.r.IntN(4) > 0 { // rather one that was edited
		edited := slices.DeleteFunc(now.instances(), func(id instance) bool { return alike(now[id], w.baseline[id]) })
		if len(edited) > 0 {
			id = pick(w.r, edited)
		}
	}
	name, one := id.module, (*instance)(nil)
	if known := w.realName(id); known != "" && w.r.IntN(2) == 0 {
		name, one = id.module+":"+known, &id
	}
	w.did("remove_module %s %s", at.id, name)
	next := w.remove(now, id.module, one)
	made, code := w.commit(at.p, next, "remove_module", "")
	if iop.OnEveryRaw(id.module) && alike(now[instance{id.module, ""}], w.baseline[instance{id.module, ""}]) {
		made, code = nil, chemigram.ErrInvalidInput
	}
	res, err := at.RemoveModule(w.ctx, chemigram.RemoveModuleParams{ImageID: at.id, ModuleName: name})
	return w.checkEdit(at.p, made, code, res, err)
}

// realName is how the engine calls an instance; "" when that is not known.
func (w *world) realName(id instance) string {
	if strings.HasPrefix(id.label, "@") {
		return w.names[id]
	}
	return id.label
}

func (w *world) spot(at place) error {
	params := chemigram.ApplySpotParams{ImageID: at.id, NoPicture: true}
	now := at.p.now().look
	all := now.spots()
	if len(all) > 0 && w.r.IntN(3) == 0 {
		gone := pick(w.r, all).ID
		params.Remove = chemigram.SpotID(gone)
		all = slices.DeleteFunc(slices.Clone(all), func(s spot) bool { return s.ID == gone })
		return w.checkSpots(at, params, 0, all)
	}
	one := spotPlace{
		Kind: pick(w.r, []chemigram.SpotKind{"heal", "clone"}), Radius: pick(w.r, []float64{0.02, 0.04}),
		X: 0.2 + 0.1*float64(w.r.IntN(3)), Y: 0.3, SX: 0.75, SY: pick(w.r, []float64{0.25, 0.5}),
	}
	params.Kind, params.Radius = one.Kind, chemigram.Fraction(one.Radius)
	params.X, params.Y = new(chemigram.Fraction(one.X)), new(chemigram.Fraction(one.Y))
	params.SourceX, params.SourceY = new(chemigram.Fraction(one.SX)), new(chemigram.Fraction(one.SY))
	is := func(s spot) bool { return s.spotPlace == one }
	if len(all) > 0 && w.r.IntN(3) == 0 {
		params.ID = chemigram.SpotID(pick(w.r, all).ID)
		is = func(s spot) bool { return s.ID == int(params.ID) }
	}
	id, next := 0, 1
	for _, s := range all {
		if next = max(next, s.ID+1); is(s) {
			id = s.ID
		}
	}
	if id == 0 {
		id, all = next, append(all, spot{next, one})
	}
	for i, s := range all {
		if s.ID == id {
			all[i].spotPlace = one
		}
	}
	return w.checkSpots(at, params, id, all)
}

// checkSpots does apply_spot, which should give a spot its id, and leave these.
func (w *world) checkSpots(at place, params chemigram.ApplySpotParams, id int, want []spot) error {
	w.did("apply_spot %s", show(params))
	made, code := w.commit(at.p, at.p.now().look.withSpots(want), "apply_spot", "")
	res, err := at.ApplySpot(w.ctx, params)
	edit := chemigram.EditResult{StateAfter: res.StateAfter, SnapshotHash: res.SnapshotHash, Event: res.Event, Changed: res.Changed}
	if err := w.checkEdit(at.p, made, code, edit, err); err != nil || code != "" {
		return err
	}
	if int(res.ID) != id || len(res.Spots) != len(want) {
		return fmt.Errorf("spot %d of %d, want %d of %d", res.ID, len(res.Spots), id, len(want))
	}
	near := func(a, b float64) bool { return a-b < 0.002 && b-a < 0.002 }
	for i, s := range want {
		got := res.Spots[i]
		if int(got.ID) != s.ID || got.Kind != s.Kind || !near(got.X, s.X) || !near(got.Y, s.Y) ||
			!near(got.Radius, s.Radius) || !near(got.SourceX, s.SX) || !near(got.SourceY, s.SY) {
			return fmt.Errorf("a spot is %+v, want %+v", got, s)
		}
	}
	return nil
}

func (w *world) merge(at place) error {
	ref, theirs := w.version(at.p)
	if theirs == nil {
		return nil
	}
	now := at.p.now()
	bases := mergeBases([]*snapshot{now}, []*snapshot{theirs})
	base, undecided := w.mergedBase(bases)
	m := &merger{rules: w.rules, base: base, undecided: undecided, ours: now.look, theirs: theirs.look}
	params := chemigram.MergeParams{ImageID: at.id, RefOrHash: ref}
	m.take, params.Prefer = w.preference()
	m.open = params.Prefer == ""
	if w.r.IntN(3) == 0 {
		params.Label = "together"
	}
	next, merged, label := now.look, []*snapshot(nil), ""
	if bases[0] != theirs {
		next, merged, label = m.merge(), []*snapshot{theirs}, params.Label
	}
	if len(m.conflicts) > 0 && params.Prefer == "" {
		next, merged, label = now.look, nil, ""
		if w.r.IntN(2) == 0 && w.resolvable(m.conflicts) && w.decideLook(m, now.look, theirs.look) {
			resolved := &merger{rules: w.rules, base: base, undecided: undecided, ours: now.look, theirs: theirs.look}
			resolved.take, params.Resolve = w.resolve(m)
			next, merged, label, m = resolved.merge(), []*snapshot{theirs}, params.Label, nil
		}
	}
	w.did("merge %s", show(params))
	made, code := w.commit(at.p, next, "merge", label, merged...)
	res, err := at.Merge(w.ctx, params)
	return w.checkMerge(at, m, params.Prefer, made, code, res, err)
}

// preference chooses whether conflicts are decided at once, and how.
func (w *world) preference() (take func(conflict) bool, side chemigram.Side) {
	side = pick(w.r, []chemigram.Side{"", chemigram.Ours, chemigram.Theirs})
	return func(conflict) bool { return side == chemigram.Theirs }, side
}

// resolvable reports whether the instances of conflicts have known names.
func (w *world) resolvable(all []conflict) bool {
	return !slices.ContainsFunc(all, func(c conflict) bool { return strings.HasPrefix(c.id.label, "@") && w.names[c.id] == "" })
}

// decideLook decides a conflict of starting looks, on which the other conflicts depend:
// m gets these. It reports whether they can be resolved.
func (w *world) decideLook(m *merger, ours, theirs look) bool {
	if !slices.Contains(m.conflicts, startingLook) {
		return true
	}
	theirLook := w.r.IntN(2) == 0
	m.ours, m.theirs, m.open, m.conflicts = ours, theirs, false, nil
	m.take = func(c conflict) bool { return c == startingLook && theirLook }
	m.merge()
	return w.resolvable(m.conflicts)
}

// resolve decides conflicts one by one.
func (w *world) resolve(m *merger) (take func(conflict) bool, params []chemigram.Resolution) {
	sides := map[conflict]chemigram.Side{}
	for _, c := range m.conflicts {
		sides[c] = pick(w.r, []chemigram.Side{chemigram.Ours, chemigram.Theirs})
		if c == startingLook {
			sides[c] = chemigram.Ours
			if m.take(c) {
				sides[c] = chemigram.Theirs
			}
		}
		params = append(params, chemigram.Resolution{Module: c.id.module, Instance: w.realName(c.id), Field: c.field, Take: sides[c]})
	}
	return func(c conflict) bool { return sides[c] == chemigram.Theirs }, params
}

// checkMerge holds what a merge gave to the model. m is nil when every conflict was
// resolved.
func (w *world) checkMerge(at place, m *merger, prefer chemigram.Side, made *snapshot, code chemigram.Code, res chemigram.MergeResult, err error) error {
	edit := chemigram.EditResult{StateAfter: res.StateAfter, SnapshotHash: res.SnapshotHash, Event: res.Event, Changed: res.Changed}
	if err := w.checkEdit(at.p, made, code, edit, err); err != nil {
		return fmt.Errorf("%w%s", err, m)
	}
	if code != "" {
		return nil
	}
	var want []string
	if m != nil && prefer == "" {
		for _, c := range m.conflicts {
			want = append(want, fmt.Sprintf("%s %s", c.id.module, c.field))
		}
	}
	var got []string
	for _, c := range res.Conflicts {
		got = append(got, fmt.Sprintf("%s %s", c.Module, c.Field))
	}
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		return fmt.Errorf("the conflicts are %q, want %q", got, want)
	}
	return nil
}

func (w *world) cherryPick(at place) error {
	ref, picked := w.version(at.p)
	if picked == nil {
		return nil
	}
	params := chemigram.CherryPickParams{ImageID: at.id, Event: ref}
	now := at.p.now()
	if len(picked.parents) == 0 {
		w.did("cherry_pick %s", show(params))
		_, err := at.CherryPick(w.ctx, params)
		return wantCode(err, chemigram.ErrInvalidInput)
	}
	m := &merger{rules: w.rules, base: picked.parents[0].look, ours: now.look, theirs: picked.look, pick: true}
	m.take, params.Prefer = w.preference()
	m.open = params.Prefer == ""
	w.did("cherry_pick %s", show(params))
	next := m.merge()
	if len(m.conflicts) > 0 && params.Prefer == "" {
		next = now.look
	}
	made, code := w.commit(at.p, next, "cherry_pick", "")
	res, err := at.CherryPick(w.ctx, params)
	return w.checkMerge(at, m, params.Prefer, made, code, res, err)
}

func (w *world) propagate(at place) error {
	ref, from := w.version(at.p)
	targets := slices.DeleteFunc(slices.Sorted(maps.Keys(at.images)), func(id chemigram.ImageID) bool { return id == at.id })
	if from == nil || len(targets) == 0 {
		return nil
	}
	w.r.Shuffle(len(targets), func(i, j int) { targets[i], targets[j] = targets[j], targets[i] })
	params := chemigram.PropagateStateParams{
		ImageID: at.id, RefOrHash: ref, Targets: targets[:1+w.r.IntN(len(targets))], Masks: w.r.IntN(2) == 0, AllOrNothing: w.r.IntN(3) == 0,
	}
	w.did("propagate_state %s", show(params))
	mades, codes, failed := make([]*snapshot, len(params.Targets)), make([]chemigram.Code, len(params.Targets)), chemigram.Code("")
	skipped := 0
	for i, id := range params.Targets {
		next, left := w.carry(from.look, at.images[id].now().look, params.Masks)
		mades[i], codes[i] = w.commit(at.images[id], next, "propagate_state", "")
		if skipped = len(left); codes[i] != "" && failed == "" {
			failed = codes[i]
		}
	}
	res, err := at.PropagateState(w.ctx, params)
	if params.AllOrNothing && failed != "" {
		w.takeBack(at, params.Targets, mades, codes)
		return wantCode(err, failed)
	}
	if err := wantCode(err, ""); err != nil {
		return err
	}
	for i, id := range params.Targets {
		got := res.Outcomes[i]
		if got.ImageID != id || got.ErrorCode != codes[i] || codes[i] == "" && len(got.LeftBehind) != skipped {
			return fmt.Errorf("the outcome is %+v, want that of %s with %q and %d left behind", got, id, string(codes[i]), skipped)
		}
		if codes[i] != "" {
			continue
		}
		state, err := at.GetState(w.ctx, chemigram.GetStateParams{ImageID: id})
		edit := chemigram.EditResult{StateAfter: state, SnapshotHash: got.SnapshotHash, Event: got.Event, Changed: got.Changed}
		if err := w.checkEdit(at.images[id], mades[i], "", edit, err); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	return nil
}

// takeBack notes what a propagation leaves that changes no target: snapshots that were
// taken back, of the targets before the one that failed.
func (w *world) takeBack(at place, targets []chemigram.ImageID, mades []*snapshot, codes []chemigram.Code) {
	for _, id := range slices.Sorted(slices.Values(targets)) {
		i := slices.Index(targets, id)
		if codes[i] != "" {
			return
		}
		if p := at.images[id]; mades[i] != p.now() {
			p.takenBack++
			p.published()
		}
	}
}
