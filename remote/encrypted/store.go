package encrypted

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"
	"sync"

	"github.com/chemigram/chemigram/objects"
)

// Store is an [objects.Store] that keeps objects encrypted in another store. It is safe
// for concurrent use.
type Store struct {
	inner  objects.Store
	people People
	pinned string // the fingerprint that the key has to have, or ""

	mu    sync.Mutex
	keys  *keys // nil: not read yet
	begun *keys // that this store has tried to begin the remote with
	held  []listing
}

// New makes a store that keeps its objects in another one. Nothing is asked of that yet;
// at the first object, what has no key gets one. A fingerprint, when it is not "", is that
// of the only key that is used.
func New(inner objects.Store, people People, fingerprint string) (*Store, error) {
	if fingerprint != "" && !isFingerprint(fingerprint) {
		return nil, &objects.Error{Op: "Open", Kind: objects.Invalid, Message: "a fingerprint has 32 digits 0 to 9 and a to f"}
	}
	return &Store{inner: inner, people: people, pinned: fingerprint}, nil
}

// Close closes the other store, when it can be closed.
func (s *Store) Close() error {
	if c, ok := s.inner.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Moved reports whether something else is at the place of the other store now, as far as
// that knows.
func (s *Store) Moved() bool {
	m, ok := s.inner.(interface{ Moved() bool })
	return ok && m.Moved()
}

// open gives the key. Where there is none, it makes one, or gives errNone.
func (s *Store) open(ctx context.Context, begin bool) (*keys, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.keys != nil {
		return s.keys, nil
	}
	k, err := s.load(ctx)
	if errors.Is(err, errNone) && begin {
		k, err = s.begin(ctx)
	}
	if err == nil {
		s.keys = k
	}
	return k, err
}

// at checks a call's arguments, and gives the key and the encrypted name.
func (s *Store) at(ctx context.Context, op, name string, begin bool) (k *keys, sealed string, err error) {
	if err := ctx.Err(); err != nil {
		return nil, "", err
	}
	if err := objects.CheckName(name); err != nil {
		return nil, "", of(op, name, err)
	}
	k, err = s.open(ctx, begin)
	if errors.Is(err, errNone) {
		return nil, "", &objects.Error{Op: op, Kind: objects.NotFound, Name: name}
	}
	if err != nil {
		return nil, "", err
	}
	sealed, err = k.names.seal(name)
	return k, objectsFolder + sealed, of(op, name, err)
}

// of gives an error of the other store the object's own name.
func of(op, name string, err error) error {
	e, ok := errors.AsType[*objects.Error](err)
	if !ok {
		return err
	}
	return &objects.Error{Op: op, Kind: e.Kind, Name: name, Message: e.Message, Err: e.Err}
}

// Get opens an object.
func (s *Store) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	const op = "Get"
	k, sealed, err := s.at(ctx, op, name, false)
	if err != nil {
		return nil, err
	}
	from, err := s.inner.Get(ctx, sealed)
	if err != nil {
		return nil, of(op, name, err)
	}
	return &reader{newOpener(k.content, name, from), from, name}, nil
}

// reader gives the errors of reading an object a kind.
type reader struct {
	*opener
	io.Closer
	name string
}

func (r *reader) Read(p []byte) (int, error) {
	n, err := r.opener.Read(p)
	if errors.Is(err, errContent) {
		err = &objects.Error{Op: "Get", Kind: objects.Damaged, Name: r.name, Err: err}
	}
	return n, of("Get", r.name, err)
}

// Create makes an object.
func (s *Store) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	const op = "Create"
	k, sealed, err := s.at(ctx, op, name, true)
	if err != nil {
		return err
	}
	body, err := newSealer(k.content, name, content)
	if err != nil {
		return &objects.Error{Op: op, Kind: objects.Unreachable, Name: name, Message: "what it should have cannot be read", Err: err}
	}
	return of(op, name, s.inner.Create(ctx, sealed, body))
}

// Delete removes an object.
func (s *Store) Delete(ctx context.Context, name string) error {
	const op = "Delete"
	_, sealed, err := s.at(ctx, op, name, false)
	if errors.Is(err, objects.NotFound) {
		return nil
	}
	if err == nil {
		err = of(op, name, s.inner.Delete(ctx, sealed))
	}
	return err
}

// listing is the rest of a list: encrypted names have another order, so that one page
// takes the whole folder.
type listing struct {
	prefix, page string
	rest         []objects.Object
}

// mostHeld is of how many lists the rest is kept for the next page.
const mostHeld = 4

// List gives a page of the objects. Names that were not encrypted here with this key are
// left out; Check has them.
func (s *Store) List(ctx context.Context, prefix, page string) (list []objects.Object, next string, err error) {
	const op = "List"
	err = objects.CheckPrefix(prefix)
	if err == nil && page != "" {
		err = objects.CheckName(page)
	}
	if err = errors.Join(ctx.Err(), of(op, prefix, err)); err != nil {
		return nil, "", err
	}
	k, err := s.open(ctx, false)
	if errors.Is(err, errNone) {
		return nil, "", nil
	}
	if err != nil {
		return nil, "", err
	}
	all, ok := s.release(prefix, page)
	if !ok {
		if all, err = s.list(ctx, k, prefix); err != nil {
			return nil, "", of(op, prefix, err)
		}
		from, _ := slices.BinarySearchFunc(all, page+"\x00", func(o objects.Object, page string) int { return strings.Compare(o.Name, page) })
		all = all[from:]
	}
	if len(all) <= objects.MaxPage {
		return all, "", nil
	}
	next = all[objects.MaxPage-1].Name
	s.hold(listing{prefix, next, all[objects.MaxPage:]})
	return all[:objects.MaxPage:objects.MaxPage], next, nil
}

