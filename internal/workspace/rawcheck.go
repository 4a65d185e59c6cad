package workspace

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// CheckRaw makes sure that the raw is the file that was ingested: the history
// belongs to its content. The content is read whole when the file's stamp is another
// one than when it was read last, or when a sample of its bytes is: a file system may
// know neither inodes nor times of change. It is a state fault when the raw is gone
// or another file.
func (i *Image) CheckRaw(ctx context.Context) error {
	same, err := i.workspace.IsUnchanged(ctx, i.Raw)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fault.New(fault.State, "the raw of %s is no longer at %s: put it back, or ingest it at its new place as image_id %q",
			i.ImageID, i.Raw.Path, i.ImageID)
	case err != nil:
		return err
	case !same:
		return fault.New(fault.State, "the content of %s has changed since %s was ingested: put the original back, or ingest the new content under another image_id",
			i.Raw.Path, i.ImageID)
	}
	return nil
}

// IsUnchanged reports whether the file of a raw has the content that the raw's digest
// names. It is fs.ErrNotExist when there is no file.
func (w *Workspace) IsUnchanged(ctx context.Context, raw Raw) (bool, error) {
	info, err := os.Stat(raw.Path)
	if err != nil {
		return false, err
	}
	if err := regularfile.Check(raw.Path, info.Mode()); err != nil {
		return false, asState(err)
	}
	if raw.Size != 0 && info.Size() != raw.Size {
		return false, nil
	}
	now := filestamp.Of(info)
	seen, known := w.seenRaw(raw.Path)
	known = known && seen.SHA256 == raw.SHA256
	if known && seen.matches(now) {
		if sample, err := sampleFile(raw.Path, raw.SHA256); err == nil && sample == seen.Sample {
			return true, nil
		}
	}
	read, settled, err := readWhole(ctx, raw.Path)
	if errors.Is(err, regularfile.ErrGrows) || errors.Is(err, io.ErrUnexpectedEOF) {
		return false, nil
	}
	if err != nil || read.SHA256 != raw.SHA256 {
		return false, asState(err)
	}
	if known && seen.hasOnlyAnotherInode(read) {
		read.Stamp.Inode = 0
	}
	if settled {
		w.rememberRaw(read)
	}
	return true, nil
}

// seenRaw is what the raw at a path was when all of it was read.
type seenRaw struct {
	Path   string          `json:"path"`
	SHA256 string          `json:"sha256"`
	Sample string          `json:"sample"`
	Stamp  filestamp.Stamp `json:"stamp"` // with inode 0 where inodes do not stay
}

// matches reports whether a file of this stamp can be taken for the one that was
// read.
func (s seenRaw) matches(now filestamp.Stamp) bool {
	if s.Stamp.Inode == 0 {
		now.Inode = 0
	}
	return s.Stamp == now
}

// hasOnlyAnotherInode reports whether one file was read twice, on a file system that
// numbers its files anew: one that replaces another has another time of change.
func (s seenRaw) hasOnlyAnotherInode(again seenRaw) bool {
	before := s.Stamp
	before.Inode = again.Stamp.Inode
	return before == again.Stamp && s.Sample == again.Sample
}

// rawMemory is what a process knows of the raws that it has read.
type rawMemory struct {
	mu    sync.Mutex
	seen  map[string]seenRaw // by path
	swept sync.Once          // whether rawsDir is free of what dead programs left
}

// seenRaw gives what was seen at a path, by this process or by another one.
func (w *Workspace) seenRaw(path string) (seenRaw, bool) {
	m := &w.raws
	m.mu.Lock()
	seen, ok := m.seen[path]
	m.mu.Unlock()
	if ok {
		return seen, true
	}
	const most = 64 << 10 // a path has 4 KB at most, and six bytes for each in JSON
	data, err := ReadBounded(w.Path(rawsDir), rawsName(path), most)
	if err != nil || unmarshalChecked(data, &seen) != nil || seen.Path != path {
		return seenRaw{}, false
	}
	m.keep(seen)
	return seen, true
}

func (m *rawMemory) keep(seen seenRaw) {
	m.mu.Lock()
	defer m.mu.Unlock()
	const most = 10000
	if m.seen == nil || len(m.seen) >= most {
		m.seen = map[string]seenRaw{}
	}
	m.seen[seen.Path] = seen
}

