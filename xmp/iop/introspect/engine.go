package main

import (
	"fmt"
	"os"
	"runtime"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/chemigram/chemigram/xmp/iop/internal/introspection"
)

// engine is a darktable without windows, started in this process.
type engine struct {
	loadPlugin func(so unsafe.Pointer, path, op string) int32
	loadModule func(module, so, develop unsafe.Pointer) int32
	describes  bool     // a description is an array of texts: not yet in 3.4
	kept       [][]byte // darktable holds pointers into them
}

// start starts darktable with folders of its own, and no database file.
func start(lib uintptr, dir, share string) (*engine, error) {
	scratch, err := os.MkdirTemp("", "introspect")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(scratch)
	e := &engine{}
	var argv []*byte
	for _, arg := range []string{
		"introspect", "--library", ":memory:", "--disable-opencl", "--datadir", share, "--moduledir", dir,
		"--configdir", scratch, "--cachedir", scratch, "--tmpdir", scratch, "--conf", "write_sidecar_files=never",
	} {
		text := append([]byte(arg), 0)
		e.kept = append(e.kept, text)
		argv = append(argv, &text[0])
	}
	argv = append(argv, nil)
	var pinner runtime.Pinner
	defer pinner.Unpin()
	for _, p := range argv {
		if p != nil {
			pinner.Pin(p)
		}
	}
	var begin func(argc int32, argv unsafe.Pointer, gui, data int32, lua unsafe.Pointer) int32
	purego.RegisterLibFunc(&begin, lib, "dt_init")
	purego.RegisterLibFunc(&e.loadPlugin, lib, "dt_iop_load_module_so")
	purego.RegisterLibFunc(&e.loadModule, lib, "dt_iop_load_module_by_so")
	if status := begin(int32(len(argv)-1), unsafe.Pointer(&argv[0]), 0, 1, nil); status != 0 {
		return nil, fmt.Errorf("darktable does not start (status %d)", status)
	}
	return e, nil
}

// setUp returns the parameters of a module that has not seen a picture, and the
// first text of its description.
func (e *engine) setUp(path, op string) (params []byte, about string, err error) {
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return nil, "", err
	}
	var get func() ptr
	purego.RegisterLibFunc(&get, lib, "get_introspection")
	info, err := introspection.Read(live{}, introspection.Addr(get()))
	if err != nil {
		return nil, "", err
	}

	// Nothing says how large darktable's dt_iop_module_so_t is: about 1 KB.
	so, module := make([]byte, 1<<16), make([]byte, info.ModuleSize+4096)
	e.kept = append(e.kept, so, module)
	if e.loadPlugin(unsafe.Pointer(&so[0]), path, op) != 0 {
		return nil, "", fmt.Errorf("darktable does not load the plugin")
	}
	if e.loadModule(unsafe.Pointer(&module[0]), unsafe.Pointer(&so[0]), nil) != 0 {
		return nil, "", fmt.Errorf("darktable does not set up the module")
	}
	start := *(*ptr)(unsafe.Pointer(&module[info.Defaults]))
	if start == 0 {
		return nil, "", fmt.Errorf("the module has no default parameters")
	}
	params = append(params, unsafe.Slice((*byte)(start.at()), info.Size)...)
	if _, err := purego.Dlsym(lib, "description"); err != nil || !e.describes {
		return params, "", nil
	}
	var describe func(module unsafe.Pointer) ptr
	purego.RegisterLibFunc(&describe, lib, "description")
	if lines := describe(unsafe.Pointer(&module[0])); lines != 0 {
		about = strings.Join(strings.Fields(lines.ptr().text()), " ")
	}
	return params, about, nil
}
