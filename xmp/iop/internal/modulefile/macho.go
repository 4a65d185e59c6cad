package modulefile

import (
	"debug/macho"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// loadMachO gives the image of a library of macOS for one processor, at the addresses
// that it is linked to.
func loadMachO(r io.ReaderAt) (*image, error) {
	f, err := macho.NewFile(r)
	if err != nil {
		return nil, err
	}
	m := &image{symbols: map[string]symbol{}}
	switch {
	case f.Magic != macho.Magic64 || f.ByteOrder != binary.LittleEndian:
		return nil, errors.New("it is no library for a 64-bit machine whose low bytes come first")
	case f.Cpu == macho.CpuAmd64:
		m.processor, m.arguments = amd64, argumentsAMD64
	case f.Cpu == macho.CpuArm64:
		m.processor, m.arguments = arm64, argumentsARM64
	default:
		return nil, fmt.Errorf("it is for a machine that is not known (%v)", f.Cpu)
	}
	var parts []part
	for _, load := range f.Loads {
		if s, ok := load.(*macho.Segment); ok {
			parts = append(parts, part{s, s.Addr, s.Memsz, s.Filesz})
		}
	}
	if err := m.place(parts); err != nil {
		return nil, err
	}
	if f.Symtab != nil {
		for _, s := range f.Symtab.Syms {
			if name, ok := strings.CutPrefix(s.Name, "_"); ok && s.Sect != 0 {
				m.symbols[name] = symbol{addr: s.Value}
			}
		}
	}
	if err := m.resolveChains(r, f, parts); err != nil {
		return nil, err
	}
	return m, nil
}

// chainedFixups is the load command of a file whose addresses lie in chains, each with
// the distance to the next (LC_DYLD_CHAINED_FIXUPS). In others they are in place.
const chainedFixups = 0x80000034

// resolveChains puts into place the addresses that lie in chains.
func (m *image) resolveChains(r io.ReaderAt, f *macho.File, parts []part) error {
	for _, load := range f.Loads {
		raw := load.Raw()
		if len(raw) < 16 || binary.LittleEndian.Uint32(raw) != chainedFixups {
			continue
		}
		offset, size := binary.LittleEndian.Uint32(raw[8:]), binary.LittleEndian.Uint32(raw[12:])
		if size > mostMemory {
			return fmt.Errorf("its chains have %d bytes", size)
		}
		data := make([]byte, size)
		if _, err := r.ReadAt(data, int64(offset)); err != nil {
			return fmt.Errorf("it is cut off: %w", err)
		}
		if err := m.resolve(data, parts); err != nil {
			return err
		}
	}
	return nil
}

// errChains is the error of chains that cannot be what they should.
var errChains = errors.New("its chains of addresses are damaged")

// resolve goes through the chains that data tells of: a header, then for each part of the
// file where in it chains begin, one for each page.
func (m *image) resolve(data []byte, parts []part) error {
	at, ok := uint32At(data, 4)
	if !ok {
		return errChains
	}
	starts := data[min(uint64(at), uint64(len(data))):]
	count, ok := uint32At(starts, 0)
	if !ok || int(count) > len(parts) {
		return errChains
	}
	for i := range int(count) {
		offset, ok := uint32At(starts, 4+4*i)
		if !ok {
			return errChains
		}
		if offset == 0 {
			continue // it has none
		}
		if err := m.resolvePart(starts[min(uint64(offset), uint64(len(starts))):], parts[i].offset); err != nil {
			return err
		}
	}
	return nil
}

// uint32At reads a number, if there is one.
func uint32At(data []byte, at int) (uint32, bool) {
	if at < 0 || len(data) < at+4 {
		return 0, false
	}
	return binary.LittleEndian.Uint32(data[at:]), true
}

// Forms of addresses in chains: where they lead to counts from 0, or from the beginning
// of the library, which is the same for one that is linked to 0.
const (
	chained64       = 2
	chained64Offset = 6
)

// resolvePart goes through the chains of a part that begins at an address: (size 4,
// size of a page 2, form 2, offset 8, greatest 4, pages 2, where in each the chain begins
// 2).
func (m *image) resolvePart(starts []byte, begins uint64) error {
	const head, none = 22, 0xffff
	if len(starts) < head {
		return errChains
	}
	page, form := uint64(binary.LittleEndian.Uint16(starts[4:])), binary.LittleEndian.Uint16(starts[6:])
	if form != chained64 && form != chained64Offset {
		return fmt.Errorf("its chains of addresses have form %d, which is not known", form)
	}
	pages := int(binary.LittleEndian.Uint16(starts[20:]))
	if len(starts) < head+2*pages {
		return errChains
	}
	for i := range pages {
		first := binary.LittleEndian.Uint16(starts[head+2*i:])
		if first == none {
			continue
		}
		if err := m.resolveChain(begins + uint64(i)*page + uint64(first)); err != nil {
			return err
		}
	}
	return nil
}

// resolveChain goes through one chain: of each word 36 bits are the address, or an
// imported name's number when the last bit is set, and 12 the distance to the next in
// steps of 4 bytes.
func (m *image) resolveChain(at uint64) error {
	for {
		word, ok := m.word(at)
		if !ok {
			return errChains
		}
		target := word & (1<<36 - 1)
		if imported := word>>63 != 0; imported {
			target = 0 // it lies in another library
		}
		if err := m.put(at, target); err != nil {
			return err
		}
		next := word >> 51 & (1<<12 - 1)
		if next == 0 {
			return nil
		}
		at += 4 * next
	}
}
