package modulefile

import (
	"encoding/binary"
	"fmt"
	"io"
)

// An image is what a library will have in memory when it lies where it asks to.
type image struct {
	base      uint64 // the address of its first byte
	mem       []byte
	symbols   map[string]symbol // that it offers
	processor processor
	// arguments are the registers of the first arguments of a function that is called.
	arguments [2]int
}

// A symbol is a function or a table of a library. The size of a function is 0 where the
// file does not say it.
type symbol struct{ addr, size uint64 }

// A processor follows instructions.
type processor struct {
	// step follows one, and keeps what it stores.
	step func(m *image, r *registers, code []byte, pc uint64) (instruction, error)
	// longest is the size of its longest instruction, and result the register of a
	// function's result.
	longest, result int
}

// An instruction is what became of one that was followed.
type instruction struct {
	size int
	// branch is where it may go on, if a condition holds; 0 otherwise. leaves is set
	// when it does not go on behind it.
	branch uint64
	leaves bool
}

// A part of a file lies in memory from an offset on, and takes size bytes there. Of
// those, the first stored ones are in the file and the others 0.
type part struct {
	io.ReaderAt

	offset, size, stored uint64
}

// place puts the parts of a file into memory as its loader does.
func (m *image) place(parts []part) error {
	var end uint64
	for _, p := range parts {
		if p.stored > p.size || p.size > mostMemory || p.offset > mostMemory-p.size {
			return fmt.Errorf("it has a part of %d bytes at %#x", p.size, p.offset)
		}
		end = max(end, p.offset+p.size)
	}
	m.mem = make([]byte, end)
	for _, p := range parts {
		if _, err := p.ReadAt(m.mem[p.offset:p.offset+p.stored], 0); err != nil && p.stored > 0 {
			return fmt.Errorf("it is cut off: %w", err)
		}
	}
	return nil
}

// ReadAt reads from the addresses on; it is an error where nothing is.
func (m *image) ReadAt(b []byte, at int64) (int, error) {
	from, err := m.at(uint64(at), len(b))
	if err != nil {
		return 0, err
	}
	return copy(b, from), nil
}

// at gives so many bytes at an address.
func (m *image) at(addr uint64, n int) ([]byte, error) {
	offset := addr - m.base
	if addr < m.base || offset > uint64(len(m.mem)) || uint64(n) > uint64(len(m.mem))-offset {
		return nil, fmt.Errorf("there are no %d bytes at %#x", n, addr)
	}
	return m.mem[offset : offset+uint64(n)], nil
}

// put writes a word, where there is room for one.
func (m *image) put(addr, word uint64) error {
	to, err := m.at(addr, 8)
	if err == nil {
		binary.LittleEndian.PutUint64(to, word)
	}
	return err
}

// word reads one; ok is false where there is none.
func (m *image) word(addr uint64) (word uint64, ok bool) {
	from, err := m.at(addr, 8)
	if err != nil {
		return 0, false
	}
	return binary.LittleEndian.Uint64(from), true
}

// run follows a function, and keeps in the image what it stores there. It gives what the
// registers hold at its end.
func (m *image) run(name string) (*registers, error) {
	s, ok := m.symbols[name]
	if !ok {
		return nil, fmt.Errorf("it has no function %s", name)
	}
	regs := &registers{}
	if err := m.follow(s, regs); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return regs, nil
}

// follow follows a function from its first to its last instruction, whatever they jump
// to: those that fill in a module's tables set registers to addresses and store them.
// Without a size, the last one leaves the function where nothing branches to behind it.
func (m *image) follow(f symbol, r *registers) error {
	if f.size > mostCode {
		return fmt.Errorf("a function of %d bytes", f.size)
	}
	furthest := f.addr
	for pc := f.addr; f.size == 0 || pc < f.addr+f.size; {
		code, err := m.at(pc, 0)
		if err != nil {
			return err
		}
		code = code[:min(cap(code), m.processor.longest)]
		done, err := m.processor.step(m, r, code, pc)
		if err != nil {
			return err
		}
		pc += uint64(done.size)
		if done.branch-f.addr < mostCode {
			furthest = max(furthest, done.branch)
		}
		if f.size == 0 && done.leaves && pc > furthest {
			return nil
		}
		if pc-f.addr > mostCode {
			return fmt.Errorf("a function of more than %d bytes", mostCode)
		}
	}
	return nil
}

// registers are what is known of a processor's registers while its instructions are
// followed, in the order of their numbers.
type registers struct {
	known [32]bool
	value [32]uint64
}

func (r *registers) set(i int, value uint64) { r.known[i], r.value[i] = true, value }
func (r *registers) forget(i int)            { r.known[i] = false }

// move sets a register to what another one holds and a constant, if it is known.
func (r *registers) move(to, from int, add uint64) {
	r.known[to], r.value[to] = r.known[from], r.value[from]+add
}
