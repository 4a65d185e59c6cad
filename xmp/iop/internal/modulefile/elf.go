package modulefile

import (
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// loadELF gives the image of a shared library of Linux or a BSD, relocated to 0.
func loadELF(r io.ReaderAt) (*image, error) {
	f, err := elf.NewFile(r)
	if err != nil {
		return nil, err
	}
	if f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB || f.Type != elf.ET_DYN {
		return nil, errors.New("it is no library for a 64-bit machine whose low bytes come first")
	}
	m := &image{symbols: map[string]symbol{}}
	switch f.Machine {
	case elf.EM_X86_64:
		m.processor, m.arguments = amd64, argumentsAMD64
	case elf.EM_AARCH64:
		m.processor, m.arguments = arm64, argumentsARM64
	default:
		return nil, fmt.Errorf("it is for a machine that is not known (%v)", f.Machine)
	}
	var parts []part
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			parts = append(parts, part{p, p.Vaddr, p.Memsz, p.Filesz})
		}
	}
	if err := m.place(parts); err != nil {
		return nil, err
	}
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if s.Section != elf.SHN_UNDEF && s.Size > 0 {
			m.symbols[s.Name] = symbol{s.Value, s.Size}
		}
	}
	if err := m.relocateELF(f, symbols); err != nil {
		return nil, err
	}
	return m, nil
}

// relocateELF fills in the addresses that the file's loader does. Packed relative ones
// (RELR) need nothing: they add the library's start, which is 0, to what is in place.
func (m *image) relocateELF(f *elf.File, symbols []elf.Symbol) error {
	for _, s := range f.Sections {
		if s.Type != elf.SHT_RELA || s.Flags&elf.SHF_ALLOC == 0 {
			continue
		}
		if s.Size > mostMemory {
			return fmt.Errorf("its section %s has %d bytes", s.Name, s.Size)
		}
		data, err := s.Data()
		if err != nil {
			return err
		}
		if err := m.relocate(f.Machine, data, symbols); err != nil {
			return err
		}
	}
	return nil
}

// relocate applies entries of (where, what, addend).
func (m *image) relocate(machine elf.Machine, entries []byte, symbols []elf.Symbol) error {
	for ; len(entries) >= 24; entries = entries[24:] {
		where := binary.LittleEndian.Uint64(entries)
		info := binary.LittleEndian.Uint64(entries[8:])
		value := binary.LittleEndian.Uint64(entries[16:])
		switch kind := uint32(info); {
		case machine == elf.EM_X86_64 && kind == uint32(elf.R_X86_64_RELATIVE),
			machine == elf.EM_AARCH64 && kind == uint32(elf.R_AARCH64_RELATIVE):
		case machine == elf.EM_X86_64 && (kind == uint32(elf.R_X86_64_64) || kind == uint32(elf.R_X86_64_GLOB_DAT)),
			machine == elf.EM_AARCH64 && (kind == uint32(elf.R_AARCH64_ABS64) || kind == uint32(elf.R_AARCH64_GLOB_DAT)):
			i := info >> 32 // from 1; the package leaves out the empty symbol 0
			if i == 0 || i > uint64(len(symbols)) || symbols[i-1].Section == elf.SHN_UNDEF {
				continue // it lies in another library
			}
			value += symbols[i-1].Value
		default:
			continue // of functions in other libraries
		}
		if err := m.put(where, value); err != nil {
			return err
		}
	}
	return nil
}
