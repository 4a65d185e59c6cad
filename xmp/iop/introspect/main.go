// Introspect reads what an installed darktable says about its modules and
// writes a release file, from which iopgen makes the embedded tables:
//
//	go -C xmp/iop/introspect run . -lib /usr/lib/x86_64-linux-gnu/darktable
//	go generate ./xmp/iop
//
// darktable's modules export the layout of their parameters, and its library
// exports the pipeline orders; what a module's code presets is read from a module
// that darktable sets up without a picture. Nothing is guessed. It
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
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/ebitengine/purego"

	"github.com/chemigram/chemigram/xmp/iop/internal/introspection"
	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

func main() {
	lib := flag.String("lib", "/usr/lib/x86_64-linux-gnu/darktable", "folder with libdarktable.so and plugins")
	share := flag.String("share", "/usr/share/darktable", "folder of darktable's data files")
	out := flag.String("out", "../internal/iopgen/releases", "folder to write the release file into")
	flag.Parse()
	if err := run(*lib, *share, *out); err != nil {
		fmt.Fprintln(os.Stderr, "introspect:", err)
		os.Exit(1)
	}
}

func run(lib, share, out string) error {
	f, err := read(lib, share)
	if err != nil {
		return err
	}
	// (Not to stdout: darktable writes there too.)
	w, err := os.Create(filepath.Join(out, f.Darktable+".json"))
	if err != nil {
		return err
	}
	if err := f.Write(w); err != nil {
		w.Close()
		return err
	}
	return w.Close()
}

// read asks the darktable whose library lies in dir.
func read(dir, share string) (*release.File, error) {
	core, err := purego.Dlopen(filepath.Join(dir, "libdarktable.so"), purego.RTLD_NOW|purego.RTLD_GLOBAL)
	if err != nil {
		return nil, err
	}
	f, err := readCore(core)
	if err != nil {
		return nil, err
	}
	engine, err := start(core, dir, share)
	if err != nil {
		return nil, err
	}
	engine.describes = !strings.HasPrefix(f.Darktable, "3.4.")
	plugins, err := filepath.Glob(filepath.Join(dir, "plugins", "lib*.so"))
	if err != nil {
		return nil, err
	}
	f.Modules = map[string]release.Module{}
	for _, path := range plugins {
		op := strings.TrimSuffix(strings.TrimPrefix(filepath.Base(path), "lib"), ".so")
		m, err := readModule(path)
		if err == nil && m.Params > 0 {
			var params []byte
			if params, m.About, err = engine.setUp(path, op); err == nil {
				m.Preset = release.Preset(m.Fields, params)
			}
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", op, err)
		}
		f.Modules[op] = m
	}
	return f, nil
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
	said, err := introspection.Read(live{}, introspection.Addr(info))
	m.Params, m.Fields = said.Size, said.Fields
	return m, err
}
