package versioning

import "io"

// The names in a history's folder; FORMAT.md says what they hold.
const (
	journalName = "journal"
	indexName   = "index"
	lockName    = "lock"
	holderName  = "holder"
	trashName   = "trash"
	tempSuffix  = ".tmp"
)

// A folder is what a history asks of the place that it lives in: a disk, the
// memory, or a simulated disk that fails. Names are the constants above,
// and names below trash/.
type folder interface {
	// open opens a file that exists.
	open(name string, writable bool) (file, error)
	// create makes an empty file to write, in place of one of that name. It
	// makes the folder that the file is in.
	create(name string) (file, error)
	// rename puts a file in another's place, in one step.
	rename(from, to string) error
	remove(name string) error
	// list gives the names in the folder, or in a folder below it; none when
	// there is no such folder.
	list(dir string) ([]string, error)
	// sync makes the creations, renames and removals of names in the folder
	// survive a power cut.
	sync(dir string) error
	// tryLock takes the lock, or says that another holds it. It makes the folder
	// when it is told to; otherwise one that is not there is fs.ErrNotExist.
	tryLock(makeFolder bool) (unlock func(), ok bool, err error)
}

// A file is a file of a folder. It stays readable when its name is given to
// another.
type file interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	size() (int64, error)
	truncate(size int64) error
	sync() error
}
