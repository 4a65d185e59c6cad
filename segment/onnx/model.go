package onnx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"sync"
	"unsafe"
)

const (
	floats = 1 // ONNX_TENSOR_ELEMENT_DATA_TYPE_FLOAT
	ints   = 7 // …INT64

	mostBytes    = 2 << 30 // of a model: more cannot be one file
	mostElements = 1 << 27 // of a tensor
	mostRank     = 16
	mostPorts    = 256 // inputs or outputs of a model
)

// A Tensor is an array of numbers in row-major order.
type Tensor struct {
	// Shape are its dimensions, the slowest first.
	Shape []int64
	// Data are its elements: as many as the product of the dimensions.
	Data []float32
}

// A Port is an input or an output of a model.
type Port struct {
	Name string
	// Shape are its dimensions; -1 is one that the caller chooses.
	Shape []int64
	kind  int32
}

// A Model is a neural network that was loaded. It may be used from many goroutines at
// once.
type Model struct {
	// Inputs and Outputs are what it takes and gives.
	Inputs, Outputs []Port

	rt      *Runtime
	mu      sync.RWMutex // held for reading while it runs
	session unsafe.Pointer
}

// Load loads a model from a file of at most 2 GB that holds all its weights. Threads is how
// many it runs on; 0 is as many as there are cores.
func (r *Runtime) Load(path string, threads int) (*Model, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > mostBytes {
		return nil, fmt.Errorf("onnx: %s is no file of at most 2 GB", path)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	defer func() { _ = f.Close() }()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes))
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	m, err := r.LoadBytes(data, threads)
	if err != nil {
		return nil, fmt.Errorf("%w (%s)", err, path)
	}
	return m, nil
}

// LoadBytes loads a model that is in memory.
func (r *Runtime) LoadBytes(model []byte, threads int) (*Model, error) {
	if len(model) == 0 {
		return nil, errors.New("onnx: the model is empty")
	}
	var options unsafe.Pointer
	err := r.check(r.api.createOptions(&options))
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	defer r.api.releaseOptions(options)
	if err := r.check(r.api.setThreads(options, int32(max(0, min(threads, 1024))))); err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	m := &Model{rt: r}
	err = r.check(r.api.createSession(r.env, unsafe.Pointer(unsafe.SliceData(model)), uintptr(len(model)), options, &m.session))
	runtime.KeepAlive(model)
	if err != nil {
		return nil, fmt.Errorf("onnx: the model cannot be loaded: %w", err)
	}
	if m.Inputs, err = m.ports(r.api.inputCount, r.api.inputName, r.api.inputType); err == nil {
		m.Outputs, err = m.ports(r.api.outputCount, r.api.outputName, r.api.outputType)
	}
	if err != nil {
		m.Close()
		return nil, fmt.Errorf("onnx: the model cannot be used: %w", err)
	}
	return m, nil
}

// Close releases the model. It waits for runs to end; later ones fail.
func (m *Model) Close() {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.session != nil {
		m.rt.api.releaseSession(m.session)
		m.session = nil
	}
}

// ports reads what a model takes or gives.
func (m *Model) ports(
	count func(unsafe.Pointer, *uintptr) unsafe.Pointer,
	name func(unsafe.Pointer, uintptr, unsafe.Pointer, *unsafe.Pointer) unsafe.Pointer,
	kind func(unsafe.Pointer, uintptr, *unsafe.Pointer) unsafe.Pointer,
) ([]Port, error) {
	var n uintptr
	if err := m.rt.check(count(m.session, &n)); err != nil {
		return nil, err
	}
	if n > mostPorts {
		return nil, fmt.Errorf("it has %d inputs or outputs, more than %d", n, mostPorts)
	}
	ports := make([]Port, n)
	for i := range ports {
		var err error
		if ports[i].Name, err = m.portName(name, i); err != nil {
			return nil, err
		}
		var info unsafe.Pointer
		if err := m.rt.check(kind(m.session, uintptr(i), &info)); err != nil {
			return nil, err
		}
		var tensor unsafe.Pointer
		if err = m.rt.check(m.rt.api.asTensorInfo(info, &tensor)); err == nil && tensor == nil {
			err = fmt.Errorf("%q is no tensor", ports[i].Name)
		}
		if err == nil {
			ports[i].Shape, ports[i].kind, err = m.rt.shape(tensor)
		}
		m.rt.api.releaseTypeInfo(info)
		if err != nil {
			return nil, err
		}
	}
	return ports, nil
}

