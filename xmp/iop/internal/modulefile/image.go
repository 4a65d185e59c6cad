package modulefile

import (
	"encoding/binary"
	"fmt"
)

// An image is what a library will have in memory, at addresses that count from its own
// start.
type image struct {
	mem     []byte
	symbols map[string]symbol // that it offers
	trace   func(*image, symbol, *registers) error
}

// A symbol is a function or a table of a library.
type symbol struct{ addr, size uint64 }

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
	if addr > uint64(len(m.mem)) || uint64(n) > uint64(len(m.mem))-addr {
		return nil, fmt.Errorf("there are no %d bytes at %#x", n, addr)
	}
	return m.mem[addr : addr+uint64(n)], nil
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
	if err := m.trace(m, s, regs); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return regs, nil
}

// registers are what is known of a processor's registers while its instructions are
// followed, in the order of their numbers.
type registers struct {
	known [32]bool
	value [32]uint64
	// result and arguments are the registers of a function's result, and of the first
	// arguments of one that is called.
	result    int
	arguments [2]int
}

func (r *registers) set(i int, value uint64) { r.known[i], r.value[i] = true, value }
func (r *registers) forget(i int)            { r.known[i] = false }

// move sets a register to what another one holds and a constant, if it is known.
func (r *registers) move(to, from int, add uint64) {
	r.known[to], r.value[to] = r.known[from], r.value[from]+add
}
