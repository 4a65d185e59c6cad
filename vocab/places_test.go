package vocab

import (
	"regexp"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp/iop"
)

func TestPlacesAreFieldsOfTheirModules(t *testing.T) {
	t.Parallel()
	testutil.SkipShort(t)
	known := map[string]bool{}
	for _, release := range iop.Releases() {
		for _, m := range release.Modules() {
			p, err := iop.Defaults(m.Operation, m.Modversion)
			if err != nil {
				continue
			}
			for name := range p.All() {
				for _, place := range places[m.Operation] {
					if isPlace(m.Operation, name) && (indexes.ReplaceAllString(name, "") == place || regexp.MustCompile("^"+place+`[.\[]`).MatchString(name)) {
						known[m.Operation+" "+place] = true
					}
				}
			}
		}
	}
	for module, fields := range places {
		for _, field := range fields {
			if !known[module+" "+field] {
				t.Errorf("%s has no field %s", module, field)
			}
		}
	}
}

// placeName matches the names of fields that say where or how.
var placeName = regexp.MustCompile(`(?i)radius|size|scale|hardness|rotation|angle|offset|position|cent(er|re)|aspect|(^|_)ratio|shape|hue|_H$|\.x$|threshold|width|fulcrum|weight|bias|distance|midtone$|^c[xywh]$|^c[lrtb]$|smoothing|clip`)

// amountsByName are fields that are named like places, and say how much.
var amountsByName = []string{
	"ashift rotation",           // how far the picture is turned
	"colorbalancergb hue_angle", // how far hues are turned
	"rawdenoise threshold",      // how much noise is taken away
	"toneequal smoothing",       // away from its default it brightens by itself
}

// At half strength every entry of every pack works where it works at full strength,
// and half as much.
func TestStrengthScalesHowMuchAndNeverWhere(t *testing.T) {
	t.Parallel()
	b := newFixture(t, "5.4.1")
	b.words = shipped(t, "starter", "expressive")
	for _, e := range b.words.List(Filter{}) {
		if ok, _ := e.Available(b.release); !ok || e.MissingModule(b.baseline) != "" || len(e.Ops) == 0 {
			continue
		}
		apply := func(strength float64) Application {
			return Application{Values: sampleValues(e), Strength: &strength}
		}
		whole, half := b.apply(b.baseline, e.Name, apply(1)), b.apply(b.baseline, e.Name, apply(0.5))
		for _, o := range e.Ops {
			for _, ch := range o.changes() {
				if n, numeric := ch.expr.Constant.Float(); ch.expr.Parameter == "" && (!numeric || !ch.expr.Constant.IsNumeric() || n != n) {
					continue
				}
				if ch.action == actFrame && isPlace(o.Module, ch.field) {
					continue // it follows the frame
				}
				name := o.Module + " " + indexes.ReplaceAllString(ch.field, "")
				amount := ch.expr.Parameter != "" && e.isAmount(ch.expr.Parameter)
				where := !amount && placeName.MatchString(indexes.ReplaceAllString(ch.field, "")) && !slices.Contains(amountsByName, name)
				at := func(on float64) float64 {
					if on == 1 {
						return b.field(whole, o.Module, o.multiName(), ch.field)
					}
					return b.field(half, o.Module, o.multiName(), ch.field)
				}
				from := b.fieldWithout(o, ch.field)
				switch {
				case where && at(0.5) != at(1):
					t.Errorf("%s: %s is %g at half strength, %g at full strength", e.Name, name, at(0.5), at(1))
				case !where && at(1) != from && e.scales(o.Module, ch) && at(0.5) == at(1):
					t.Errorf("%s: %s is %g at half strength and at full strength", e.Name, name, at(1))
				}
			}
		}
	}
}

// fieldWithout is a field where no move set it.
func (b *fixture) fieldWithout(o Op, field string) float64 {
	b.t.Helper()
	if base, ok := b.baseline.Find(o.Module, o.multiName()); ok && base.Enabled {
		return b.field(b.baseline, o.Module, o.multiName(), field)
	}
	modversion, _ := b.release.Modversion(o.Module)
	p, err := reference(o.Module, modversion)
	if err != nil {
		b.t.Fatal(err)
	}
	v, err := p.Get(field)
	if err != nil {
		b.t.Fatal(err)
	}
	f, _ := v.Float()
	return f
}
