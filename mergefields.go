package chemigram

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// piece is one module instance with the drawn forms of its mask. nil is none.
type piece struct {
	entry xmp.Entry
	forms []mask.Form
}

func pieceOf(s *xmp.Sidecar, at place) *piece {
	entry, ok := s.Find(at.operation, at.instance)
	if !ok {
		return nil
	}
	return &piece{entry, s.FormsOf(at.operation, at.instance)}
}

// same tells whether two develop alike.
func (p *piece) same(q *piece) bool {
	if p == nil || q == nil {
		return p == q
	}
	return sameContent(p.entry, q.entry) && p.sameForms(q)
}

func (p *piece) sameMask(q *piece) bool {
	return p.entry.BlendVersion == q.entry.BlendVersion && bytes.Equal(p.entry.Blend, q.entry.Blend) && p.sameForms(q)
}

func (p *piece) sameForms(q *piece) bool {
	return slices.EqualFunc(p.forms, q.forms, func(a, b mask.Form) bool {
		return a.ID == b.ID && a.Type == b.Type && a.Name == b.Name && a.Version == b.Version && a.Count == b.Count &&
			bytes.Equal(a.Points, b.Points) && bytes.Equal(a.Source, b.Source)
	})
}

// String tells what the instance is, for a conflict about all of it.
func (p *piece) String() string {
	if p == nil {
		return "not there"
	}
	says := []string{"enabled"}
	if !p.entry.Enabled {
		says[0] = "disabled"
	}
	now, err := iop.Decode(p.entry.Operation, p.entry.Modversion, p.entry.Params)
	neutral, defaultErr := iop.Defaults(p.entry.Operation, p.entry.Modversion)
	if err != nil || defaultErr != nil {
		says = append(says, fmt.Sprintf("%d bytes of parameters, version %d", len(p.entry.Params), p.entry.Modversion))
	} else {
		for _, d := range iop.Diff(neutral, now) {
			says = append(says, d.Name+" "+d.After.String())
		}
	}
	return shortly(append(says, p.maskWords()...))
}

// maskWords tell how the instance is blended and masked.
func (p *piece) maskWords() []string {
	neutral, err := mask.DefaultBlend(p.entry.BlendVersion)
	if err != nil || p.entry.Blend == nil {
		return []string{"no mask"}
	}
	a, err := mask.DecodeBlend(p.entry.BlendVersion, neutral)
	b, decodeErr := mask.DecodeBlend(p.entry.BlendVersion, p.entry.Blend)
	if err != nil || decodeErr != nil {
		return []string{fmt.Sprintf("%d bytes of blend parameters", len(p.entry.Blend))}
	}
	var says []string
	for _, d := range mask.Diff(a, b) {
		says = append(says, d.Name+" "+d.After)
	}
	for _, form := range p.forms {
		says = append(says, "form "+form.Name)
	}
	if says == nil {
		return []string{"no mask"}
	}
	return says
}

// shortly joins words, as many as a reader wants.
func shortly(words []string) string {
	const most = 12
	if len(words) > most {
		words = append(slices.Clone(words[:most]), fmt.Sprintf("and %d more", len(words)-most))
	}
	return join(words)
}

// fields are the parameters of three pieces, the base being darktable's own
// defaults where there is none.
type fields struct {
	base, ours, theirs *piece
	was, our, their    iop.Params
}

// decodeFields reads the parameters, if all three are in one known layout.
func decodeFields(base, ours, theirs *piece) (f fields, ok bool) {
	f.base, f.ours, f.theirs = base, ours, theirs
	decode := func(p *piece) (params iop.Params) {
		if ok {
			var err error
			params, err = iop.Decode(p.entry.Operation, p.entry.Modversion, p.entry.Params)
			ok = err == nil
		}
		return params
	}
	ok = ours.entry.Modversion == theirs.entry.Modversion && ours.entry.Fault == nil && theirs.entry.Fault == nil
	f.our, f.their = decode(ours), decode(theirs)
	if base != nil {
		ok = ok && base.entry.Modversion == ours.entry.Modversion
		f.was = decode(base)
		return f, ok
	}
	var err error
	f.was, err = iop.Defaults(ours.entry.Operation, ours.entry.Modversion)
	return f, ok && err == nil
}

// changeAlone gives an instance with nothing but what changed from base to
// theirs: the rest is as darktable has it by default.
func changeAlone(base, theirs *piece) (*piece, bool) {
	if base == nil || theirs == nil || paramsNameForms(theirs.entry.Operation) {
		return nil, false
	}
	f, ok := decodeFields(base, theirs, theirs)
	if !ok {
		return nil, false
	}
	params, err := iop.Defaults(theirs.entry.Operation, theirs.entry.Modversion)
	if err != nil {
		return nil, false
	}
	params, err = params.WithAll(func(yield func(string, iop.Value) bool) {
		for _, d := range iop.Diff(f.was, f.their) {
			if !yield(d.Name, d.After) {
				return
			}
		}
	})
	alone := *theirs
	alone.entry.Params = params.Encode()
	alone.entry.Origins = slices.DeleteFunc(slices.Clone(alone.entry.Origins), func(o xmp.Origin) bool {
		return slices.Contains(base.entry.Origins, o)
	})
	return &alone, err == nil
}

