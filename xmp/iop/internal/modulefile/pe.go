package modulefile

import (
	"bytes"
	"debug/pe"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// loadPE gives the image of a library of Windows, where it asks to lie: nothing is to be
// relocated then.
func loadPE(r io.ReaderAt) (*image, error) {
	f, err := pe.NewFile(r)
	if err != nil {
		return nil, err
	}
	header, ok := f.OptionalHeader.(*pe.OptionalHeader64)
	if !ok {
		return nil, errors.New("it is no library for a 64-bit machine")
	}
	m := &image{base: header.ImageBase, symbols: map[string]symbol{}}
	switch f.Machine {
	case pe.IMAGE_FILE_MACHINE_AMD64:
		m.processor, m.arguments = amd64, argumentsWindows
	case pe.IMAGE_FILE_MACHINE_ARM64:
		m.processor, m.arguments = arm64, argumentsARM64
	default:
		return nil, fmt.Errorf("it is for a machine that is not known (%#x)", f.Machine)
	}
	var parts []part
	for _, s := range f.Sections {
		parts = append(parts, part{s, uint64(s.VirtualAddress), uint64(s.VirtualSize), uint64(min(s.Size, s.VirtualSize))})
	}
	if err := m.place(parts); err != nil {
		return nil, err
	}
	if err := m.readExports(header.DataDirectory[pe.IMAGE_DIRECTORY_ENTRY_EXPORT]); err != nil {
		return nil, err
	}
	return m, nil
}

// mostExports bounds the names that a library offers: darktable's own has 5,000.
const mostExports = 1 << 16

// readExports reads the table of what a library of Windows offers: the addresses of
// functions, names, and for each name which of the functions it is.
func (m *image) readExports(table pe.DataDirectory) error {
	if table.Size == 0 {
		return nil
	}
	head, err := m.at(m.base+uint64(table.VirtualAddress), 40)
	if err != nil {
		return err
	}
	field := func(at int) uint32 { return binary.LittleEndian.Uint32(head[at:]) }
	functions, count := field(28), field(24)
	if count > mostExports {
		return fmt.Errorf("it offers %d names", count)
	}
	names, err := m.at(m.base+uint64(field(32)), 4*int(count))
	if err != nil {
		return err
	}
	ordinals, err := m.at(m.base+uint64(field(36)), 2*int(count))
	if err != nil {
		return err
	}
	for i := range int(count) {
		name, err := m.name(uint64(binary.LittleEndian.Uint32(names[4*i:])))
		if err != nil {
			return err
		}
		ordinal := binary.LittleEndian.Uint16(ordinals[2*i:])
		addr, err := m.at(m.base+uint64(functions)+4*uint64(ordinal), 4)
		if err != nil {
			return err
		}
		m.symbols[name] = symbol{addr: m.base + uint64(binary.LittleEndian.Uint32(addr))}
	}
	return nil
}

// name is the name at an offset in the image.
func (m *image) name(offset uint64) (string, error) {
	const longest = 512
	from, err := m.at(m.base+offset, 0)
	if err != nil {
		return "", err
	}
	from = from[:min(cap(from), longest)]
	name, _, ok := bytes.Cut(from, []byte{0})
	if !ok {
		return "", errors.New("it offers a name that does not end")
	}
	return string(name), nil
}
