package objectstest

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/chemigram/chemigram/objects"
)

// Faults say how often, 0 to 1, a request goes wrong, and how.
type Faults struct {
	LoseRequest float64       // nothing is done, and an error comes back
	LoseAnswer  float64       // it is done, and an error comes back
	Duplicate   float64       // an object is made twice; the second answer comes back
	Late        float64       // an error comes back, and the object is made later
	Delay       time.Duration // before a request, at most
	// IgnoreCreateOnly writes over what is there, as some imitations of S3 do.
	IgnoreCreateOnly bool
	// ClaimExists says that what it wrote over was there.
	ClaimExists bool
}

// Faulty is a store over a network that fails.
type Faulty struct {
	*Memory
	faults Faults

	mu     sync.Mutex
	random *rand.Rand
	late   sync.WaitGroup
}

// NewFaulty makes a store of a memory that fails by chance.
func NewFaulty(m *Memory, f Faults, seed uint64) *Faulty {
	return &Faulty{Memory: m, faults: f, random: rand.New(rand.NewPCG(seed, 0))}
}

// Settle waits until what comes late has come.
func (f *Faulty) Settle() { f.late.Wait() }

var errNetwork = errors.New("the connection broke")

func lost(op, name string) error {
	return &objects.Error{Op: op, Kind: objects.Unreachable, Name: name, Err: errNetwork}
}

// happens draws whether a fault happens.
func (f *Faulty) happens(chance float64) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.random.Float64() < chance
}

func (f *Faulty) delay() {
	if f.faults.Delay > 0 {
		f.mu.Lock()
		pause := time.Duration(f.random.Int64N(int64(f.faults.Delay)))
		f.mu.Unlock()
		<-time.After(pause)
	}
}

// Get opens an object, or fails.
func (f *Faulty) Get(ctx context.Context, name string) (io.ReadCloser, error) {
	f.delay()
	if f.happens(f.faults.LoseRequest) || f.happens(f.faults.LoseAnswer) {
		return nil, lost("Get", name)
	}
	return f.Memory.Get(ctx, name)
}

// Create makes an object, or fails, or both.
func (f *Faulty) Create(ctx context.Context, name string, content io.ReadSeeker) error {
	f.delay()
	_, _ = content.Seek(0, io.SeekStart)
	data, err := io.ReadAll(content)
	if err != nil {
		return err
	}
	there := f.Object(name) != nil
	if f.faults.IgnoreCreateOnly && there {
		f.Put(name, data)
		if f.faults.ClaimExists {
			return &objects.Error{Op: "Create", Kind: objects.Exists, Name: name}
		}
		return nil
	}
	create := func() error { return f.Memory.Create(ctx, name, bytes.NewReader(data)) }
	switch {
	case f.happens(f.faults.LoseRequest):
		return lost("Create", name)
	case f.happens(f.faults.Late):
		f.late.Go(func() {
			f.delay()
			_ = f.Memory.Create(context.WithoutCancel(ctx), name, bytes.NewReader(data))
		})
		return lost("Create", name)
	case f.happens(f.faults.Duplicate):
		_ = create()
	}
	err = create()
	if f.happens(f.faults.LoseAnswer) {
		return lost("Create", name)
	}
	return err
}

// List gives a page of the objects, or fails.
func (f *Faulty) List(ctx context.Context, prefix, page string) ([]objects.Object, string, error) {
	f.delay()
	if f.happens(f.faults.LoseRequest) {
		return nil, "", lost("List", prefix)
	}
	return f.Memory.List(ctx, prefix, page)
}
