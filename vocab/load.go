package vocab

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/chemigram/chemigram/internal/version"
)

// The limits of a pack. A file of 1 MB holds thousands of entries.
const (
	maxFileBytes = 1 << 20
	maxFiles     = 500
	maxEntries   = 5000
)

const manifestName = "pack.json"

// loadPack reads a pack. With any error the pack must not be used.
func loadPack(src Source) (PackInfo, []*Entry, []*NamedMask, []error) {
	d := &decoder{pack: src.Name}
	info := d.manifest(src.FS)
	files, err := packFiles(src.FS)
	if err != nil {
		d.fileError(".", err)
	}
	if len(files) > maxFiles {
		d.fail(nil, "", "%d files; a pack has at most %d", len(files), maxFiles)
		files = nil
	}
	var entries []*Entry
	var masks []*NamedMask
	var responses []measured
	definedIn := map[string]string{} // the file of each entry
	for _, name := range files {
		d.file, d.entry = name, ""
		data, err := readFile(src.FS, name)
		if err != nil {
			d.fileError(name, err)
			continue
		}
		switch path.Base(name) {
		case masksName:
			masks = append(masks, d.decodeMasks(data, info)...)
			continue
		case responsesName:
			responses = append(responses, d.decodeResponses(data)...)
			continue
		}
		for _, e := range d.decodeEntries(data) {
			e.Pack = info
			if other, twice := definedIn[e.Name]; twice && e.Name != "" {
				d.entry = e.Name
				d.fail(nil, "name", "the pack has an entry of this name already, in %s", other)
			}
			definedIn[e.Name] = name
			if e.Style != "" {
				d.loadStyle(src.FS, e)
			}
			entries = append(entries, e)
		}
	}
	d.bindResponses(responses, entries)
	d.file, d.entry = "", ""
	switch {
	case len(entries) > maxEntries:
		d.fail(nil, "", "%d entries; a pack has at most %d", len(entries), maxEntries)
	case len(entries)+len(masks) == 0 && len(d.errs) == 0:
		d.fail(nil, "", "the pack has no entries; they belong in .json files beside %s", manifestName)
	}
	return info, entries, masks, d.errs
}

// fileError records that a file cannot be read.
func (d *decoder) fileError(name string, err error) {
	var e *Error
	if errors.As(err, &e) {
		e.Pack = d.pack
		d.errs = append(d.errs, e)
		return
	}
	d.errs = append(d.errs, &Error{Kind: BadPack, Pack: d.pack, File: name, Message: "cannot be read", Err: err})
}

// packFiles lists the .json files of a pack beside its manifest, sorted.
// Hidden files and folders are left out.
func packFiles(fsys fs.FS) ([]string, error) {
	var files []string
	err := fs.WalkDir(fsys, ".", func(name string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case name != "." && strings.HasPrefix(e.Name(), "."):
			if e.IsDir() {
				return fs.SkipDir
			}
		case !e.IsDir() && path.Ext(name) == ".json" && name != manifestName:
			files = append(files, name)
		}
		return nil
	})
	slices.Sort(files)
	return files, err
}

// readFile reads a regular file of bounded size. It checks the type before it
// opens the file, since opening a named pipe would block.
func readFile(fsys fs.FS, name string) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, &Error{Kind: BadPack, File: name, Message: "not a regular file"}
	}
	tooLarge := &Error{Kind: BadPack, File: name, Message: fmt.Sprintf("%d bytes; a file of a pack has at most %d", info.Size(), maxFileBytes)}
	if info.Size() > maxFileBytes {
		return nil, tooLarge
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFileBytes+1))
	if err == nil && len(data) > maxFileBytes {
		return nil, tooLarge
	}
	return data, err
}

// manifest reads pack.json.
func (d *decoder) manifest(fsys fs.FS) PackInfo {
	var info PackInfo
	d.file = manifestName
	defer func() { d.file = "" }()
	data, err := readFile(fsys, manifestName)
	if err != nil {
		d.fileError(manifestName, err)
		return info
	}
	root, jsonErr := parseJSON(data)
	if jsonErr != nil {
		d.fail(&node{line: jsonErr.line}, jsonErr.key, "%s", jsonErr.msg)
		return info
	}
	d.fields(root, "", []string{"name", "version", "description"}, map[string]func(*node, string){
		"name": func(n *node, k string) { info.Name = d.name(n, k) },
		"version": func(n *node, k string) {
			info.Version = d.text(n, k)
			if _, ok := version.Parse(info.Version); !ok {
				d.fail(n, k, "%q is not a version; want one such as \"1.2.0\"", info.Version)
			}
		},
		"description": func(n *node, k string) { info.Description = d.text(n, k) },
		"licence":     func(n *node, k string) { info.Licence = d.text(n, k) },
		"author":      func(n *node, k string) { info.Author = d.text(n, k) },
	})
	return info
}
