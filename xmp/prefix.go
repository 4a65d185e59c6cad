package xmp

import (
	"cmp"
	"slices"
)

// qualified gives a name with its prefix.
func (w *writer) qualified(n name) string {
	if n.space == "" {
		return n.local
	}
	return w.prefix(n.space) + ":" + n.local
}

func (w *writer) prefix(space string) string {
	if p, ok := prefixes[space]; ok {
		return p
	}
	i, _ := slices.BinarySearchFunc(w.hints, space, func(h hint, space string) int { return cmp.Compare(h.space, space) })
	return w.hints[i].prefix
}

// namespaces declares what the description uses, beyond what is declared around
// it.
func (w *writer) namespaces(used map[string]bool) {
	declared := make([]string, 0, len(used))
	for space := range used {
		if space != "" && space != nsRDF && space != nsMeta && space != nsXML {
			declared = append(declared, "xmlns:"+w.prefix(space)+"=\""+string(appendAttr(nil, space))+"\"")
		}
	}
	slices.Sort(declared)
	for _, d := range declared {
		w.raw("\n    ")
		w.raw(d)
	}
}

// spaces collects the namespaces of what is going to be written.
func (s *Sidecar) spaces(w *writer) map[string]bool {
	used := map[string]bool{}
	if s.history || len(s.forms) > 0 {
		used[nsDarktable] = true
	}
	last := ""
	note := func(props []property) {
		for i := range props {
			p := &props[i]
			if !w.wants(p.name) {
				continue
			}
			if p.name.space != last {
				last = p.name.space
				used[last] = true
			}
			if p.node != nil {
				p.node.spaces(used)
			}
		}
	}
	note(s.props)
	for _, f := range s.forms {
		note(f.more)
	}
	for _, e := range s.entries {
		note(e.more)
		if w.origins && len(e.origins) > 0 {
			used[OriginNamespace] = true
		}
	}
	return used
}

func (n *node) spaces(used map[string]bool) {
	used[n.name.space] = true
	for i := range n.attrs {
		used[n.attrs[i].name.space] = true
	}
	for k := n.first; k != nil; k = k.next {
		k.spaces(used)
	}
}