func (m *Model) portName(name func(unsafe.Pointer, uintptr, unsafe.Pointer, *unsafe.Pointer) unsafe.Pointer, i int) (string, error) {
	var allocator, text unsafe.Pointer
	if err := m.rt.check(m.rt.api.allocator(&allocator)); err != nil {
		return "", err
	}
	if err := m.rt.check(name(m.session, uintptr(i), allocator, &text)); err != nil {
		return "", err
	}
	defer func() { _ = m.rt.check(m.rt.api.free(allocator, text)) }()
	return goString(text), nil
}

// goString copies a text that ends with a zero byte.
func goString(text unsafe.Pointer) string {
	const most = 1 << 16
	n := 0
	for n < most && *(*byte)(unsafe.Add(text, n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(text), n))
}

// shape reads the dimensions and the element type of a tensor.
func (r *Runtime) shape(tensor unsafe.Pointer) (shape []int64, kind int32, err error) {
	var rank uintptr
	if err = r.check(r.api.elementType(tensor, &kind)); err == nil {
		err = r.check(r.api.rank(tensor, &rank))
	}
	if err != nil {
		return nil, 0, err
	}
	if rank > mostRank {
		return nil, 0, fmt.Errorf("a tensor has %d dimensions, more than %d", rank, mostRank)
	}
	shape = make([]int64, rank)
	if rank > 0 {
		err = r.check(r.api.dimensions(tensor, unsafe.Pointer(&shape[0]), rank))
	}
	return shape, kind, err
}

// Run runs the model and gives the outputs that are named, or all. Inputs that the model
// wants as 64-bit integers are rounded to them. It stops when the context ends.
func (m *Model) Run(ctx context.Context, inputs map[string]Tensor, outputs ...string) (map[string]Tensor, error) {
	m.mu.RLock()
	defer m.mu.RUnlock()
	if m.session == nil {
		return nil, errors.New("onnx: the model was closed")
	}
	if len(outputs) == 0 {
		for _, p := range m.Outputs {
			outputs = append(outputs, p.Name)
		}
	}
	results, err := m.run(ctx, inputs, outputs)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	return results, nil
}

func (m *Model) run(ctx context.Context, inputs map[string]Tensor, outputs []string) (map[string]Tensor, error) {
	c := call{rt: m.rt}
	defer c.release()
	for _, p := range m.Inputs {
		t, ok := inputs[p.Name]
		if !ok {
			return nil, fmt.Errorf("the input %q is missing", p.Name)
		}
		if err := c.add(p, t); err != nil {
			return nil, err
		}
	}
	for _, name := range outputs {
		if !slices.ContainsFunc(m.Outputs, func(p Port) bool { return p.Name == name }) {
			return nil, fmt.Errorf("the model gives no %q", name)
		}
		c.wanted = append(c.wanted, c.text(name))
	}
	if err := c.run(ctx, m.session); err != nil {
		return nil, err
	}
	results := map[string]Tensor{}
	for i, name := range outputs {
		t, err := m.rt.tensor(c.results[i])
		if err != nil {
			return nil, fmt.Errorf("the output %q: %w", name, err)
		}
		results[name] = t
	}
	return results, nil
}

// call is one run of a model: what the runtime is given, which stays where it is in memory
// until it is released.
type call struct {
	rt      *Runtime
	pinned  runtime.Pinner
	names   []unsafe.Pointer
	values  []unsafe.Pointer
	wanted  []unsafe.Pointer
	results []unsafe.Pointer
}

// text pins a name, ended by a zero byte.
func (c *call) text(name string) unsafe.Pointer {
	text := append([]byte(name), 0)
	c.pinned.Pin(&text[0])
	return unsafe.Pointer(&text[0])
}

