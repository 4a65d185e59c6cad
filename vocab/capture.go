package vocab

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

// Captured is a style from darktable that is to become an entry.
type Captured struct {
	// Style is the .dtstyle file.
	Style []byte
	// Name of the entry, as callers ask for it.
	Name string
	// Layer of the entry. Default: L2.
	Layer Layer
	// Description of what a person will see.
	Description string
	// Tags to find it by. Default: none.
	Tags []string
	// Claims are what its proof will check: at least one.
	Claims []Claim
}

// Capture adds a style to the pack in a folder: the file styles/NAME.dtstyle, an
// entry in NAME.json, and a pack.json when there is none. Nothing is replaced: a
// name that is taken is an error for which errors.Is(err, fs.ErrExist) holds. A
// style, a name or a claim that the loader refuses is an *[Error] of kind BadPack,
// and leaves nothing behind.
func Capture(folder string, c Captured) (err error) {
	if !isName(c.Name) {
		return &Error{Kind: BadPack, Pack: folder, Entry: c.Name, Key: "name", Message: "want lower-case letters, digits and underscores, beginning with a letter"}
	}
	stylePath := path.Join("styles", c.Name+".dtstyle")
	entry, err := json.MarshalIndent([]struct {
		Name        string   `json:"name"`
		Layer       Layer    `json:"layer"`
		Subject     string   `json:"subject"`
		Description string   `json:"description"`
		Tags        []string `json:"tags,omitempty"`
		Style       string   `json:"style"`
		Claims      []Claim  `json:"claims"`
	}{{c.Name, cmp.Or(c.Layer, L2), "look", c.Description, c.Tags, stylePath, c.Claims}}, "", "  ")
	if err != nil {
		return err
	}
	var written []string
	defer func() {
		for _, name := range written {
			if err != nil {
				_ = os.Remove(name)
			}
		}
	}()
	for _, file := range []struct {
		name     string
		data     []byte
		optional bool // it may exist already
	}{
		{manifestName, []byte(newManifest), true},
		{stylePath, c.Style, false},
		{c.Name + ".json", append(entry, '\n'), false},
	} {
		name := filepath.Join(folder, filepath.FromSlash(file.name))
		switch _, statErr := os.Stat(name); {
		case statErr == nil && file.optional:
			continue
		case statErr == nil:
			return fmt.Errorf("%s: %w", name, fs.ErrExist)
		}
		if err := atomicfile.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := atomicfile.Write(name, file.data, 0o644); err != nil {
			return err
		}
		written = append(written, name)
	}
	_, failures := Load(Dir(folder))
	return errors.Join(failures...)
}

// newManifest is the manifest of a pack that begins with a captured style.
const newManifest = `{
  "name": "my_moves",
  "version": "1.0.0",
  "description": "Moves of my own."
}
`
