package workspace

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// mostBundleFile is how many bytes the image.json of a bundle may have, and likewise its
// marks.json: they are read into memory. What else is in it is copied piece by piece.
const mostBundleFile = 1 << 20

// mostDirectory is how many bytes of a bundle are read to find its members. archive/zip
// makes several times as much of them.
const mostDirectory = 1 << 20

// mostBundle is how many bytes a bundle may have: the history of a picture that was
// edited a million times.
const mostBundle = 2 << 30

// bundle is what a bundle holds. It is read from the file that it is in, which stays
// open.
type bundle struct {
	file    File
	journal *io.SectionReader
	members map[string]*zip.File // by name
}

// VerifyBundle reads a bundle, which lies below the allowed roots, and verifies all of
// it.
func VerifyBundle(ctx context.Context, path string, roots []string) error {
	_, done, err := openBundle(ctx, path, roots)
	if err == nil {
		done()
	}
	return err
}

// openBundle reads a bundle and verifies all of it. It is read until done is called.
func openBundle(ctx context.Context, path string, roots []string) (b bundle, done func(), err error) {
	f, info, err := OpenUserFile(path, roots, "a bundle")
	if err != nil {
		return bundle{}, nil, fault.At("/bundle_path", err)
	}
	b, err = verifiedBundle(ctx, f, info.Size())
	if err != nil {
		_ = f.Close()
		return bundle{}, nil, fault.At("/bundle_path", err)
	}
	return b, func() { _ = f.Close() }, nil
}

func verifiedBundle(ctx context.Context, f *os.File, size int64) (bundle, error) {
	if err := checkSize(f.Name(), size, mostBundle, "a bundle"); err != nil {
		return bundle{}, err
	}
	b, err := readBundle(regularfile.ReaderAt(ctx, f), size)
	switch {
	case ctx.Err() != nil:
		return bundle{}, ctx.Err()
	case err != nil:
		return bundle{}, fault.Invalid("/bundle_path", "%s is not a bundle that can be read: %v", f.Name(), err)
	}
	return b, b.verify(ctx)
}

// readBundle finds the members of a bundle, and reads what says which image it is of.
func readBundle(r io.ReaderAt, size int64) (b bundle, err error) {
	if b.members, err = bundleMembers(r, size); err != nil {
		return bundle{}, err
	}
	text, err := b.read(imageName)
	if err != nil {
		return bundle{}, err
	}
	if err := unmarshalMended(text, &b.file); err != nil {
		return bundle{}, fmt.Errorf("its %s: %w", imageName, err)
	}
	if !ValidID(b.file.ImageID) {
		return bundle{}, errors.New("its image_id " + fault.Shorten(b.file.ImageID) + " is none")
	}
	journal, ok := b.members[bundleJournal]
	if !ok {
		return bundle{}, errors.New("it has no " + bundleJournal)
	}
	at, err := journal.DataOffset()
	if err != nil {
		return bundle{}, err
	}
	b.journal = io.NewSectionReader(r, at, int64(journal.UncompressedSize64))
	for name := range b.members {
		if err := b.copy(io.Discard, name); err != nil { // which compares its checksum
			return bundle{}, err
		}
	}
	return b, nil
}

// bundleMembers finds the members of a bundle that are known.
func bundleMembers(r io.ReaderAt, size int64) (map[string]*zip.File, error) {
	limited := &limitedReaderAt{r: r, left: mostDirectory}
	in, err := zip.NewReader(limited, size)
	if err != nil {
		return nil, err
	}
	limited.left = -1 // what is read from here on is read piece by piece
	members := map[string]*zip.File{}
	known := append([]string{imageName, bundleJournal}, belongings...)
	for _, name := range known {
		for _, f := range in.File {
			if f.Name != name {
				continue
			}
			if members[name] != nil {
				return nil, fmt.Errorf("it has %s twice", name)
			}
			if err := checkMember(f, size); err != nil {
				return nil, err
			}
			members[name] = f
		}
	}
	return members, nil
}

// checkMember refuses a member that is no file, or has not the bytes that it claims.
func checkMember(f *zip.File, size int64) error {
	switch {
	case !f.Mode().IsRegular():
		return fmt.Errorf("its %s is no file but a link, folder or device", f.Name)
	case f.Method != zip.Store || f.Flags&1 != 0:
		return fmt.Errorf("its %s is compressed or encrypted: what export_bundle writes is neither", f.Name)
	case f.UncompressedSize64 != f.CompressedSize64 || f.UncompressedSize64 > uint64(size):
		return fmt.Errorf("its %s claims another size than it has", f.Name)
	}
	return nil
}

// limitedReaderAt fails when more than so many bytes are read, unless left is negative.
type limitedReaderAt struct {
	r    io.ReaderAt
	left int64
}

func (l *limitedReaderAt) ReadAt(p []byte, off int64) (int, error) {
	if l.left >= 0 {
		if int64(len(p)) > l.left {
			return 0, errors.New("its list of members is too long")
		}
		l.left -= int64(len(p))
	}
	return l.r.ReadAt(p, off)
}

// copy writes a member's content.
func (b bundle) copy(w io.Writer, name string) error {
	in, err := b.members[name].Open()
	if err != nil {
		return fmt.Errorf("its %s: %w", name, err)
	}
	defer func() { _ = in.Close() }()
	if _, err := io.Copy(w, in); err != nil {
		return fmt.Errorf("its %s: %w", name, err)
	}
	return nil
}

// read reads a small member into memory.
func (b bundle) read(name string) ([]byte, error) {
	f, ok := b.members[name]
	if !ok {
		return nil, errors.New("it has no " + name)
	}
	if f.UncompressedSize64 > mostBundleFile {
		return nil, fmt.Errorf("its %s is too large", name)
	}
	in, err := f.Open()
	if err != nil {
		return nil, err
	}
	defer func() { _ = in.Close() }()
	return io.ReadAll(in)
}

// verify makes sure that the history is whole, that its refs name looks that can be
// read and name no files by their paths, and that the marks are some. (Older looks are
// checked when they are developed.)
func (b bundle) verify(ctx context.Context) error {
	history, err := versioning.OpenBundle(b.journal, b.journal.Size())
	if err != nil {
		return err
	}
	found, err := history.Verify(ctx, nil)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		return &versioning.Error{Op: "Import", Kind: versioning.Corrupt, Name: "bundle", Message: found[0].String()}
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
		look, err := xmp.Parse(state)
		if err == nil {
			err = look.CheckFiles()
		}
		if err != nil {
			return err
		}
	}
	if b.members[marksName] == nil {
		return nil
	}
	text, err := b.read(marksName)
	if err == nil {
		_, err = decodeMarks(text)
	}
	if err != nil {
		return fault.Invalid("/bundle_path", "the %s of the bundle cannot be read: %v", marksName, err)
	}
	return nil
}

// unpack makes an image's folder.
func (b bundle) unpack(ctx context.Context, dir string, opts *versioning.Options) error {
	if err := b.file.Write(dir); err != nil {
		return err
	}
	for _, name := range belongings {
		if b.members[name] == nil {
			continue
		}
		if err := b.unpackFile(filepath.Join(dir, name), name); err != nil {
			return err
		}
	}
	history, err := versioning.Open(filepath.Join(dir, "history"), opts)
	if err != nil {
		return err
	}
	_, err = history.Import(ctx, b.journal)
	return err
}

// unpackFile writes a member into a folder that nobody sees yet.
func (b bundle) unpackFile(path, name string) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	return errors.Join(b.copy(f, name), atomicfile.Sync(f), f.Close())
}