// add gives the run an input.
func (c *call) add(p Port, t Tensor) error {
	n := int64(1)
	for _, d := range t.Shape {
		if d < 0 || d > mostElements || n*max(d, 1) > mostElements {
			return fmt.Errorf("the input %q has the shape %v: at most %d elements can be", p.Name, t.Shape, mostElements)
		}
		n *= d
	}
	if n != int64(len(t.Data)) || n == 0 {
		return fmt.Errorf("the input %q has %d elements for the shape %v", p.Name, len(t.Data), t.Shape)
	}
	var data unsafe.Pointer
	size := uintptr(4)
	switch p.kind {
	case floats:
		data = unsafe.Pointer(&t.Data[0])
	case ints:
		whole := make([]int64, n)
		for i, v := range t.Data {
			whole[i] = int64(v)
		}
		data, size = unsafe.Pointer(&whole[0]), 8
	default:
		return fmt.Errorf("the input %q has elements of type %d: only floats of 32 and integers of 64 bits can be given", p.Name, p.kind)
	}
	c.pinned.Pin(data)
	var shape unsafe.Pointer
	if len(t.Shape) > 0 {
		shape = unsafe.Pointer(&t.Shape[0])
		c.pinned.Pin(shape)
	}
	const arena, normal = 0, 0
	var memory, value unsafe.Pointer
	err := c.rt.check(c.rt.api.createMemory(arena, normal, &memory))
	if err != nil {
		return err
	}
	defer c.rt.api.releaseMemory(memory)
	if err := c.rt.check(c.rt.api.createTensor(memory, data, uintptr(n)*size, shape, uintptr(len(t.Shape)), p.kind, &value)); err != nil {
		return fmt.Errorf("the input %q: %w", p.Name, err)
	}
	c.names, c.values = append(c.names, c.text(p.Name)), append(c.values, value)
	return nil
}

// run runs the model; the results are the caller's to release.
func (c *call) run(ctx context.Context, session unsafe.Pointer) error {
	if len(c.names) == 0 || len(c.wanted) == 0 {
		return errors.New("a model without inputs or outputs cannot be run")
	}
	c.results = make([]unsafe.Pointer, len(c.wanted))
	var options unsafe.Pointer
	if err := c.rt.check(c.rt.api.createRun(&options)); err != nil {
		return err
	}
	// The options live until the goroutine that may end the run has ended itself.
	ended, watched := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(watched)
		select {
		case <-ctx.Done():
			_ = c.rt.check(c.rt.api.terminate(options))
		case <-ended:
		}
	}()
	defer func() {
		close(ended)
		<-watched
		c.rt.api.releaseRun(options)
	}()
	return c.rt.check(c.rt.api.run(
		session, options, unsafe.Pointer(&c.names[0]), unsafe.Pointer(&c.values[0]), uintptr(len(c.names)),
		unsafe.Pointer(&c.wanted[0]), uintptr(len(c.wanted)), unsafe.Pointer(&c.results[0]),
	))
}

func (c *call) release() {
	for _, v := range slices.Concat(c.values, c.results) {
		if v != nil {
			c.rt.api.releaseValue(v)
		}
	}
	c.pinned.Unpin()
}

// tensor copies a value of the runtime.
func (r *Runtime) tensor(value unsafe.Pointer) (t Tensor, err error) {
	var is int32
	if err := r.check(r.api.isTensor(value, &is)); err != nil {
		return t, err
	}
	if is == 0 {
		return t, errors.New("it is no tensor")
	}
	var info, data unsafe.Pointer
	if err := r.check(r.api.typeAndShape(value, &info)); err != nil {
		return t, err
	}
	defer r.api.releaseTensor(info)
	shape, kind, err := r.shape(info)
	if err != nil {
		return t, err
	}
	n := int64(1)
	for _, d := range shape {
		if n *= d; n < 0 || n > mostElements {
			return t, fmt.Errorf("it has the shape %v, of more than %d elements", shape, mostElements)
		}
	}
	if kind != floats {
		return t, fmt.Errorf("it has elements of type %d: floats of 32 bits are read", kind)
	}
	if err := r.check(r.api.tensorData(value, &data)); err != nil {
		return t, err
	}
	t.Shape = shape
	if n > 0 {
		t.Data = slices.Clone(unsafe.Slice((*float32)(data), n))
	}
	return t, nil
}
