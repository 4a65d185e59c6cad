// Package formerly gives arguments the names that they have now. A field's tag
// formerly:"…" is the JSON name that it had before.
package formerly

import (
	"bytes"
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Names are the former names of the arguments of a type, at every depth. A nil Names
// has none.
type Names struct {
	present  map[string]string // by the former name
	members  map[string]*Names // of a struct, by the present name
	elements *Names            // of a list or a map
}

// Of returns the former names in a type of arguments, or nil when there are none.
func Of(t reflect.Type) *Names { return of(t, nil) }

// of is Of for a type in others, which may contain it again.
func of(t reflect.Type, within []reflect.Type) *Names {
	switch t.Kind() {
	case reflect.Pointer:
		return of(t.Elem(), within)
	case reflect.Slice, reflect.Array, reflect.Map:
		if elements := of(t.Elem(), within); elements != nil {
			return &Names{elements: elements}
		}
		return nil
	case reflect.Struct:
		if slices.Contains(within, t) {
			return nil
		}
		return ofStruct(t, append(within[:len(within):len(within)], t))
	default:
		return nil
	}
}

func ofStruct(t reflect.Type, within []reflect.Type) *Names {
	n := &Names{present: map[string]string{}, members: map[string]*Names{}}
	for _, field := range reflect.VisibleFields(t) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		if former := field.Tag.Get("formerly"); former != "" {
			n.present[former] = name
		}
		if members := of(field.Type, within); members != nil {
			n.members[name] = members
		}
	}
	if len(n.present)+len(n.members) == 0 {
		return nil
	}
	return n
}

// Rename gives arguments, as JSON is decoded into an any, their present names, in
// place. An argument that has both keeps both. It returns what was renamed: the JSON
// pointers that the caller gave, by those that there are now.
func (n *Names) Rename(arguments any) map[string]string {
	given := map[string]string{}
	n.rename(arguments, "", "", given)
	return given
}

// rename is Rename for a value that is at a pointer now, and was at another one.
func (n *Names) rename(value any, at, was string, given map[string]string) {
	if n == nil {
		return
	}
	switch value := value.(type) {
	case []any:
		for i := range value {
			index := "/" + strconv.Itoa(i)
			n.elements.rename(value[i], at+index, was+index, given)
		}
	case map[string]any:
		said := map[string]string{}
		for former, name := range n.present {
			if moved, ok := value[former]; ok && value[name] == nil {
				value[name], said[name] = moved, former
				delete(value, former)
			}
		}
		for name := range value {
			token, members := fault.Pointer("", name), n.elements
			wasToken := token
			if n.members != nil {
				members = n.members[name]
			}
			if former := said[name]; former != "" {
				wasToken = fault.Pointer("", former)
				given[at+token] = was + wasToken
			}
			members.rename(value[name], at+token, was+wasToken, given)
		}
	}
}

// Given is the JSON pointer that the caller gave for one that there is now. renamed is
// what [Names.Rename] returned.
func Given(renamed map[string]string, pointer string) string {
	for at := pointer; at != ""; at = at[:strings.LastIndexByte(at, '/')] {
		if was, ok := renamed[at]; ok {
			return was + pointer[len(at):]
		}
	}
	return pointer
}

// Decode decodes arguments of which some may have former names.
func Decode(text []byte, arguments any) error {
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var given any
	if err := dec.Decode(&given); err != nil {
		return err
	}
	Of(reflect.TypeOf(arguments)).Rename(given)
	text, err := json.Marshal(given)
	if err != nil {
		return err
	}
	return json.Unmarshal(text, arguments)
}
