package render

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// Identity names this very darktable: a SHA-256 in hex of the version that it
// printed, its program, its modules and the data that pixels depend on, lenses among
// them. Two builds
// that print one version have two. It is looked up at every call, by the files'
// stamps, so that an upgrade is noticed; files are read when theirs has changed.
//
// Of a darktable in a container that its command enters, and of the libraries that
// belong to the system, nothing but the version is known.
func (d *Darktable) Identity() string { return d.installation.identity() }

// Files are the paths of this very darktable's files: its program, its modules and the
// data that pixels depend on.
func (d *Darktable) Files() []string {
	r := &installedFiles
	r.mu.Lock()
	defer r.mu.Unlock()
	var paths []string
	for _, f := range r.filesOf(d.installation.programs) {
		paths = append(paths, f.path)
	}
	return paths
}

// An installation is what a darktable consists of on disk.
type installation struct {
	programs []string // that its command starts, by absolute path
	version  string   // as it was printed
}

// installedFiles is what this program has read of installed files.
var installedFiles = fileReader{known: map[string]knownFile{}, folders: map[string]knownFolders{}}

// A fileReader reads files again only when they have changed.
type fileReader struct {
	mu      sync.Mutex
	known   map[string]knownFile
	folders map[string]knownFolders // by the program that they belong to
}

// A knownFile is a file that was read.
type knownFile struct {
	stamp   filestamp.Stamp
	settled bool
	digest  string
	names   []scriptName // that a script has of other programs
}

// knownFolders are the files and folders that belong to a program with a stamp.
type knownFolders struct {
	stamp filestamp.Stamp
	paths []string
}

func (in installation) identity() string {
	r := &installedFiles
	r.mu.Lock()
	defer r.mu.Unlock()
	sum := sha256.New()
	_, _ = fmt.Fprintf(sum, "darktable %q\n", in.version)
	for _, f := range r.filesOf(in.programs) {
		_, _ = fmt.Fprintf(sum, "%q %s\n", f.name, r.read(f.path).digest)
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// read gives a file's digest, and reads it only when its stamp is another one than
// before. What cannot be read is known by its size and time. The caller holds the
// lock.
func (r *fileReader) read(path string) knownFile {
	info, err := os.Stat(path)
	if err != nil {
		return knownFile{digest: "missing"}
	}
	stamp := filestamp.Of(info)
	if k, ok := r.known[path]; ok && k.stamp == stamp && k.settled {
		return k
	}
	k := knownFile{stamp: stamp, settled: stamp.IsSettled(time.Now())}
	if k.digest, k.names, err = readInstalled(path, info.Mode()); err != nil {
		k.digest = fmt.Sprintf("unread %d %d", stamp.Size, stamp.Modified)
	}
	r.known[path] = k
	return k
}

// readInstalled gives the digest of a file, and what a script names.
func readInstalled(path string, mode os.FileMode) (digest string, names []scriptName, err error) {
	if !mode.IsRegular() {
		return "", nil, fmt.Errorf("%s is not a regular file", path)
	}
	f, _, err := regularfile.Open(path)
	if err != nil {
		return "", nil, err
	}
	defer f.Close()
	sum := sha256.New()
	head, err := io.ReadAll(io.TeeReader(io.LimitReader(f, maxScript), sum))
	if err != nil {
		return "", nil, err
	}
	if bytes.HasPrefix(head, []byte("#!")) {
		names = namesInScript(head)
		_, _ = fmt.Fprintf(sum, "\n%s", path) // what it starts depends on where it lies
	}
	_, err = io.Copy(sum, f)
	return hex.EncodeToString(sum.Sum(nil)), names, err
}
