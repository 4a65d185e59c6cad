package remote

import (
	"context"
	"errors"
	"io"
	"strings"

	"gocloud.dev/blob"

	"github.com/chemigram/chemigram/objects"
)

// contentType is that of all objects.
const contentType = "application/octet-stream"

// large is how many bytes an object has that is not sent before it was asked for.
const large = 4 << 20

var errNoClient = errors.New("the bucket has another client than it should")

// store is an [objects.Store] in a bucket.
type store struct {
	bucket *blob.Bucket
	s3     *s3Bucket // nil for other services
	prefix string
	buffer int // bytes of an upload that are sent at once; 0: as the service's client likes
}

// New makes a store of an open bucket. That of a folder (gocloud's fileblob) is none: of
// several who make an object at once there, more than one can succeed.
func New(bucket *blob.Bucket) objects.Store { return &store{bucket: bucket} }

// Close closes the bucket.
func (s *store) Close() error { return s.bucket.Close() }

// Get opens an object.
func (s *store) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	const op = "Get"
	if err := check(ctx, op, name); err != nil {
		return nil, err
	}
	r, err := s.bucket.NewReader(ctx, s.prefix+name, nil)
	if err != nil {
		return nil, s.fail(ctx, op, name, err)
	}
	return &reader{r, ctx, s, name}, nil
}

// reader gives the errors of reading an object a kind.
type reader struct {
	*blob.Reader
	ctx   context.Context //nolint:containedctx // that of the call that made it
	store *store
	name  string
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = r.store.fail(r.ctx, "Get", r.name, err)
	}
	return n, err
}

// WriteTo hides that of the reader, which would not give errors a kind.
func (r *reader) WriteTo(w io.Writer) (int64, error) {
	return io.Copy(w, struct{ io.Reader }{r})
}

// Create makes an object.
func (s *store) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	const op = "Create"
	if err := check(ctx, op, name); err != nil {
		return err
	}
	size, err := content.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = content.Seek(0, io.SeekStart)
	}
	if err != nil {
		return &objects.Error{Op: op, Kind: objects.Unreachable, Name: name, Message: "what it should have cannot be read", Err: err}
	}
	if size > large {
		if there, err := s.bucket.Exists(ctx, s.prefix+name); err == nil && there {
			return &objects.Error{Op: op, Kind: objects.Exists, Name: name}
		}
	}
	from := &source{r: content}
	if s.s3 != nil {
		err = s.s3.create(ctx, s.prefix+name, from)
	} else {
		err = s.write(ctx, s.prefix+name, from)
	}
	switch {
	case err == nil:
		return nil
	case from.err != nil && ctx.Err() == nil:
		return &objects.Error{Op: op, Kind: objects.Unreachable, Name: name, Message: "what it should have cannot be read", Err: from.err}
	}
	return s.fail(ctx, op, name, err)
}

// write makes an object by gocloud.
func (s *store) write(ctx context.Context, key string, content io.Reader) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	w, err := s.bucket.NewWriter(ctx, key, &blob.WriterOptions{
		IfNotExist: true, ContentType: contentType, BufferSize: s.buffer, MaxConcurrency: 2,
	})
	if err != nil {
		return err
	}
	if _, err := io.Copy(w, content); err != nil {
		cancel() // or what came so far would be an object
		return errors.Join(err, w.Close())
	}
	return w.Close()
}

// source is the content of an object. It remembers how reading it failed.
type source struct {
	r   io.ReadSeeker
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

func (s *source) Seek(offset int64, whence int) (int64, error) { return s.r.Seek(offset, whence) }

// List gives a page of the objects. Others than Chemigram's in the bucket are left out.
func (s *store) List(ctx context.Context, prefix, page string) (list []objects.Object, next string, err error) {
	const op = "List"
	if err := errors.Join(objects.CheckPrefix(prefix), ctx.Err()); err != nil {
		return nil, "", err
	}
	token := blob.FirstPageToken
	if page != "" {
		token = []byte(page)
	}
	found, after, err := s.bucket.ListPage(ctx, token, objects.MaxPage, &blob.ListOptions{Prefix: s.prefix + prefix})
	if err != nil {
		return nil, "", s.fail(ctx, op, prefix, err)
	}
	for _, o := range found {
		name, ok := strings.CutPrefix(o.Key, s.prefix)
		if ok && !o.IsDir && objects.CheckName(name) == nil {
			list = append(list, objects.Object{Name: name, Size: o.Size, Modified: o.ModTime})
		}
	}
	return list, string(after), nil
}

// Delete removes an object.
func (s *store) Delete(ctx context.Context, name string) (err error) {
	const op = "Delete"
	if err := check(ctx, op, name); err != nil {
		return err
	}
	if s.s3 != nil {
		err = s.s3.remove(ctx, s.prefix+name)
	} else {
		err = s.bucket.Delete(ctx, s.prefix+name)
	}
	if err == nil {
		return nil
	}
	if err = s.fail(ctx, op, name, err); errors.Is(err, objects.NotFound) {
		return nil
	}
	return err
}

func check(ctx context.Context, op, name string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := objects.CheckName(name); err != nil {
		return &objects.Error{Op: op, Kind: objects.Invalid, Name: name, Err: err}
	}
	return nil
}
