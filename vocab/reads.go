package vocab

import (
	"maps"
	"slices"
)

// ValueIn reads back which value an entry with one parameter has in a.Current: what
// its first field that is added to has beyond the baseline. It is 0 when the entry is
// not in use, and false for one that cannot be read back so. a needs no more than the
// baseline, the current sidecar and the target.
func (e *Entry) ValueIn(a Application) (value float64, ok bool) {
	for _, o := range e.Ops {
		for _, field := range slices.Sorted(maps.Keys(o.Add)) {
			expr := o.Add[field]
			if expr.Parameter == "" || expr.Scale == 0 {
				continue
			}
			c := compiler{entry: e, op: o, app: a}
			if err := c.begin(); err != nil {
				return 0, false
			}
			if !c.present || !c.start.Enabled {
				return 0, true
			}
			now, err := a.Target.Decode(o.Module, c.start.Modversion, c.start.Params)
			if err != nil {
				return 0, false
			}
			was, err := c.ref.Get(field)
			if err != nil {
				return 0, false
			}
			is, err := now.Get(field)
			if err != nil {
				return 0, false
			}
			from, _ := was.Float()
			to, _ := is.Float()
			return (to - from - expr.Offset) / expr.Scale, true
		}
	}
	return 0, false
}