// hold keeps the rest of a list.
func (s *Store) hold(l listing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.held) == mostHeld {
		s.held = slices.Delete(s.held, 0, 1)
	}
	s.held = append(s.held, l)
}

// release gives the rest of a list that was kept.
func (s *Store) release(prefix, page string) ([]objects.Object, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	at := slices.IndexFunc(s.held, func(l listing) bool { return l.prefix == prefix && l.page == page })
	if page == "" || at < 0 {
		return nil, false
	}
	rest := s.held[at].rest
	s.held = slices.Delete(s.held, at, at+1)
	return rest, true
}

// list gives all objects of a prefix, by name.
func (s *Store) list(ctx context.Context, k *keys, prefix string) (all []objects.Object, err error) {
	err = s.walk(ctx, k, prefix[:strings.LastIndexByte(prefix, '/')+1], func(o objects.Object, err error) {
		if err == nil && strings.HasPrefix(o.Name, prefix) {
			o.Size = plainSize(o.Size)
			all = append(all, o)
		}
	})
	slices.SortFunc(all, func(a, b objects.Object) int { return strings.Compare(a.Name, b.Name) })
	return all, err
}

// walk finds the objects of a folder, and what has no name that was encrypted here.
func (s *Store) walk(ctx context.Context, k *keys, folder string, do func(objects.Object, error)) error {
	sealed := objectsFolder
	if folder != "" {
		name, err := k.names.seal(strings.TrimSuffix(folder, "/"))
		if err != nil {
			return nil //nolint:nilerr // no object has so long a name
		}
		sealed += name + "/"
	}
	opened := map[string]string{sealed: folder} // folders
	for page := ""; ; {
		list, next, err := s.inner.List(ctx, sealed, page)
		if err != nil {
			return err
		}
		for _, o := range list {
			name, err := k.names.openBelow(opened, o.Name)
			if err == nil {
				o.Name = name
			}
			do(o, err)
		}
		if page = next; next == "" {
			return nil
		}
	}
}

// Fingerprint gives what tells the key from every other.
func (s *Store) Fingerprint(ctx context.Context) (string, error) {
	k, err := s.open(ctx, false)
	if err != nil {
		return "", noRemote(err)
	}
	return k.fingerprint, nil
}

func noRemote(err error) error {
	if errors.Is(err, errNone) {
		return &objects.Error{Op: "Open", Kind: objects.NotFound, Message: "there is no remote yet: add_remote makes it"}
	}
	return err
}

// Recipients lists who has the key.
func (s *Store) Recipients(ctx context.Context) (list []string, err error) {
	k, err := s.open(ctx, false)
	if err != nil {
		return nil, noRemote(err)
	}
	err = s.eachKey(ctx, k.fingerprint, func(name string, data []byte) bool {
		if to, err := k.who(name, data); err == nil {
			list = append(list, to)
		}
		return true
	})
	slices.Sort(list)
	return list, err
}

// Add gives the key to one more, a recipient of age. One who has it already stays.
func (s *Store) Add(ctx context.Context, recipient string) error {
	k, err := s.open(ctx, false)
	if err != nil {
		return noRemote(err)
	}
	return s.add(ctx, k, recipient)
}

// Remove takes the key away from one who has it, so that they cannot open the store any
// more who have not kept the key; that they have not, nobody can know. The last one stays.
func (s *Store) Remove(ctx context.Context, recipient string) error {
	list, err := s.Recipients(ctx)
	if err != nil {
		return err
	}
	k, err := s.open(ctx, false)
	switch {
	case err != nil:
		return err
	case !slices.Contains(list, recipient):
		return &objects.Error{Op: "Remove", Kind: objects.NotFound, Message: "that recipient does not have the key"}
	case len(list) == 1:
		return &objects.Error{Op: "Remove", Kind: objects.Invalid, Message: "it is the only one who has the key, which would be lost"}
	}
	return s.inner.Delete(ctx, k.nameFor(recipient))
}

// Check reads what the other store has beside objects, and gives an error for each that is
// not what it should be, and for each name that was not encrypted here.
func (s *Store) Check(ctx context.Context) (wrong []*objects.Error, err error) {
	k, err := s.open(ctx, false)
	if errors.Is(err, errNone) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	damaged := func(name string, err error) {
		wrong = append(wrong, &objects.Error{Op: "Check", Kind: objects.Damaged, Name: name, Err: err})
	}
	switch now, err := s.load(ctx); {
	case errors.Is(err, errNone):
		damaged(markerName, errors.New("it is missing"))
	case err != nil && errors.Is(err, objects.Unreachable):
		return nil, err
	case err != nil:
		damaged(markerName, err)
	case now.fingerprint != k.fingerprint:
		damaged(markerName, errors.New("it is that of another key"))
	}
	err = s.eachKey(ctx, k.fingerprint, func(name string, data []byte) bool {
		if _, err := k.who(name, data); err != nil {
			damaged(name, err)
		}
		return true
	})
	if err != nil {
		return nil, err
	}
	return wrong, s.walk(ctx, k, "", func(o objects.Object, err error) {
		if err != nil {
			damaged(o.Name, err)
		}
	})
}
