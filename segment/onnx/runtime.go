package onnx

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
	"unsafe"

	"github.com/ebitengine/purego"
)

// A Runtime is an ONNX Runtime that was loaded. It stays loaded while the program runs
// and may be used from many goroutines at once.
type Runtime struct {
	api     api
	env     unsafe.Pointer
	version string
}

// apiVersion is the version of the C interface that is asked for, that of ONNX Runtime
// 1.12. Every newer runtime has it.
const apiVersion = 12

// api holds the functions of the C interface (OrtApi) that are called. A status of nil is
// success.
type api struct {
	errorMessage    func(status unsafe.Pointer) string
	createEnv       func(level int32, name string, env *unsafe.Pointer) (status unsafe.Pointer)
	createSession   func(env unsafe.Pointer, model unsafe.Pointer, size uintptr, options unsafe.Pointer, session *unsafe.Pointer) (status unsafe.Pointer)
	run             func(session, options unsafe.Pointer, inputs, values unsafe.Pointer, count uintptr, outputs unsafe.Pointer, wanted uintptr, results unsafe.Pointer) (status unsafe.Pointer)
	createOptions   func(options *unsafe.Pointer) (status unsafe.Pointer)
	setThreads      func(options unsafe.Pointer, threads int32) (status unsafe.Pointer)
	inputCount      func(session unsafe.Pointer, count *uintptr) (status unsafe.Pointer)
	outputCount     func(session unsafe.Pointer, count *uintptr) (status unsafe.Pointer)
	inputType       func(session unsafe.Pointer, index uintptr, info *unsafe.Pointer) (status unsafe.Pointer)
	outputType      func(session unsafe.Pointer, index uintptr, info *unsafe.Pointer) (status unsafe.Pointer)
	inputName       func(session unsafe.Pointer, index uintptr, allocator unsafe.Pointer, name *unsafe.Pointer) (status unsafe.Pointer)
	outputName      func(session unsafe.Pointer, index uintptr, allocator unsafe.Pointer, name *unsafe.Pointer) (status unsafe.Pointer)
	createRun       func(options *unsafe.Pointer) (status unsafe.Pointer)
	terminate       func(options unsafe.Pointer) (status unsafe.Pointer)
	createTensor    func(memory unsafe.Pointer, data unsafe.Pointer, bytes uintptr, shape unsafe.Pointer, rank uintptr, kind int32, value *unsafe.Pointer) (status unsafe.Pointer)
	isTensor        func(value unsafe.Pointer, is *int32) (status unsafe.Pointer)
	tensorData      func(value unsafe.Pointer, data *unsafe.Pointer) (status unsafe.Pointer)
	asTensorInfo    func(info unsafe.Pointer, tensor *unsafe.Pointer) (status unsafe.Pointer)
	elementType     func(tensor unsafe.Pointer, kind *int32) (status unsafe.Pointer)
	rank            func(tensor unsafe.Pointer, rank *uintptr) (status unsafe.Pointer)
	dimensions      func(tensor unsafe.Pointer, shape unsafe.Pointer, rank uintptr) (status unsafe.Pointer)
	typeAndShape    func(value unsafe.Pointer, tensor *unsafe.Pointer) (status unsafe.Pointer)
	createMemory    func(allocator, kind int32, memory *unsafe.Pointer) (status unsafe.Pointer)
	free            func(allocator, p unsafe.Pointer) (status unsafe.Pointer)
	allocator       func(allocator *unsafe.Pointer) (status unsafe.Pointer)
	releaseStatus   func(status unsafe.Pointer)
	releaseMemory   func(memory unsafe.Pointer)
	releaseSession  func(session unsafe.Pointer)
	releaseValue    func(value unsafe.Pointer)
	releaseRun      func(options unsafe.Pointer)
	releaseTypeInfo func(info unsafe.Pointer)
	releaseTensor   func(tensor unsafe.Pointer)
	releaseOptions  func(options unsafe.Pointer)
}

