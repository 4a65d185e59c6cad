package workspace

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// Imported is what came in with a bundle.
type Imported struct {
	Image   *Image
	Created bool // the image was not there before
	Changed bool // something in the bundle was not here already
}

// ImportBundle brings in what a bundle holds, after all of it was verified, as the
// image id, or, when that is empty, under the id that it has in the bundle. rawPath
// is where the raw is on this machine, or empty; files and raws lie below the
// allowed roots.
func (w *Workspace) ImportBundle(ctx context.Context, path, id, rawPath string, roots []string) (in Imported, err error) {
	b, err := openBundle(ctx, path, roots)
	if err != nil {
		return in, err
	}
	if id != "" {
		b.file.ImageID = id
	}
	if err := b.findRaw(rawPath, roots); err != nil {
		return in, err
	}
	id, in.Image, err = w.ChooseID(b.file.ImageID, b.file.Raw)
	if err != nil {
		return in, err
	}
	if in.Image != nil {
		in.Changed, err = in.Image.History.Import(ctx, bytes.NewReader(b.journal))
		return in, err
	}
	if err := w.add(ctx, id, func(dir string) error { return b.unpack(ctx, dir, w.historyOptions("")) }); err != nil {
		return in, err
	}
	in.Created, in.Changed = true, true
	in.Image, err = w.Image(id)
	return in, err
}

// findRaw says where the raw of a bundle is on this machine.
func (b *bundle) findRaw(path string, roots []string) error {
	if path == "" {
		// A bundle comes from outside: it cannot lead to what may not be read.
		return Allowed(b.file.Raw.Path, roots, "a raw")
	}
	found, err := ReadRaw(path, roots)
	if err != nil {
		return err
	}
	if found.SHA256 != b.file.Raw.SHA256 {
		return fault.New(fault.State, "%s is not the raw of this history: its content has another digest", found.Path)
	}
	b.file.Raw = found
	return nil
}

// bundle is what a bundle holds.
type bundle struct {
	file    File
	journal []byte
	texts   map[string][]byte
}

// VerifyBundle reads a bundle, which lies below the allowed roots, and verifies all of
// it.
func VerifyBundle(ctx context.Context, path string, roots []string) error {
	_, err := openBundle(ctx, path, roots)
	return err
}

// openBundle reads a bundle and verifies all of it.
func openBundle(ctx context.Context, path string, roots []string) (bundle, error) {
	f, info, err := OpenUserFile(path, roots, "a bundle")
	if err != nil {
		return bundle{}, err
	}
	defer func() { _ = f.Close() }()
	b, err := readBundle(f, info.Size())
	if err != nil {
		return bundle{}, fault.New(fault.InvalidInput, "%s is not a bundle that can be read: %v", f.Name(), err)
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
	if !ValidID(b.file.ImageID) {
		return bundle{}, errors.New("its image_id " + fault.Shorten(b.file.ImageID) + " is none")
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
	if err := b.file.Write(dir); err != nil {
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
