package stack_test

import (
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/stack"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

// changeField changes the first element of a field that can be changed.
func changeField(p iop.Params, field string) (iop.Params, bool) {
	for name, old := range p.All() {
		head, _, _ := strings.Cut(name, "[")
		head, _, _ = strings.Cut(head, ".")
		if head != field {
			continue
		}
		for _, v := range []iop.Value{
			iop.Number(1), iop.Number(0), iop.Number(2), iop.Number(0.5), iop.Number(3), iop.Number(5000), iop.Bool(true), iop.Bool(false), iop.Text("other"),
		} {
			if q, err := p.With(name, v); err == nil {
				if now, _ := q.Get(name); !now.Equal(old) {
					return q, true
				}
			}
		}
	}
	return p, false
}

func withParams(t *testing.T, s stack.Stack, p iop.Params) (*xmp.Sidecar, bool) {
	t.Helper()
	entry, err := s.Entry(p.Operation(), "")
	if err != nil {
		return nil, false
	}
	entry.Params, entry.Enabled = p.Encode(), true
	look, err := s.Current.With(s.Release, stack.Put(entry))
	return look, err == nil
}

func paramsOf(t *testing.T, s *xmp.Sidecar, module string) iop.Params {
	t.Helper()
	entry, _ := s.Find(module, "")
	p, err := iop.Decode(module, entry.Modversion, entry.Params)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// In every module that keeps one value in several fields, two sides that change
// different fields of it are in conflict, and either side is taken whole.
func TestFieldsThatMeanSomethingTogetherAreMergedTogether(t *testing.T) {
	t.Parallel()
	s := fresh(t, "5.4.1")
	tested := map[string]bool{}
	for _, m := range s.Release.Modules() {
		for _, c := range iop.Compounds(m.Operation) {
			base, err := s.Release.Defaults(m.Operation)
			if err != nil || c.Keyed || len(c.Fields) < 2 {
				continue
			}
			first, ok := changeField(base, c.Fields[0])
			second, also := changeField(base, c.Fields[1])
			v := stack.Versions{}
			v.Base, _ = withParams(t, s, base)
			if v.Base == nil || !ok || !also {
				continue
			}
			v.Ours, _ = withParams(t, s, first)
			v.Theirs, _ = withParams(t, s, second)
			_, conflicts, err := stack.Merge(s.Release, v, stack.Choices{})
			if err != nil || len(conflicts) != 1 || conflicts[0].Module != m.Operation {
				t.Errorf("%s: %v are merged with the conflicts %+v, %v", m.Operation, c.Fields, conflicts, err)
				continue
			}
			merged, _, err := stack.Merge(s.Release, v, stack.Choices{Prefer: stack.Theirs})
			if err != nil || !paramsOf(t, merged, m.Operation).Equal(second) {
				t.Errorf("%s: theirs is not taken whole: %v", m.Operation, err)
			}
			tested[m.Operation] = true
		}
	}
	for _, module := range []string{"tonecurve", "rgbcurve", "basecurve", "colorzones", "lowlight", "denoiseprofile", "rawdenoise", "atrous", "temperature"} {
		if !tested[module] {
			t.Errorf("%s was not tested", module)
		}
	}
}

// A curve with fewer nodes goes over with their number, where another curve is.
func TestACurveIsCarriedWithItsNumberOfNodes(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"4.2.1", "5.4.1"} {
		plain := fresh(t, version)
		curve := func(s stack.Stack, nodes, y string) stack.Stack {
			s = set(t, s, "tonecurve", "", "tonecurve_nodes[0]", nodes)
			return set(t, s, "tonecurve", "", "tonecurve[0][1].y", y)
		}
		source, target := plain, plain
		source.Baseline = curve(plain, "5", "0.1").Current
		source.Current = set(t, stack.Stack{Release: plain.Release, Current: source.Baseline, Baseline: source.Baseline}, "tonecurve", "", "tonecurve[0][1].y", "0.4").Current
		target.Baseline = curve(plain, "3", "0.2").Current
		target.Current = target.Baseline
		look, _, err := stack.Carry(source, target, false)
		if err != nil {
			t.Fatal(err)
		}
		if got, want := paramsOf(t, look, "tonecurve"), paramsOf(t, source.Current, "tonecurve"); !got.Equal(want) {
			t.Errorf("%s: the curve that was carried differs: %v", version, iop.Diff(want, got))
		}
		picked, conflicts, err := stack.CherryPick(plain.Release, stack.Versions{Base: source.Baseline, Ours: plain.Current, Theirs: source.Current}, stack.Choices{})
		if err != nil || len(conflicts) > 0 || !paramsOf(t, picked, "tonecurve").Equal(paramsOf(t, source.Current, "tonecurve")) {
			t.Errorf("%s: the curve that was picked differs: %v, %v", version, conflicts, err)
		}
	}
}
