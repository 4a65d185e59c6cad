package release

import (
	"fmt"
	"strconv"
	"strings"
)

// Head is the line of a table that begins a module's layout, as a release has it;
// decoded marks one of a release that was not asked.
func (m Module) Head(darktable string, decoded bool) string {
	mark := ""
	if decoded {
		mark = " decoded"
	}
	return fmt.Sprintf("layout %d bytes=%d since=%s%s\n", m.Modversion, m.Params, darktable, mark)
}

// Table is a module's layout as the embedded tables have it, behind its [Module.Head].
func (m Module) Table() string {
	var b strings.Builder
	writeFields(&b, m.Fields, 0, 0)
	for _, d := range m.Preset {
		if text, ok := d.Value.(string); ok {
			fmt.Fprintf(&b, "= %s %q\n", d.Name, text)
		} else {
			fmt.Fprintf(&b, "= %s %v\n", d.Name, d.Value)
		}
	}
	return b.String()
}

// writeFields writes one field per line: name, type, offset from the start of
// the enclosing struct, range, default, description. Members and constants
// follow, one tab deeper.
func writeFields(b *strings.Builder, fields []Field, base, depth int) {
	indent := strings.Repeat("\t", depth)
	for _, f := range fields {
		leaf, dims := f, ""
		for leaf.Type == "array" && leaf.Elem.Type != "char" {
			dims += "[" + strconv.Itoa(leaf.Count) + "]"
			leaf = *leaf.Elem
		}
		leaf = plain(leaf)
		kind := leaf.Type
		switch kind {
		case "array":
			kind = "char:" + strconv.Itoa(leaf.Count)
		case "opaque", "struct":
			kind += ":" + strconv.Itoa(leaf.Size)
		}
		fmt.Fprintf(b, "%s%s %s%s @%d", indent, f.Name, kind, dims, f.Offset-base)
		if leaf.Min != "" {
			fmt.Fprintf(b, " %s..%s", leaf.Min, leaf.Max)
		}
		if leaf.Default != nil {
			fmt.Fprintf(b, " =%v", leaf.Default)
		}
		if text := f.Description + leaf.Description; f.Description != "" {
			fmt.Fprintf(b, " %q", f.Description)
		} else if text != "" {
			fmt.Fprintf(b, " %q", text)
		}
		b.WriteString("\n")
		for _, c := range leaf.Values {
			fmt.Fprintf(b, "%s\t%s %d", indent, c.Name, c.Value)
			if c.Description != "" {
				fmt.Fprintf(b, " %q", c.Description)
			}
			b.WriteString("\n")
		}
		writeFields(b, leaf.Fields, leaf.Offset, depth+1)
	}
}

// plain turns what the tables do not have into what they have.
func plain(f Field) Field {
	switch f.Type {
	case "complex":
		half := Field{Type: "float", Offset: f.Offset, Size: 4}
		re, im := half, half
		re.Name, im.Name = "re", "im"
		im.Offset += 4
		f.Type, f.Fields = "struct", []Field{re, im}
	case "union":
		f.Type, f.Fields = "opaque", nil
	case "enum":
		// Introspection finds an enum's constants by the type's name, and gives
		// all enums that have none the constants of the first one.
		if f.CType == "" {
			f.Type, f.Values = "int", nil
		}
	case "uint":
		if f.Min == "0" && f.Max == "4294967295" {
			f.Min, f.Max = "", ""
		}
	case "ushort":
		if f.Min == "0" && f.Max == "65535" {
			f.Min, f.Max = "", ""
		}
	}
	return f
}
