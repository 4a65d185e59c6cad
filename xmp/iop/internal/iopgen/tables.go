package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/version"
	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

const header = "# Made by iopgen from the release files. Do not edit.\n"

func readAll(dir fs.FS) ([]*release.File, error) {
	names, err := fs.Glob(dir, "*.json")
	if err != nil {
		return nil, err
	}
	var all []*release.File
	versions := map[*release.File]version.Version{}
	for _, name := range names {
		data, err := fs.ReadFile(dir, name)
		if err != nil {
			return nil, err
		}
		f, err := release.Read(bytes.NewReader(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		var ok bool
		if versions[f], ok = version.Parse(f.Darktable); !ok {
			return nil, fmt.Errorf("%s: %q is no version", name, f.Darktable)
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b *release.File) int { return versions[a].Compare(versions[b]) })
	return all, nil
}

// tables returns the text of every table by its path. A module's layout is
// written once, under the first release that has it in this form.
func tables(releases []*release.File) map[string]string {
	out := map[string]string{}
	for op, blocks := range layouts(releases) {
		out["layouts/"+op+".txt"] = header + strings.Join(blocks, "")
	}
	for _, r := range releases {
		out["releases/"+r.Darktable+".txt"] = header + releaseTable(r)
	}
	return out
}

func layouts(releases []*release.File) map[string][]string {
	type key struct {
		op         string
		modversion int
	}
	latest := map[key]string{} // the newest body of each layout
	blocks := map[string][]string{}
	for _, r := range releases {
		for op, m := range r.Modules {
			if m.Params == 0 {
				continue
			}
			var b strings.Builder
			writeFields(&b, m.Fields, 0, 0)
			for _, d := range m.Preset {
				if text, ok := d.Value.(string); ok {
					fmt.Fprintf(&b, "= %s %q\n", d.Name, text)
				} else {
					fmt.Fprintf(&b, "= %s %v\n", d.Name, d.Value)
				}
			}
			k := key{op, m.Modversion}
			if latest[k] == b.String() {
				continue
			}
			latest[k] = b.String()
			head := fmt.Sprintf("layout %d bytes=%d since=%s\n", m.Modversion, m.Params, r.Darktable)
			blocks[op] = append(blocks[op], head+b.String())
		}
	}
	return blocks
}

// writeFields writes one field per line: name, type, offset from the start of
// the enclosing struct, range, default, description. Members and constants
// follow, one tab deeper.
func writeFields(b *strings.Builder, fields []release.Field, base, depth int) {
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
func plain(f release.Field) release.Field {
	switch f.Type {
	case "complex":
		half := release.Field{Type: "float", Offset: f.Offset, Size: 4}
		re, im := half, half
		re.Name, im.Name = "re", "im"
		im.Offset += 4
		f.Type, f.Fields = "struct", []release.Field{re, im}
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

func releaseTable(r *release.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "blend %d\n", r.BlendVersion)
	for _, op := range slices.Sorted(maps.Keys(r.Modules)) {
		m := r.Modules[op]
		fmt.Fprintf(&b, "module %s %d flags=%#x %q\n", op, m.Modversion, m.Flags, m.Name+": "+m.About)
	}
	for _, rule := range r.Rules {
		fmt.Fprintf(&b, "rule %s %s\n", rule[0], rule[1])
	}
	for _, n := range slices.Sorted(maps.Keys(r.Orders)) {
		fmt.Fprintf(&b, "order %s %q\n", n, r.Orders[n].Name)
		for _, op := range r.Orders[n].Operations {
			fmt.Fprintf(&b, "\t%s\n", op)
		}
	}
	return b.String()
}

// writeAll makes the folder hold exactly these tables.
func writeAll(dir string, tables map[string]string) error {
	for _, sub := range []string{"layouts", "releases"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return err
		}
		old, err := filepath.Glob(filepath.Join(dir, sub, "*.txt"))
		if err != nil {
			return err
		}
		for _, path := range old {
			if _, keep := tables[sub+"/"+filepath.Base(path)]; !keep {
				if err := os.Remove(path); err != nil {
					return err
				}
			}
		}
	}
	for name, text := range tables {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}