// mergeFields merges an instance that both sides have and changed.
func (m *threeWay) mergeFields(at place, f fields) (*piece, error) {
	merged := *f.ours
	for _, origin := range f.theirs.entry.Origins {
		if !slices.Contains(merged.entry.Origins, origin) {
			merged.entry.Origins = append(slices.Clip(merged.entry.Origins), origin)
		}
	}
	if err := m.mergeEnabled(at, f, &merged); err != nil {
		return nil, err
	}
	if err := m.mergeMask(at, f, &merged); err != nil {
		return nil, err
	}
	params, err := m.mergeParams(at, f)
	if err != nil {
		return nil, err
	}
	merged.entry.Params = params.Encode()
	return &merged, nil
}

func (m *threeWay) mergeEnabled(at place, f fields, merged *piece) error {
	ours, theirs := f.ours.entry.Enabled, f.theirs.entry.Enabled
	if ours == theirs {
		return nil
	}
	if f.base != nil { // one of the two is as it was
		merged.entry.Enabled = !f.base.entry.Enabled
		return nil
	}
	side, _, err := m.decide(MergeConflict{
		Module: at.operation, Instance: at.instance, Field: "enabled",
		Ours: fmt.Sprint(ours), Theirs: fmt.Sprint(theirs),
	}, false)
	if side == Theirs {
		merged.entry.Enabled = theirs
	}
	return err
}

func (m *threeWay) mergeMask(at place, f fields, merged *piece) error {
	if f.ours.sameMask(f.theirs) || f.base != nil && f.theirs.sameMask(f.base) {
		return nil
	}
	side := Theirs
	if f.base == nil || !f.ours.sameMask(f.base) {
		c := MergeConflict{
			Module: at.operation, Instance: at.instance, Field: "mask",
			Ours: shortly(f.ours.maskWords()), Theirs: shortly(f.theirs.maskWords()),
		}
		if f.base != nil {
			c.Base = shortly(f.base.maskWords())
		}
		var err error
		if side, _, err = m.decide(c, false); err != nil {
			return err
		}
	}
	if side == Theirs {
		merged.entry.Blend, merged.entry.BlendVersion = f.theirs.entry.Blend, f.theirs.entry.BlendVersion
		merged.forms = f.theirs.forms
	}
	return nil
}

// mergeParams merges field by field; the elements of an array are one field.
func (m *threeWay) mergeParams(at place, f fields) (iop.Params, error) {
	ours, theirs := grouped(iop.Diff(f.was, f.our)), grouped(iop.Diff(f.was, f.their))
	merged := f.our
	for _, name := range theirs.names {
		both := iop.Diff(f.our, f.their)
		both = slices.DeleteFunc(both, func(d iop.Difference) bool { return groupOf(d.Name) != name })
		if len(both) == 0 {
			continue
		}
		take := func(d iop.Difference) iop.Value { return d.After }
		if _, conflict := ours.byName[name]; conflict {
			c := MergeConflict{Module: at.operation, Instance: at.instance, Field: name}
			c.Base = values(both, func(d iop.Difference) iop.Value { v, _ := f.was.Get(d.Name); return v })
			c.Ours = values(both, func(d iop.Difference) iop.Value { return d.Before })
			c.Theirs = values(both, take)
			oneValue := len(both) == 1 && both[0].Name == name
			side, value, err := m.decide(c, oneValue)
			if err != nil {
				return merged, err
			}
			if value != "" {
				if merged, err = setField(merged, FieldSetting{Name: name, Value: value}); err != nil {
					return merged, fault.New(fault.InvalidInput, "resolve: %v", err)
				}
				continue
			}
			if side == Ours {
				continue
			}
		}
		var err error
		merged, err = merged.WithAll(func(yield func(string, iop.Value) bool) {
			for _, d := range both {
				if !yield(d.Name, take(d)) {
					return
				}
			}
		})
		if err != nil {
			return merged, err
		}
	}
	return merged, nil
}

// groupOf is the field that a leaf belongs to: an array is one.
func groupOf(leaf string) string {
	name, _, _ := strings.Cut(leaf, "[")
	return name
}

// groups are differences by field.
type groups struct {
	names  []string // in the order of the parameters
	byName map[string]bool
}

func grouped(differences []iop.Difference) groups {
	g := groups{byName: map[string]bool{}}
	for _, d := range differences {
		if name := groupOf(d.Name); !g.byName[name] {
			g.byName[name] = true
			g.names = append(g.names, name)
		}
	}
	return g
}

// values writes one side of a conflict.
func values(differences []iop.Difference, of func(iop.Difference) iop.Value) string {
	if len(differences) == 1 && groupOf(differences[0].Name) == differences[0].Name {
		return of(differences[0]).String()
	}
	var words []string
	for _, d := range differences {
		words = append(words, d.Name+" "+of(d).String())
	}
	return shortly(words)
}
