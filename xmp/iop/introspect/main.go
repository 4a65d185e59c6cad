// Introspect reads what an installed darktable says about its modules and
// writes a release file, from which iopgen makes the embedded tables:
//
//	go -C xmp/iop/introspect run . -lib /usr/lib/x86_64-linux-gnu/darktable > ../internal/iopgen/releases/5.6.0.json
//
// darktable's modules export the layout of their parameters, and its library
// exports the pipeline orders; nothing is guessed and no image is opened. It
// needs Linux or macOS, no C compiler, and a darktable for the same machine. A
// darktable with a C library of its own (scripts/darktable-5.4 makes one) is
// read by a built introspect that is started through that folder's loader.
//
// It is a development tool with a go.mod of its own; the library does not
// depend on it.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ebitengine/purego"

	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

func main() {
	lib := flag.String("lib", "/usr/lib/x86_64-linux-gnu/darktable", "folder with libdarktable.so and plugins")
	flag.Parse()
	if err := run(*lib, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "introspect:", err)
		os.Exit(1)
	}
}

func run(dir string, w io.Writer) error {
	core, err := purego.Dlopen(filepath.Join(dir, "libdarktable.so"), purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return err
	}
	f, err := readCore(core)
	if err != nil {
		return err
	}
	plugins, err := filepath.Glob(filepath.Join(dir, "plugins", "lib*.so"))
	if err != nil {
		return err
	}
	f.Modules = map[string]release.Module{}
	for _, path := range plugins {
		op := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "lib"), ".so")
		m, err := readModule(path)
		if err != nil {
			return fmt.Errorf("%s: %w", op, err)
		}
		f.Modules[op] = m
	}
	return f.Write(w)
}

// readCore reads the version, the blend version, the orders and the rules.
func readCore(lib uintptr) (*release.File, error) {
	pkg, err := purego.Dlsym(lib, "darktable_package_version")
	if err != nil {
		return nil, err
	}
	var blendVersion func() int32
	var order func(version int32) ptr
	var orderName func(version int32) string
	var rules func() ptr
	purego.RegisterLibFunc(&blendVersion, lib, "dt_develop_blend_version")
	purego.RegisterLibFunc(&order, lib, "dt_ioppr_get_iop_order_list_version")
	purego.RegisterLibFunc(&orderName, lib, "dt_iop_order_string")
	purego.RegisterLibFunc(&rules, lib, "dt_ioppr_get_iop_order_rules")
	var serialize func(list ptr) string
	purego.RegisterLibFunc(&serialize, lib, "dt_ioppr_serialize_text_iop_order_list")

	f := &release.File{
		Darktable:    ptr(pkg).text(),
		BlendVersion: int(blendVersion()),
		Orders:       map[string]release.Order{},
		Rules:        [][2]string{},
	}
	for n := int32(1); ; n++ {
		list := order(n)
		if list == 0 {
			break
		}
		var ops []string
		for i, word := range strings.Split(serialize(list), ",") {
			if i%2 == 0 {
				ops = append(ops, word)
			}
		}
		f.Orders[strconv.Itoa(int(n))] = release.Order{Name: orderName(n), Operations: ops}
	}
	// A rule is two char[20].
	for data := range rules().list {
		f.Rules = append(f.Rules, [2]string{data.text(), (data + 20).text()})
	}
	return f, nil
}

func readModule(path string) (m release.Module, err error) {
	lib, err := purego.Dlopen(path, purego.RTLD_NOW|purego.RTLD_LOCAL)
	if err != nil {
		return m, err
	}
	var modversion, flags func() int32
	var name func() string
	purego.RegisterLibFunc(&modversion, lib, "dt_module_mod_version")
	purego.RegisterLibFunc(&name, lib, "name")
	m.Name, m.Modversion = name(), int(modversion())
	if _, err := purego.Dlsym(lib, "flags"); err == nil {
		purego.RegisterLibFunc(&flags, lib, "flags")
		m.Flags = int(flags())
	}
	if _, err := purego.Dlsym(lib, "get_introspection"); err != nil {
		return m, nil // it has none
	}
	var get func() ptr
	var start func(module ptr, api int32) int32
	purego.RegisterLibFunc(&get, lib, "get_introspection")
	purego.RegisterLibFunc(&start, lib, "introspection_init")
	info := get()
	if start(0, info.int32()) != 0 {
		return m, fmt.Errorf("introspection of API version %d cannot be started", info.int32())
	}
	m.Params = int((info + 16).word())
	m.Fields, err = members((info + 24).ptr())
	return m, err
}
