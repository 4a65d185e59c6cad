package versioning

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"path"
	"slices"
	"sync"
	"syscall"
)

// faulty is a disk that keeps what a real one keeps: what was synced. At a
// chosen operation the power goes, or for a while every operation fails.
type faulty struct {
	mu      sync.Mutex
	ops     int // operations so far that change something
	cutAt   int // the operation at which the power goes; 0 never
	failAt  int // the first operation that fails, 0 none
	failFor int
	failure error
	rand    *rand.Rand

	names   map[string]*inode // as the program sees them
	durable map[string]*inode // as they were when their folder was synced last
	pending []nameOp
	locked  bool
}

type nameOp struct {
	dir    string
	change func(map[string]*inode)
}

type inode struct {
	disk    *faulty
	data    []byte // as the program sees it
	durable []byte
	pending []func([]byte) []byte
}

var errPower = errors.New("the power is gone")

func newFaulty(seed uint64) *faulty {
	return &faulty{
		rand:  rand.New(rand.NewPCG(seed, 1)),
		names: map[string]*inode{}, durable: map[string]*inode{},
	}
}

// op counts an operation and says whether it may happen.
func (d *faulty) op() error {
	d.ops++
	if d.cutAt > 0 && d.ops > d.cutAt {
		return errPower
	}
	if d.failAt > 0 && d.ops >= d.failAt && d.ops < d.failAt+d.failFor {
		return d.failure
	}
	return nil
}

// reboot gives the disk as it is after the power went: of what was not synced,
// any part may be there, a sector of 512 bytes being the least.
func (d *faulty) reboot() *faulty {
	after := newFaulty(d.rand.Uint64())
	names := maps.Clone(d.durable)
	for _, op := range d.pending {
		if d.rand.IntN(2) == 0 {
			op.change(names)
		}
	}
	for name, n := range names {
		data := slices.Clone(n.durable)
		for _, change := range n.pending {
			if d.rand.IntN(2) == 0 {
				data = change(data)
			}
		}
		after.names[name] = &inode{disk: after, data: slices.Clone(data), durable: data}
	}
	after.durable = maps.Clone(after.names)
	return after
}

func (d *faulty) open(name string, _ bool) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := d.names[name]; ok {
		return n, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (d *faulty) changeNames(dir string, change func(map[string]*inode)) error {
	if err := d.op(); err != nil {
		return err
	}
	change(d.names)
	d.pending = append(d.pending, nameOp{dir, change})
	return nil
}

func (d *faulty) create(name string) (file, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	n := &inode{disk: d}
	return n, d.changeNames(path.Dir(name), func(m map[string]*inode) { m[name] = n })
}

func (d *faulty) rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.changeNames(path.Dir(to), func(m map[string]*inode) {
		if n, ok := m[from]; ok {
			m[to] = n
			delete(m, from)
		}
	})
}

func (d *faulty) remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.names[name]; !ok {
		return fs.ErrNotExist
	}
	return d.changeNames(path.Dir(name), func(m map[string]*inode) { delete(m, name) })
}

func (d *faulty) list(dir string) ([]string, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	var names []string
	for name := range d.names {
		if path.Dir(name) == path.Clean(dir) {
			names = append(names, path.Base(name))
		}
	}
	return names, nil
}

func (d *faulty) sync(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if err := d.op(); err != nil {
		return err
	}
	var rest []nameOp
	for _, op := range d.pending {
		if op.dir == path.Clean(dir) {
			op.change(d.durable)
		} else {
			rest = append(rest, op)
		}
	}
	d.pending = rest
	return nil
}

func (d *faulty) tryLock() (func(), bool, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.locked {
		return nil, false, nil
	}
	d.locked = true
	return func() {
		d.mu.Lock()
		defer d.mu.Unlock()
		d.locked = false
	}, true, nil
}

func (n *inode) ReadAt(p []byte, off int64) (int, error) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if off >= int64(len(n.data)) {
		return 0, io.EOF
	}
	if c := copy(p, n.data[off:]); c < len(p) {
		return c, io.EOF
	}
	return len(p), nil
}

func writeTo(data, p []byte, off int64) []byte {
	if gap := off + int64(len(p)) - int64(len(data)); gap > 0 {
		data = append(data, make([]byte, gap)...)
	}
	copy(data[off:], p)
	return data
}

func (n *inode) WriteAt(p []byte, off int64) (int, error) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	err := n.disk.op()
	if errors.Is(err, syscall.ENOSPC) {
		p = p[:len(p)/2] // a full disk takes what it can
	} else if err != nil {
		return 0, err
	}
	const sector = 512
	for start := int64(0); start < int64(len(p)); {
		end := min(int64(len(p)), (off+start)/sector*sector+sector-off)
		piece, at := slices.Clone(p[start:end]), off+start
		n.pending = append(n.pending, func(data []byte) []byte { return writeTo(data, piece, at) })
		start = end
	}
	n.data = writeTo(n.data, p, off)
	return len(p), err
}

func (n *inode) truncate(size int64) error {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if err := n.disk.op(); err != nil {
		return err
	}
	cut := func(data []byte) []byte { return slices.Clone(data[:min(size, int64(len(data)))]) }
	n.data = cut(n.data)
	n.pending = append(n.pending, cut)
	return nil
}

func (n *inode) sync() error {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	if err := n.disk.op(); err != nil {
		return err
	}
	n.durable, n.pending = slices.Clone(n.data), nil
	return nil
}

func (n *inode) size() (int64, error) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	return int64(len(n.data)), nil
}

func (*inode) Close() error { return nil }

func (d *faulty) String() string { return fmt.Sprintf("%d operations, cut at %d", d.ops, d.cutAt) }
