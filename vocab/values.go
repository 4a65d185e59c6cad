package vocab

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/suggest"
)

// resolve gives each parameter the caller's value, or its default.
func (e *Entry) resolve(value *float64, given map[string]float64) (map[string]float64, error) {
	values := make(map[string]float64, len(e.Parameters))
	for _, p := range e.Parameters {
		values[p.Name] = p.Default
	}
	if value != nil {
		if err := e.setSingle(values, *value, given); err != nil {
			return nil, err
		}
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		p, ok := e.Parameter(name)
		if !ok {
			return nil, &Error{
				Kind: BadValue, Entry: e.Name, Key: name, Argument: "/values/" + name, Suggestions: suggest.Nearest(name, e.parameterNames()),
				Message: "the move has no such parameter; " + e.usage(),
			}
		}
		if err := e.checkValue(p, given[name], "/values/"+name); err != nil {
			return nil, err
		}
		values[name] = given[name]
	}
	return values, nil
}

func (e *Entry) setSingle(values map[string]float64, value float64, given map[string]float64) error {
	switch {
	case len(given) > 0:
		return &Error{Kind: BadValue, Entry: e.Name, Key: "value", Argument: "/value", Message: "give either value or values, not both"}
	case len(e.Parameters) != 1:
		return &Error{Kind: BadValue, Entry: e.Name, Key: "value", Argument: "/value", Message: "a single value is for moves with one parameter; " + e.usage()}
	}
	values[e.Parameters[0].Name] = value
	return e.checkValue(e.Parameters[0], value, "/value")
}

// checkValue holds a value to a parameter's range; at is its JSON pointer.
func (e *Entry) checkValue(p Parameter, v float64, at string) error {
	if finite(v) && v >= p.Min && v <= p.Max {
		return nil
	}
	unit := ""
	if p.Unit != "" {
		unit = " " + p.Unit
	}
	return &Error{
		Kind: BadValue, Entry: e.Name, Key: p.Name, Argument: at,
		Message: fmt.Sprintf("%g%s is out of range; want %g..%g%s", v, unit, p.Min, p.Max, unit),
	}
}

// usage lists the parameters with their ranges, for a message.
func (e *Entry) usage() string {
	if len(e.Parameters) == 0 {
		return "it takes no values, only a strength"
	}
	parts := make([]string, len(e.Parameters))
	for i, p := range e.Parameters {
		parts[i] = strings.TrimSpace(fmt.Sprintf("%s %g..%g %s", p.Name, p.Min, p.Max, p.Unit))
	}
	return "it takes " + strings.Join(parts, ", ")
}

// resolveStrength checks a strength; nil is 1.
func (e *Entry) resolveStrength(s *float64) (float64, error) {
	if s == nil {
		return 1, nil
	}
	if !finite(*s) || *s < 0 || *s > 1 {
		return 0, &Error{
			Kind: BadValue, Entry: e.Name, Key: "strength", Argument: "/strength",
			Message: fmt.Sprintf("%g is out of range; want 0..1", *s),
		}
	}
	return *s, nil
}
