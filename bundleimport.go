package chemigram

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// ImportBundleParams are the parameters of ImportBundle.
type ImportBundleParams struct {
	// BundlePath is the file that export_bundle wrote.
	BundlePath string `json:"bundle_path"`
	// ImageID is the name that the image gets. Default: the bundle's.
	ImageID ImageID `json:"image_id,omitempty"`
	// RawPath is where the raw is on this machine; its content must be that of
	// the bundle. Default: where it was.
	RawPath string `json:"raw_path,omitempty"`
}

// ImportBundleResult says what came in.
type ImportBundleResult struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Created is true when the image was not there before.
	Created bool `json:"created"`
	// Changed is false when everything in the bundle was here already.
	Changed bool `json:"changed"`
	// RawFound tells whether the raw is where the image expects it.
	RawFound bool `json:"raw_found"`
	// StateAfter is the state that the image is in now.
	StateAfter State `json:"state_after"`
}

// ImportBundle brings in an image's history from a bundle, after all of it was
// verified. An image of the same raw that is an earlier stand of the bundle's
// history goes on to it; a later stand stays, and so importing twice is
// harmless. Another history or another raw under the id is an error: give an
// image_id. Notes and brief come in with a new image only.
func (e *Engine) ImportBundle(ctx context.Context, p ImportBundleParams) (_ ImportBundleResult, err error) {
	defer seal(&err, "import_bundle", p.ImageID)
	if err := errors.Join(validate(&p), e.writable()); err != nil {
		return ImportBundleResult{}, err
	}
	b, err := e.openBundle(ctx, p.BundlePath)
	if err != nil {
		return ImportBundleResult{}, err
	}
	if p.ImageID != "" {
		b.file.ImageID = p.ImageID
	}
	if err := e.findRaw(&b.file.Raw, p.RawPath); err != nil {
		return ImportBundleResult{}, err
	}
	res := ImportBundleResult{ImageID: b.file.ImageID}
	id, known, err := e.chooseID(b.file.ImageID, b.file.Raw)
	if err != nil {
		return ImportBundleResult{}, err
	}
	if known == nil {
		err := e.workspace.add(ctx, id, func(dir string) error { return b.unpack(ctx, dir, e.historyOptions()) })
		if errors.Is(err, fs.ErrExist) {
			return ImportBundleResult{}, e.taken(id)
		}
		if err != nil {
			return ImportBundleResult{}, err
		}
		res.Created, res.Changed = true, true
		if known, err = e.image(id); err != nil {
			return ImportBundleResult{}, err
		}
	} else if res.Changed, err = known.History.Import(ctx, bytes.NewReader(b.journal)); err != nil {
		return ImportBundleResult{}, err
	}
	now, err := known.At(ctx, "")
	if err != nil {
		return ImportBundleResult{}, err
	}
	_, statErr := os.Stat(known.Raw.Path)
	res.RawFound, res.StateAfter = statErr == nil, now.state()
	return res, nil
}

// findRaw says where the raw of a bundle is on this machine.
func (e *Engine) findRaw(raw *rawFile, path string) error {
	if path == "" {
		// A bundle comes from outside: it cannot lead to what may not be read.
		return within(raw.Path, e.opts.RawRoots, "a raw")
	}
	found, err := e.readRaw(path)
	if err != nil {
		return err
	}
	if found.SHA256 != raw.SHA256 {
		return fault.New(fault.State, "%s is not the raw of this history: its content has another digest", found.Path)
	}
	*raw = found
	return nil
}

// bundle is what a bundle holds.
type bundle struct {
	file    imageFile
	journal []byte
	texts   map[string][]byte
}

// openBundle reads a bundle and verifies all of it.
func (e *Engine) openBundle(ctx context.Context, path string) (bundle, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return bundle{}, err
	}
	if err := within(path, e.opts.RawRoots, "a bundle"); err != nil {
		return bundle{}, err
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return bundle{}, fault.Unknown("file", path, nil)
	}
	if err != nil {
		return bundle{}, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return bundle{}, err
	}
	if !info.Mode().IsRegular() {
		return bundle{}, fault.New(fault.InvalidInput, "%s is not a file but a %s", path, describeMode(info.Mode()))
	}
	b, err := readBundle(f, info.Size())
	if err != nil {
		return bundle{}, fault.New(fault.InvalidInput, "%s is not a bundle that can be read: %v", path, err)
	}
	return b, b.verify(ctx)
}

// readBundle reads the members of a bundle.
func readBundle(r io.ReaderAt, size int64) (bundle, error) {
	in, err := zip.NewReader(r, size)
	if err != nil {
		return bundle{}, err
	}
	b := bundle{texts: map[string][]byte{}}
	text, err := readMember(in, bundleImage, mostBundleText)
	if err != nil {
		return bundle{}, err
	}
	if err := json.Unmarshal(text, &b.file); err != nil {
		return bundle{}, err
	}
	if !rules[reflect.TypeFor[ImageID]()].allowsText(string(b.file.ImageID)) {
		return bundle{}, errors.New("its image_id " + shorten(string(b.file.ImageID)) + " is none")
	}
	if b.journal, err = readMember(in, bundleJournal, mostBundleJournal); err != nil {
		return bundle{}, err
	}
	for _, name := range bundleTexts {
		text, err := readMember(in, name, mostBundleText)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return bundle{}, err
		}
		b.texts[name] = text
	}
	return b, nil
}

func readMember(in *zip.Reader, name string, most int64) ([]byte, error) {
	f, err := in.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, most+1))
	if err == nil && int64(len(data)) > most {
		err = errors.New(name + " is too large")
	}
	return data, err
}

// verify makes sure that the history is whole, and that its refs name looks that
// can be read.
func (b bundle) verify(ctx context.Context) error {
	history := versioning.NewMemory(nil)
	if _, err := history.Import(ctx, bytes.NewReader(b.journal)); err != nil {
		return err
	}
	refs, err := history.Refs(ctx)
	if err != nil {
		return err
	}
	for _, ref := range append(refs, versioning.Ref{Name: "HEAD"}) {
		record, err := history.Resolve(ctx, ref.Name)
		if err != nil {
			return err
		}
		state, err := history.State(ctx, record.State)
		if err != nil {
			return err
		}
		if _, err := xmp.Parse(state); err != nil {
			return err
		}
	}
	return nil
}

// unpack makes an image's folder.
func (b bundle) unpack(ctx context.Context, dir string, opts *versioning.Options) error {
	if err := b.file.write(dir); err != nil {
		return err
	}
	for name, text := range b.texts {
		if err := atomicfile.Write(filepath.Join(dir, name), text, 0o644); err != nil {
			return err
		}
	}
	history, err := versioning.Open(filepath.Join(dir, "history"), opts)
	if err != nil {
		return err
	}
	_, err = history.Import(ctx, bytes.NewReader(b.journal))
	return err
}
