// Package objects keeps immutable objects where several machines reach them: in a
// bucket, or in a folder of a disk or a network disk. Shared histories are made of them;
// docs/sharing.md says how.
//
// An object is made once, whole or not at all, and never changed: whoever makes one of a
// name that is taken is told so, and the first stays. The package objectstest has the
// suite that every Store passes.
package objects

import (
	"context"
	"io"
	"time"
)

// MaxPage is how many objects a page of a list has at most.
const MaxPage = 1000

// Object is what a list says of an object.
type Object struct {
	Name string
	// Size in bytes.
	Size int64
	// Modified is when it was made, by the store's clock.
	Modified time.Time
}

// Store keeps objects by name; [CheckName] says which names there are, and none is that
// of another's folder: where there is "a", there is no "a/b". A Store is safe for
// concurrent use, by many goroutines and many machines. Its errors are an [*Error], or
// the context's own.
type Store interface {
	// Get opens an object. Without one of the name it fails with NotFound.
	Get(ctx context.Context, name string) (io.ReadCloser, error)
	// Create makes an object of all that content has from its beginning to its end; it
	// may be read more than once. When it returns nil, the object survives a power cut.
	// When there is an object of the name already, it stays as it is, and Create fails
	// with Exists: of several at once, one succeeds. After any other error the object is
	// there, whole, or is not, or comes later: to know, Get it.
	Create(ctx context.Context, name string, content io.ReadSeeker) error
	// List gives the objects whose names begin with a prefix, by name, at most MaxPage
	// of them. The first page is "", and next is the page that follows, or "".
	List(ctx context.Context, prefix, page string) (list []Object, next string, err error)
	// Delete removes an object. One that is not there is no error.
	Delete(ctx context.Context, name string) error
}

// Checker is a Store that keeps something for itself beside the objects.
type Checker interface {
	Store
	// Check reads that, and gives an error for each part that is not what it should be.
	Check(ctx context.Context) (wrong []*Error, err error)
}
