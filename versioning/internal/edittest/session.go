// Package edittest makes states as editing makes them, for tests and benchmarks.
package edittest

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// Session makes states: canonical sidecars of some history entries, of which each
// edit changes one, or adds one while there are fewer than most.
type Session struct {
	r       *rand.Rand
	most    int
	entries []entry
}

type entry struct {
	operation     string
	order         float64 // the place in the pipeline
	params, blend []byte
	instance      int
}

// paramSizes are the sizes of darktable's parameters in bytes, from a module
// with one slider to a curve.
var paramSizes = []int{4, 12, 16, 28, 28, 44, 52, 60, 80, 112, 136, 180, 216, 360, 520, 644}

// Full is how many history entries a sitting ends with, which take about 55 KB.
const Full = 40

// New begins a session with three fifths of most entries.
func New(seed uint64, most int) *Session {
	s := &Session{r: rand.New(rand.NewPCG(seed, 0)), most: most}
	for range most * 3 / 5 {
		s.add()
	}
	return s
}

func (s *Session) add() {
	n := len(s.entries)
	e := entry{
		operation: fmt.Sprintf("module%02d", n), order: s.r.Float64(),
		params: make([]byte, paramSizes[n%len(paramSizes)]), blend: make([]byte, 420),
		instance: n % 3,
	}
	for at := 0; at+4 <= len(e.params); at += 4 {
		// Parameters are floats; a third of them are zero, as many plain
		// numbers.
		switch s.r.IntN(3) {
		case 0:
			putFloat(e.params[at:], float32(s.r.IntN(20))/4)
		case 1:
			putFloat(e.params[at:], s.r.Float32())
		}
	}
	putFloat(e.blend[16:], 100)
	e.blend[8] = 24
	at := 0
	for at < n && s.entries[at].order < e.order {
		at++
	}
	s.entries = append(s.entries[:at], append([]entry{e}, s.entries[at:]...)...)
}

func putFloat(b []byte, f float32) {
	v := math.Float32bits(f)
	for i := range 4 {
		b[i] = byte(v >> (8 * i))
	}
}

// Edit does one edit and returns the state.
func (s *Session) Edit() []byte {
	if len(s.entries) < s.most && s.r.IntN(3) == 0 {
		s.add()
		return s.State()
	}
	e := &s.entries[s.r.IntN(len(s.entries))]
	for range 1 + s.r.IntN(3) {
		putFloat(e.params[4*s.r.IntN(len(e.params)/4):], s.r.Float32()*4)
	}
	if s.r.IntN(6) == 0 { // a masked or partly opaque application
		putFloat(e.blend[16:], s.r.Float32()*100)
		putFloat(e.blend[68+4*s.r.IntN(64):], s.r.Float32())
	}
	return s.State()
}

// State returns the state.
func (s *Session) State() []byte {
	var b strings.Builder
	b.WriteString(`<?xml version="1.0" encoding="UTF-8"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/" x:xmptk="XMP Core 4.4.0-Exiv2">
 <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
  <rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/" darktable:xmp_version="5"
`)
	fmt.Fprintf(&b, "   darktable:history_end=%q>\n   <darktable:history>\n    <rdf:Seq>\n", fmt.Sprint(len(s.entries)))
	for i, e := range s.entries {
		fmt.Fprintf(&b, `     <rdf:li
      darktable:num="%d"
      darktable:operation="%s"
      darktable:enabled="1"
      darktable:modversion="%d"
      darktable:params="%s"
      darktable:multi_name=""
      darktable:multi_name_hand_edited="0"
      darktable:multi_priority="%d"
      darktable:blendop_version="14"
      darktable:blendop_params="%s"/>
`, i, e.operation, 1+len(e.params)%7, hex.EncodeToString(e.params), e.instance, hex.EncodeToString(e.blend))
	}
	b.WriteString("    </rdf:Seq>\n   </darktable:history>\n  </rdf:Description>\n </rdf:RDF>\n</x:xmpmeta>\n")
	return []byte(b.String())
}
