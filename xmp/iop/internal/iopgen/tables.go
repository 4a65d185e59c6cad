package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
			k, table := key{op, m.Modversion}, m.Table()
			if latest[k] == table {
				continue
			}
			latest[k] = table
			blocks[op] = append(blocks[op], m.Head(r.Darktable, r.Decoded)+table)
		}
	}
	return blocks
}

func releaseTable(r *release.File) string {
	var b strings.Builder
	if r.Decoded {
		b.WriteString("decoded\n")
	}
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
