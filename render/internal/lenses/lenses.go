// Package lenses reads the database of lensfun, by which darktable corrects lenses: XML
// files of cameras, mounts and lenses.
package lenses

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// mostFile bounds what is read of a file, far above the largest there is, and mostDepth
// how deep its elements lie.
const (
	mostFile  = 16 << 20
	mostDepth = 32
)

// A Database is what lensfun knows. Names are folded.
type Database struct {
	cameras map[string][]camera // by model
	lenses  map[string][]string // the mounts of lenses that have a correction, by name
	fixed   map[string]bool     // mounts of cameras whose lens is a part of them
	fits    map[string][]string // mounts whose lenses a mount takes, too
}

type camera struct{ maker, mount string }

// Read reads files. Those that cannot be read are left out, and err says why.
func Read(paths []string) (db *Database, err error) {
	db = &Database{map[string][]camera{}, map[string][]string{}, map[string]bool{}, map[string][]string{}}
	for _, path := range paths {
		if failed := db.read(path); failed != nil {
			err = fmt.Errorf("%s: %w", path, failed)
		}
	}
	return db, err
}

func (db *Database) read(path string) error {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }()
	if info.Size() > mostFile {
		return fmt.Errorf("%d bytes are more than a file of lenses has", info.Size())
	}
	data, err := io.ReadAll(io.LimitReader(f, mostFile))
	if err != nil {
		return err
	}
	return db.add(data)
}

// element is a camera, a lens or a mount, as far as it is needed.
type element struct {
	Makers []string  `xml:"maker"`
	Models []string  `xml:"model"`
	Mounts []string  `xml:"mount"`
	Names  []string  `xml:"name"`
	Compat []string  `xml:"compat"`
	Has    *struct{} `xml:"calibration"`
}

// add takes over what a file has.
func (db *Database) add(data []byte) error {
	decoder := xml.NewDecoder(bytes.NewReader(withoutCurves(data)))
	for depth := 0; ; {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.EndElement:
			depth--
		case xml.StartElement:
			name := token.Name.Local
			if depth != 1 || name != "camera" && name != "lens" && name != "mount" {
				if depth++; depth > mostDepth {
					return fmt.Errorf("its elements lie deeper than %d", mostDepth)
				}
				continue
			}
			var e element
			if err := decoder.DecodeElement(&e, &token); err != nil {
				return err
			}
			db.take(name, e)
		}
	}
}

// withoutCurves leaves out what corrections consist of, which is most of a file, and
// corrections that consist of nothing.
func withoutCurves(data []byte) []byte {
	begin, end := []byte("<calibration>"), []byte("</calibration>")
	out := make([]byte, 0, len(data)/4)
	for {
		before, rest, found := bytes.Cut(data, begin)
		inside, after, closed := bytes.Cut(rest, end)
		if !found || !closed {
			return append(out, data...)
		}
		out = append(out, before...)
		if bytes.IndexByte(inside, '<') >= 0 {
			out = append(append(out, begin...), end...)
		}
		data = after
	}
}

func (db *Database) take(kind string, e element) {
	switch kind {
	case "mount":
		for _, name := range e.Names {
			db.fits[fold(name)] = folded(e.Compat)
		}
	case "camera":
		for _, maker := range e.Makers {
			for _, mount := range e.Mounts {
				for _, model := range e.Models {
					db.cameras[fold(model)] = append(db.cameras[fold(model)], camera{firstWord(maker), mount})
				}
			}
		}
	case "lens":
		if e.Has == nil {
			return
		}
		for _, mount := range e.Mounts {
			if isFixed(mount) {
				db.fixed[fold(mount)] = true
			}
		}
		for _, model := range e.Models {
			names := []string{fold(model)}
			for _, maker := range e.Makers {
				if short, ok := strings.CutPrefix(fold(model), fold(maker)); ok {
					names = append(names, short)
				}
			}
			for _, name := range names {
				db.lenses[name] = append(db.lenses[name], folded(e.Mounts)...)
			}
		}
	}
}

// isFixed reports whether a mount is that of a camera whose lens is a part of it: its name
// begins with a small letter.
func isFixed(mount string) bool { return mount != "" && unicode.IsLower(rune(mount[0])) }

// Knows reports whether there is a correction for a lens on a camera, by what the file
// says of both. A lens whose name differs in more than case, blanks and signs is not known,
// and neither is one on a camera that is not.
func (db *Database) Knows(maker, model, lens string) bool {
	found := slices.Concat(db.cameras[fold(model)], db.cameras[fold(maker+model)])
	return slices.ContainsFunc(found, func(c camera) bool {
		if c.maker != firstWord(maker) {
			return false
		}
		mount := fold(c.mount)
		if isFixed(c.mount) {
			return db.fixed[mount]
		}
		return slices.ContainsFunc(db.lenses[fold(lens)], func(of string) bool {
			return lens != "" && (of == mount || slices.Contains(db.fits[mount], of))
		})
	})
}

// fold leaves the letters and digits of a name, in lower case.
func fold(name string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return -1
		}
		return unicode.ToLower(r)
	}, name)
}

func folded(names []string) (out []string) {
	for _, name := range names {
		out = append(out, fold(name))
	}
	return out
}

// firstWord is the first word of a maker's name, which makers keep.
func firstWord(name string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(strings.ToLower(name)), " ")
	return word
}
