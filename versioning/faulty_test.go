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

	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// faulty is a disk that keeps what a real one keeps when the power goes: what
// was synced. It remembers what was done to it, so that the power can be cut
// anywhere later; and for a while it can fail.
type faulty struct {
	mu      sync.Mutex
	begin   map[string][]byte // what was synced before the first operation
	log     []diskOp
	ops     int // operations so far, those that failed too
	failAt  int // the first operation that fails; 0 none
	failFor int
	failure error

	nodes   []*inode
	names   map[string]*inode // as the program sees them
	durable map[string]*inode // as they were when their folder was synced last
	pending []diskOp          // changes of names since
	locked  bool
}

// diskOp is an operation that changes something.
type diskOp struct {
	do       string // create, rename, remove, syncFolder, write, truncate, sync
	name, to string
	node     int
	offset   int64
	data     []byte
}

type inode struct {
	disk    *faulty
	number  int
	data    []byte // as the program sees it
	durable []byte
	pending []diskOp
}

func newFaulty() *faulty {
	return &faulty{names: map[string]*inode{}, durable: map[string]*inode{}}
}

// synced makes a disk with files that were synced.
func synced(files map[string][]byte) *faulty {
	d := newFaulty()
	d.begin = files
	for _, name := range slices.Sorted(maps.Keys(files)) {
		n := &inode{disk: d, number: len(d.nodes), data: slices.Clone(files[name]), durable: slices.Clone(files[name])}
		d.nodes, d.names[name] = append(d.nodes, n), n
	}
	d.durable = maps.Clone(d.names)
	return d
}

// do does an operation, unless the disk fails.
func (d *faulty) do(op diskOp) error {
	d.ops++
	var err error
	if d.failAt > 0 && d.ops >= d.failAt && d.ops < d.failAt+d.failFor {
		err = d.failure
		if op.do != "write" || !errors.Is(err, syscall.ENOSPC) {
			return err
		}
		op.data = op.data[:len(op.data)/2] // a full disk takes what it can
	}
	d.log = append(d.log, op)
	d.apply(op)
	return err
}

func (d *faulty) apply(op diskOp) {
	switch op.do {
	case "create", "rename", "remove":
		if op.do == "create" {
			d.nodes = append(d.nodes, &inode{disk: d, number: len(d.nodes)})
		}
		d.changeNames(d.names, op)
		d.pending = append(d.pending, op)
	case "syncFolder":
		d.pending = slices.DeleteFunc(d.pending, func(p diskOp) bool {
			if path.Dir(p.name) != op.name {
				return false
			}
			d.changeNames(d.durable, p)
			return true
		})
	case "write":
		n := d.nodes[op.node]
		n.data = op.change(n.data)
		const sector = 512
		for start := int64(0); start < int64(len(op.data)); {
			end := min(int64(len(op.data)), (op.offset+start)/sector*sector+sector-op.offset)
			n.pending = append(n.pending, diskOp{do: "write", offset: op.offset + start, data: op.data[start:end]})
			start = end
		}
	case "truncate":
		n := d.nodes[op.node]
		n.data = op.change(n.data)
		n.pending = append(n.pending, op)
	case "sync":
		n := d.nodes[op.node]
		n.durable, n.pending = slices.Clone(n.data), nil
	}
}

func (d *faulty) changeNames(names map[string]*inode, op diskOp) {
	switch op.do {
	case "create":
		names[op.name] = d.nodes[op.node]
	case "rename":
		if n, ok := names[op.name]; ok {
			names[op.to] = n
			delete(names, op.name)
		}
	case "remove":
		delete(names, op.name)
	}
}

// change returns a file's bytes after a write or a truncate.
func (op diskOp) change(data []byte) []byte {
	if op.do == "truncate" {
		return slices.Clone(data[:min(op.offset, int64(len(data)))])
	}
	if gap := op.offset + int64(len(op.data)) - int64(len(data)); gap > 0 {
		data = append(slices.Clip(data), make([]byte, gap)...)
	}
	copy(data[op.offset:], op.data)
	return data
}

// after returns the disk as it is when the power goes after some operations: of
// what was not synced, any part may be there, in any order, a sector of 512
// bytes being the least.
func (d *faulty) after(ops int, r *rand.Rand) *faulty {
	past := synced(d.begin)
	for _, op := range d.log[:ops] {
		past.apply(op)
	}
	names := maps.Clone(past.durable)
	for _, op := range past.pending {
		if r.IntN(2) == 0 {
			past.changeNames(names, op)
		}
	}
	now := newFaulty()
	for _, name := range slices.Sorted(maps.Keys(names)) {
		data := slices.Clone(names[name].durable)
		for _, op := range names[name].pending {
			if r.IntN(2) == 0 {
				data = op.change(data)
			}
		}
		n := &inode{disk: now, number: len(now.nodes), data: slices.Clone(data), durable: data}
		now.nodes = append(now.nodes, n)
		now.names[name] = n
	}
	now.durable = maps.Clone(now.names)
	return now
}

func (d *faulty) Open(name string, _ bool) (storage.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if n, ok := d.names[name]; ok {
		return n, nil
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (d *faulty) Create(name string) (storage.File, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	number := len(d.nodes)
	if err := d.do(diskOp{do: "create", name: name, node: number}); err != nil {
		return nil, err
	}
	return d.nodes[number], nil
}

func (d *faulty) Rename(from, to string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do(diskOp{do: "rename", name: from, to: to})
}

func (d *faulty) Remove(name string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if _, ok := d.names[name]; !ok {
		return fs.ErrNotExist
	}
	return d.do(diskOp{do: "remove", name: name})
}

func (d *faulty) List(dir string) ([]string, error) {
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

func (d *faulty) Sync(dir string) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.do(diskOp{do: "syncFolder", name: path.Clean(dir)})
}

func (d *faulty) TryLock(string, bool) (unlock func(), ok bool, err error) {
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

func (n *inode) WriteAt(p []byte, off int64) (int, error) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	return len(p), n.disk.do(diskOp{do: "write", node: n.number, offset: off, data: slices.Clone(p)})
}

func (n *inode) Truncate(size int64) error {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	return n.disk.do(diskOp{do: "truncate", node: n.number, offset: size})
}

func (n *inode) Sync() error {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	return n.disk.do(diskOp{do: "sync", node: n.number})
}

func (n *inode) Size() (int64, error) {
	n.disk.mu.Lock()
	defer n.disk.mu.Unlock()
	return int64(len(n.data)), nil
}

func (*inode) Close() error { return nil }

func (d *faulty) String() string {
	return fmt.Sprintf("%d operations, %d failing from %d on", d.ops, d.failFor, d.failAt)
}
