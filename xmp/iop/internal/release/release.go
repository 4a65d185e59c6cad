// Package release is the exchange format between the program that reads an
// installed darktable and the program that makes the embedded tables: one JSON
// file per darktable release, one field per line, so that a diff can be
// reviewed.
package release

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// File is what one darktable release says about itself.
type File struct {
	Darktable    string            `json:"darktable"`
	Decoded      bool              `json:"decoded"`       // put together from what is published, of no darktable that was run
	BlendVersion int               `json:"blend_version"` // dt_develop_blend_version
	Modules      map[string]Module `json:"modules"`
	Orders       map[string]Order  `json:"iop_order"` // by number, dt_ioppr_get_iop_order_list_version
	Rules        [][2]string       `json:"rules"`     // dt_ioppr_get_iop_order_rules: [earlier, later]
}

// Module is one processing module. Params is 0 and Fields is empty when the
// module exports no introspection.
type Module struct {
	Name       string  `json:"name"`                  // as darktable shows it, in English
	About      string  `json:"description,omitempty"` // the first text of darktable's own description
	Modversion int     `json:"modversion"`
	Flags      int     `json:"flags"`
	Params     int     `json:"params_size,omitempty"`
	Fields     []Field `json:"fields,omitempty"`
	// Preset are the defaults that the module's own code sets.
	Preset []Default `json:"preset,omitempty"`
}

// Field is one introspected field. Numbers are kept as text: floats in the
// shortest form that gives the same float32, integers whole.
type Field struct {
	Name        string      `json:"name,omitempty"`
	Type        string      `json:"type"`
	CType       string      `json:"c_type,omitempty"`
	Offset      int         `json:"offset"` // from the start of the parameters; in arrays, of the first element
	Size        int         `json:"size"`
	Description string      `json:"description,omitempty"`
	Min         json.Number `json:"min,omitempty"`
	Max         json.Number `json:"max,omitempty"`
	Default     any         `json:"default,omitempty"` // json.Number or bool
	Values      []Constant  `json:"values,omitempty"`
	Count       int         `json:"count,omitempty"`
	Elem        *Field      `json:"elem,omitempty"`
	Fields      []Field     `json:"fields,omitempty"`
}

// Constant is one constant of an enum.
type Constant struct {
	Name        string `json:"name"`
	Value       int    `json:"value"`
	Description string `json:"description,omitempty"`
}

// Order is a built-in pipeline order.
type Order struct {
	Name       string   `json:"name"`
	Operations []string `json:"operations"`
}

// Read decodes a release file.
func Read(r io.Reader) (*File, error) {
	d := json.NewDecoder(r)
	d.UseNumber()
	f := new(File)
	if err := d.Decode(f); err != nil {
		return nil, fmt.Errorf("release: %w", err)
	}
	return f, nil
}

// Write encodes a release file, one field, rule and order to a line.
func (f *File) Write(w io.Writer) error {
	var b bytes.Buffer
	var failed error
	line := func(v any) string {
		var out bytes.Buffer
		e := json.NewEncoder(&out)
		e.SetEscapeHTML(false)
		if err := e.Encode(v); err != nil {
			failed = err
		}
		return strings.TrimSpace(out.String())
	}
	fmt.Fprintf(&b, "{\n\"darktable\": %s,\n", line(f.Darktable))
	if f.Decoded {
		b.WriteString("\"decoded\": true,\n")
	}
	fmt.Fprintf(&b, "\"blend_version\": %d,\n\"modules\": {", f.BlendVersion)
	for i, op := range slices.Sorted(maps.Keys(f.Modules)) {
		m := f.Modules[op]
		fmt.Fprintf(&b, "%s\n%s: {\"name\": %s, \"description\": %s, \"modversion\": %d, \"flags\": %d", comma(i), line(op), line(m.Name), line(m.About), m.Modversion, m.Flags)
		if m.Params > 0 {
			fmt.Fprintf(&b, ", \"params_size\": %d, \"fields\": [", m.Params)
			for j, field := range m.Fields {
				fmt.Fprintf(&b, "%s\n  %s", comma(j), line(field))
			}
			b.WriteString("]")
			if len(m.Preset) > 0 {
				fmt.Fprintf(&b, ",\n  \"preset\": %s", line(m.Preset))
			}
		}
		b.WriteString("}")
	}
	b.WriteString("},\n\"iop_order\": {")
	for i, n := range slices.Sorted(maps.Keys(f.Orders)) {
		fmt.Fprintf(&b, "%s\n%s: %s", comma(i), line(n), line(f.Orders[n]))
	}
	b.WriteString("},\n\"rules\": [")
	for i, r := range f.Rules {
		fmt.Fprintf(&b, "%s\n  %s", comma(i), line(r))
	}
	b.WriteString("]\n}\n")
	if failed != nil {
		return fmt.Errorf("release: %w", failed)
	}
	_, err := w.Write(b.Bytes())
	return err
}

func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}