// apiSize is how many functions of the interface there are up to the last that is called.
const apiSize = 101

// bind finds the functions in the interface's table. Their places never change.
func (a *api) bind(table *[apiSize]uintptr) {
	for place, f := range map[int]any{
		2: &a.errorMessage, 3: &a.createEnv, 8: &a.createSession, 9: &a.run, 10: &a.createOptions, 24: &a.setThreads,
		30: &a.inputCount, 31: &a.outputCount, 33: &a.inputType, 34: &a.outputType, 36: &a.inputName, 37: &a.outputName,
		39: &a.createRun, 46: &a.terminate, 49: &a.createTensor, 50: &a.isTensor, 51: &a.tensorData, 55: &a.asTensorInfo,
		60: &a.elementType, 61: &a.rank, 62: &a.dimensions, 65: &a.typeAndShape, 69: &a.createMemory, 76: &a.free,
		78: &a.allocator, 93: &a.releaseStatus, 94: &a.releaseMemory, 95: &a.releaseSession, 96: &a.releaseValue,
		97: &a.releaseRun, 98: &a.releaseTypeInfo, 99: &a.releaseTensor, 100: &a.releaseOptions,
	} {
		purego.RegisterFunc(f, table[place])
	}
}

// apiBase is what the library's one exported function gives (OrtApiBase).
type apiBase struct{ get, version uintptr }

// opened are the runtimes by the paths of their libraries: a library has one environment.
var opened = struct {
	sync.Mutex
	byPath map[string]*Runtime
}{byPath: map[string]*Runtime{}}

// Open loads an ONNX Runtime from its shared library: libonnxruntime.so, .dylib or
// onnxruntime.dll. Without a path it is the one that the environment variable
// ONNXRUNTIME_LIBRARY names, or that the system finds by name. The same path again gives
// the same runtime.
func Open(path string) (*Runtime, error) {
	path = cmp.Or(path, os.Getenv("ONNXRUNTIME_LIBRARY"), libraryName())
	opened.Lock()
	defer opened.Unlock()
	if r := opened.byPath[path]; r != nil {
		return r, nil
	}
	r, err := open(path)
	if err != nil {
		return nil, fmt.Errorf("onnx: %w", err)
	}
	opened.byPath[path] = r
	return r, nil
}

func libraryName() string {
	switch runtime.GOOS {
	case "windows":
		return "onnxruntime.dll"
	case "darwin":
		return "libonnxruntime.dylib"
	}
	return "libonnxruntime.so.1"
}

func open(path string) (*Runtime, error) {
	entry, err := loadSymbol(path, "OrtGetApiBase")
	if err != nil {
		return nil, fmt.Errorf("%w; install ONNX Runtime, and name its library by ONNXRUNTIME_LIBRARY", err)
	}
	var base func() *apiBase
	purego.RegisterFunc(&base, entry)
	var version func() string
	var get func(version uint32) *[apiSize]uintptr
	found := base()
	purego.RegisterFunc(&version, found.version)
	purego.RegisterFunc(&get, found.get)
	table := get(apiVersion)
	if table == nil {
		return nil, fmt.Errorf("%s is ONNX Runtime %s: 1.%d or newer is needed", path, version(), apiVersion)
	}
	r := &Runtime{version: version()}
	r.api.bind(table)
	const onlyErrors = 3
	if err := r.check(r.api.createEnv(onlyErrors, "chemigram", &r.env)); err != nil {
		return nil, err
	}
	return r, nil
}

// Version is that of the runtime, such as 1.22.0.
func (r *Runtime) Version() string { return r.version }

// check gives the error of a status.
func (r *Runtime) check(status unsafe.Pointer) error {
	if status == nil {
		return nil
	}
	defer r.api.releaseStatus(status)
	return errors.New(r.api.errorMessage(status))
}
