// Package modulefile reads what darktable's modules say of their parameters from their
// files, without running anything: the library is laid out as its loader would, and the
// few instructions that fill in its tables are followed.
package modulefile

import (
	"debug/elf"
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/xmp/iop/internal/introspection"
	"github.com/chemigram/chemigram/xmp/iop/internal/release"
)

const (
	// mostFile and mostMemory bound a library: the largest module has 0.6 MB.
	mostFile   = 16 << 20
	mostMemory = 32 << 20
	// mostCode bounds a function that is followed: the largest has 8 KB.
	mostCode = 1 << 20
)

// Read reads a module's file: its modversion, and where it has introspection, its
// fields. What its code alone knows is not in them: the description, and the defaults
// that are no field's own.
func Read(path string) (release.Module, error) {
	m, err := open(path)
	if err != nil {
		return release.Module{}, err
	}
	mod, err := m.module()
	return mod, inFile(path, err)
}

// BlendVersion reads the version of the blend parameters that darktable's own library,
// libdarktable, writes.
func BlendVersion(path string) (int, error) {
	m, err := open(path)
	if err != nil {
		return 0, err
	}
	v, err := m.constant("dt_develop_blend_version")
	return v, inFile(path, err)
}

// open gives the image of a library's file.
func open(path string) (*image, error) {
	file, info, err := regularfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	if info.Size() > mostFile {
		return nil, fmt.Errorf("%s has %d bytes: it is no module", path, info.Size())
	}
	m, err := loadLibrary(file)
	return m, inFile(path, err)
}

// inFile is an error with the file that it is of.
func inFile(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

// loadLibrary gives the image of a library of any system.
func loadLibrary(r io.ReaderAt) (*image, error) {
	var magic [4]byte
	if _, err := r.ReadAt(magic[:], 0); err != nil {
		return nil, errors.New("it is too short for a library")
	}
	switch {
	case string(magic[:]) == elf.ELFMAG:
		return loadELF(r)
	case string(magic[:2]) == "MZ":
		return loadPE(r)
	case binary.LittleEndian.Uint32(magic[:]) == macho.Magic64:
		return loadMachO(r)
	}
	return nil, errors.New("it is no library of Linux, macOS or Windows for a 64-bit machine")
}

// module reads what a library says of its module.
func (m *image) module() (mod release.Module, err error) {
	if mod.Modversion, err = m.constant("dt_module_mod_version"); err != nil {
		return mod, err
	}
	if mod.Name, err = m.text("name"); err != nil {
		return mod, err
	}
	if _, ok := m.symbols["flags"]; ok {
		if mod.Flags, err = m.constant("flags"); err != nil {
			return mod, err
		}
	}
	if _, ok := m.symbols["get_introspection"]; !ok {
		return mod, nil // it has none
	}
	if _, err := m.run("introspection_init"); err != nil {
		return mod, err
	}
	regs, err := m.run("get_introspection")
	if err != nil {
		return mod, err
	}
	if !regs.known[m.processor.result] {
		return mod, errors.New("get_introspection does not say where the tables are")
	}
	info, err := introspection.Read(m, introspection.Addr(regs.value[m.processor.result]))
	mod.Params, mod.Fields = info.Size, info.Fields
	return mod, err
}

// constant is what a function always returns.
func (m *image) constant(function string) (int, error) {
	regs, err := m.run(function)
	if err != nil {
		return 0, err
	}
	if !regs.known[m.processor.result] || regs.value[m.processor.result] > 1<<31 {
		return 0, fmt.Errorf("%s returns no constant", function)
	}
	return int(regs.value[m.processor.result]), nil
}

// text is what a function asks gettext to translate: the message alone, or behind the
// domain that it is from. Before the message there may be a context.
func (m *image) text(function string) (string, error) {
	regs, err := m.run(function)
	if err != nil {
		return "", err
	}
	argument := m.arguments[1]
	if !regs.known[argument] {
		argument = m.arguments[0]
	}
	if !regs.known[argument] {
		return "", nil
	}
	text, err := introspection.Text(m, introspection.Addr(regs.value[argument]))
	if _, message, ok := strings.Cut(text, "\x04"); ok {
		text = message
	}
	return text, err
}
