package modulefile

import (
	"encoding/binary"
	"io"
)

var arm64 = processor{step: stepARM64, longest: 4, result: 0}

// argumentsARM64 are the registers of arguments on every system.
var argumentsARM64 = [2]int{0, 1}

func stepARM64(m *image, r *registers, code []byte, pc uint64) (done instruction, err error) {
	if len(code) < 4 {
		return done, io.ErrUnexpectedEOF
	}
	word := binary.LittleEndian.Uint32(code)
	r.stepARM64(m, word, pc)
	done.size = 4
	switch {
	case word&0xff000010 == 0x54000000, word&0x7e000000 == 0x34000000: // b.cond, cbz, cbnz
		done.branch = pc + signExtend(uint64(word>>5&0x7ffff), 19)*4
	case word&0x7e000000 == 0x36000000: // tbz, tbnz
		done.branch = pc + signExtend(uint64(word>>5&0x3fff), 14)*4
	case word&0xfc000000 == 0x14000000, word&0xfffffc1f == 0xd65f0000, word&0xfffffc1f == 0xd61f0000: // b, ret, br
		done.leaves = true
	}
	return done, nil
}

// stepARM64 follows what an instruction does to registers and memory.
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
	case word&0x7c000000 == 0x14000000, word&0xff000010 == 0x54000000, word&0x7c000000 == 0x34000000, // b, b.cond, cbz, tbz
		word&0xff800000 == 0xd6000000: // ret, br
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
