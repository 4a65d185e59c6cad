package stack

import (
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// words tells an instance's blending, mask and spots as a caller says them: see
// [mask.Lens].
func (s *state) words(lens mask.Lens) []mask.Word {
	if s == nil || s.entry.Blend == nil {
		return nil
	}
	blend, err := mask.DecodeBlend(s.entry.BlendVersion, s.entry.Blend)
	if err != nil {
		return []mask.Word{{Name: "mask", Value: joinFirst(s.describeBlend())}}
	}
	if refersToForms(s.entry.Operation) {
		return lens.SpotWords(blend, s.forms, s.spotKind)
	}
	words := lens.Words(blend, s.forms)
	for i := range words {
		words[i].Name = "mask." + words[i].Name
	}
	return words
}

// spotKind is what the retouch module does at a form: heal, clone, blur or fill.
func (s *state) spotKind(form uint32) string {
	params, err := iop.Decode(s.entry.Operation, s.entry.Modversion, s.entry.Params)
	if err != nil || s.entry.Operation != "retouch" {
		return ""
	}
	const most = 300
	for i := range most {
		at := "rt_forms[" + strconv.Itoa(i) + "]."
		id, err := params.Get(at + "formid")
		if err != nil {
			return ""
		}
		if number, _ := id.Float(); number != float64(form) {
			continue
		}
		kind, _ := params.Get(at + "algorithm")
		return strings.ToLower(strings.TrimPrefix(kind.String(), "DT_IOP_RETOUCH_"))
	}
	return ""
}

// maskFields lists the words of an instance's mask and spots.
func (s *state) maskFields(lens mask.Lens, original *state) []Field {
	before := map[string]string{}
	for _, w := range original.words(lens) {
		before[w.Name] = w.Value
	}
	var fields []Field
	for _, w := range s.words(lens) {
		field := Field{Name: w.Name, Value: w.Value, Unit: w.Unit}
		if old := before[w.Name]; original != nil && old != w.Value {
			field.Baseline = old
		}
		fields = append(fields, field)
	}
	return fields
}

// changedWords lists how masks and spots differ. What differs by less than the usual
// digits is told in more of them.
func changedWords(before, after *state, frame mask.Frame) []FieldChange {
	for _, digits := range []int{0, 9} {
		lens := mask.Lens{Frame: frame, Digits: digits}
		if changes := compareWords(before.words(lens), after.words(lens)); len(changes) > 0 {
			return changes
		}
	}
	return blendChanges(before, after)
}

func compareWords(before, after []mask.Word) []FieldChange {
	find := func(words []mask.Word, name string) (mask.Word, bool) {
		i := slices.IndexFunc(words, func(w mask.Word) bool { return w.Name == name })
		if i < 0 {
			return mask.Word{}, false
		}
		return words[i], true
	}
	var changes []FieldChange
	for _, w := range before {
		if now, _ := find(after, w.Name); now.Value != w.Value {
			changes = append(changes, FieldChange{Name: w.Name, Before: w.Value, After: now.Value, Unit: w.Unit})
		}
	}
	for _, w := range after {
		if _, was := find(before, w.Name); !was {
			changes = append(changes, FieldChange{Name: w.Name, After: w.Value, Unit: w.Unit})
		}
	}
	return changes
}

// blendChanges lists blend parameters that differ and have no word, by darktable's
// names.
func blendChanges(before, after *state) []FieldChange {
	if before == nil || after == nil {
		return nil
	}
	a, err := mask.DecodeBlend(before.entry.BlendVersion, before.entry.Blend)
	b, otherErr := mask.DecodeBlend(after.entry.BlendVersion, after.entry.Blend)
	if err != nil || otherErr != nil || a.MaskMode == 0 && b.MaskMode == 0 {
		return nil
	}
	var changes []FieldChange
	for _, d := range mask.Diff(a, b) {
		if d.Name != "mask_id" { // forms are compared by what they are
			changes = append(changes, FieldChange{Name: "blend." + d.Name, Before: d.Before, After: d.After})
		}
	}
	return changes
}