// rawsDir holds what was seen of raws, each in a file named after its path. It may be
// deleted at any time: the raws are then read again.
var rawsDir = filepath.Join("cache", "raws")

func rawsName(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:16]) + ".json"
}

// rememberRaw keeps what was seen, for this process and for later ones. Where it
// cannot be written, each process reads the raw once.
func (w *Workspace) rememberRaw(seen seenRaw) {
	w.raws.keep(seen)
	if w.opts.ReadOnly {
		return
	}
	data, err := marshalChecked(struct {
		seenRaw
		checksum
	}{seen, checksum{noChecksum}})
	if err != nil {
		return
	}
	if err := os.MkdirAll(w.Path(rawsDir), 0o777); err != nil {
		return
	}
	w.raws.swept.Do(func() { sweep(w.Path(rawsDir)) })
	_ = atomicfile.Write(w.Path(rawsDir, rawsName(seen.Path)), data, 0o644)
}

// readWhole reads a file. settled reports whether its stamp can be relied on from
// then on: the file was not written to meanwhile, nor so shortly before that its
// file system's clock shows the same.
func readWhole(ctx context.Context, path string) (seen seenRaw, settled bool, err error) {
	began := time.Now()
	f, before, err := regularfile.Open(path)
	if err != nil {
		return seenRaw{}, false, err
	}
	defer func() { _ = f.Close() }()
	if err := checkSize(path, before.Size(), MostRaw, "a raw"); err != nil {
		return seenRaw{}, false, err
	}
	sum := sha256.New()
	if err := regularfile.Copy(ctx, sum, f, before.Size()); err != nil {
		return seenRaw{}, false, err
	}
	seen = seenRaw{Path: path, SHA256: hex.EncodeToString(sum.Sum(nil)), Stamp: filestamp.Of(before)}
	if seen.Sample, err = sample(f, before.Size(), seen.SHA256); err != nil {
		return seenRaw{}, false, err
	}
	after, err := os.Stat(path)
	if err != nil {
		return seenRaw{}, false, err
	}
	return seen, filestamp.Of(after) == seen.Stamp && seen.Stamp.IsSettled(began), nil
}

// sampleFile gives the sample of the file at a path.
func sampleFile(path, digest string) (string, error) {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { _ = f.Close() }()
	return sample(f, info.Size(), digest)
}

const (
	// sampleEnd is how much a sample has of a file's beginning and of its end, where
	// raws say how they were taken.
	sampleEnd = 16 << 10
	// sampleBlocks are taken in between, each of sampleBlock bytes, at places that
	// the digest of all bytes chooses.
	sampleBlocks = 12
	sampleBlock  = 4 << 10
)

// sample is the digest of some 80 KB of a file, in hex: enough to tell photographs
// apart, whose compressed pixels agree nowhere.
func sample(f io.ReaderAt, size int64, digest string) (string, error) {
	sum := sha256.New()
	take := func(offset, length int64) error {
		_, err := io.Copy(sum, io.NewSectionReader(f, offset, length))
		return err
	}
	err := take(0, sampleEnd)
	for i := range sampleBlocks {
		place := sha256.Sum256(fmt.Appendf(nil, "%s %d", digest, i))
		if room := size - sampleBlock; room > 0 && err == nil {
			err = take(int64(binary.BigEndian.Uint64(place[:])%uint64(room)), sampleBlock)
		}
	}
	if err == nil {
		err = take(max(0, size-sampleEnd), sampleEnd)
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

// CheckContent reads the raw again.
func (i *Image) CheckContent(ctx context.Context) []Finding {
	f := Finding{File: i.Raw.Path}
	digest, err := DigestFile(ctx, i.Raw.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
		f.Fault, f.Detail = "raw_missing", "the raw cannot be read: nothing can be developed until it is back"
		f.Advice = "put the raw back, or ingest it at its new place under the same image_id"
	case err != nil:
		f.Fault, f.Detail, f.Advice = "raw_unreadable", err.Error(), "check the disk, and put the raw back from a backup"
	case digest != i.Raw.SHA256:
		f.Fault, f.Detail = "raw_changed", "the raw's content is not what was ingested: edits would develop another picture"
		f.Advice = "put the original back from a backup, or ingest the new content under another image_id"
	default:
		return nil
	}
	return []Finding{f}
}
