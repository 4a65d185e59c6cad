package modulefile

import "encoding/binary"

// traceARM64 follows the instructions of a function from its first to its last one,
// whatever they jump to: those that fill in a module's tables set registers to addresses
// and store them.
func traceARM64(m *image, f symbol, r *registers) error {
	r.result, r.arguments = 0, [2]int{0, 1}
	code, err := functionCode(m, f)
	if err != nil {
		return err
	}
	for pc := f.addr; len(code) >= 4; code, pc = code[4:], pc+4 {
		r.stepARM64(m, binary.LittleEndian.Uint32(code), pc)
	}
	return nil
}

// stepARM64 follows one instruction.
func (r *registers) stepARM64(m *image, word uint32, pc uint64) {
	rd, rn, second, rm := int(word&31), int(word>>5&31), int(word>>10&31), int(word>>16&31)
	imm12, imm16 := uint64(word>>10&0xfff), uint64(word>>5&0xffff)<<(16*(word>>21&3))
	page := signExtend(uint64(word>>5&0x7ffff)<<2|uint64(word>>29&3), 21)
	switch {
	case word&0x9f000000 == 0x90000000: // adrp rd, page
		r.set(rd, pc&^0xfff+page<<12)
	case word&0x9f000000 == 0x10000000: // adr rd, address
		r.set(rd, pc+page)
	case word&0xff800000 == 0x91000000: // add rd, rn, #imm
		r.move(rd, rn, imm12<<(12*(word>>22&1)))
	case word&0xff800000 == 0xd1000000: // sub rd, rn, #imm
		r.move(rd, rn, -(imm12 << (12 * (word >> 22 & 1))))
	case word&0xffe0ffe0 == 0xaa0003e0: // mov rd, rm
		if rm == 31 {
			r.set(rd, 0)
		} else {
			r.move(rd, rm, 0)
		}
	case word&0x7f800000 == 0x52800000: // movz rd, #imm, lsl
		r.set(rd, imm16)
	case word&0x7f800000 == 0x72800000: // movk rd, #imm, lsl
		r.value[rd] = r.value[rd]&^(0xffff<<(16*(word>>21&3))) | imm16
	case word&0xffc00000 == 0xf9400000: // ldr rd, [rn, #imm]
		r.load(m, rd, rn, imm12*8)
	case word&0xffc00000 == 0xf9000000: // str rd, [rn, #imm]
		r.store(m, rd, rn, imm12*8)
	case word&0xffe00c00 == 0xf8000000: // stur rd, [rn, #imm]
		r.store(m, rd, rn, signExtend(uint64(word>>12&0x1ff), 9))
	case word&0xffc00000 == 0xa9000000: // stp rd, r2, [rn, #imm]
		at := signExtend(uint64(word>>15&0x7f), 7) * 8
		r.store(m, rd, rn, at)
		r.store(m, second, rn, at+8)
	case word&0xfc000000 == 0x94000000: // bl
		for i := range 19 {
			r.forget(i)
		}
	case word&0x7c000000 == 0x14000000, word&0xff000010 == 0x54000000, word&0x7e000000 == 0x34000000, // b, b.cond, cbz, cbnz
		word == 0xd65f03c0: // ret
	case word&0x3a000000 == 0x28000000: // other loads and stores of pairs, which may move their base
		r.forget(rd)
		r.forget(second)
		r.forget(rn)
	case word&0x3b200000 == 0x38000000: // others that may move their base
		r.forget(rd)
		r.forget(rn)
	default:
		r.forget(rd)
	}
}

// load sets a register to a word in memory, if it is known which.
func (r *registers) load(m *image, to, base int, offset uint64) {
	if word, ok := m.word(r.value[base] + offset); ok && r.known[base] {
		r.set(to, word)
		return
	}
	r.forget(to)
}

// store puts what a register holds into memory, if both are known.
func (r *registers) store(m *image, from, base int, offset uint64) {
	if r.known[from] && r.known[base] {
		_ = m.put(r.value[base]+offset, r.value[from]) // outside of the library: not ours to see
	}
}

func signExtend(value uint64, bits int) uint64 {
	shift := 64 - bits
	return uint64(int64(value<<shift) >> shift)
}
