package modulefile

import (
	"bytes"

	"golang.org/x/arch/x86/x86asm"
)

// traceAMD64 is traceARM64 for the other processor.
func traceAMD64(m *image, f symbol, r *registers) error {
	r.result, r.arguments = number(x86asm.RAX), [2]int{number(x86asm.RDI), number(x86asm.RSI)}
	code, err := functionCode(m, f)
	if err != nil {
		return err
	}
	landing := []byte{0xf3, 0x0f, 0x1e, 0xfa} // endbr64, which the decoder does not know
	for pc := f.addr; len(code) > 0; {
		n := len(landing)
		if !bytes.HasPrefix(code, landing) {
			inst, err := x86asm.Decode(code, 64)
			if err != nil {
				return err
			}
			n = inst.Len
			r.stepAMD64(m, inst, pc+uint64(n))
		}
		code, pc = code[n:], pc+uint64(n)
	}
	return nil
}

// number is the number of a register of 64 bits, or of its lower 32; -1 for another.
func number(reg x86asm.Reg) int {
	switch {
	case reg >= x86asm.RAX && reg <= x86asm.R15:
		return int(reg - x86asm.RAX)
	case reg >= x86asm.EAX && reg <= x86asm.R15L:
		return int(reg - x86asm.EAX)
	}
	return -1
}

// stepAMD64 follows one instruction; next is the address behind it.
func (r *registers) stepAMD64(m *image, inst x86asm.Inst, next uint64) {
	to, isReg := inst.Args[0].(x86asm.Reg)
	rd := -1
	if isReg {
		rd = number(to)
	}
	switch inst.Op {
	case x86asm.LEA:
		r.setAddress(rd, inst.Args[1], next)
	case x86asm.MOV:
		r.mov(m, inst, rd, next)
	case x86asm.ADD, x86asm.SUB:
		imm, ok := inst.Args[1].(x86asm.Imm)
		if rd >= 0 && ok && inst.DataSize == 64 {
			if inst.Op == x86asm.SUB {
				imm = -imm
			}
			r.move(rd, rd, uint64(imm))
			return
		}
		r.forgetReg(rd)
	case x86asm.XOR:
		if rd >= 0 && inst.Args[0] == inst.Args[1] {
			r.set(rd, 0)
			return
		}
		r.forgetReg(rd)
	case x86asm.CMP, x86asm.TEST, x86asm.NOP, x86asm.RET, x86asm.JMP, x86asm.PUSH: // no register changes
	case x86asm.CALL:
		for _, scratch := range []x86asm.Reg{x86asm.RAX, x86asm.RCX, x86asm.RDX, x86asm.RSI, x86asm.RDI, x86asm.R8, x86asm.R9, x86asm.R10, x86asm.R11} {
			r.forget(number(scratch))
		}
	default:
		if _, jumps := inst.Args[0].(x86asm.Rel); !jumps {
			r.forgetReg(rd)
			r.forgetReg(number(x86asm.RAX)) // some change these two without naming them
			r.forgetReg(number(x86asm.RDX))
		}
	}
}

func (r *registers) forgetReg(i int) {
	if i >= 0 {
		r.forget(i)
	}
}

// mov follows a move between registers, memory and constants.
func (r *registers) mov(m *image, inst x86asm.Inst, rd int, next uint64) {
	switch from := inst.Args[1].(type) {
	case x86asm.Imm:
		if rd >= 0 {
			r.set(rd, uint64(from))
		}
	case x86asm.Mem:
		if addr, ok := r.address(from, next); ok && rd >= 0 && inst.DataSize == 64 {
			if word, ok := m.word(addr); ok {
				r.set(rd, word)
				return
			}
		}
		r.forgetReg(rd)
	case x86asm.Reg:
		source := number(from)
		to, isMem := inst.Args[0].(x86asm.Mem)
		switch {
		case isMem && source >= 0 && r.known[source] && inst.DataSize == 64:
			if addr, ok := r.address(to, next); ok {
				_ = m.put(addr, r.value[source]) // outside of the library: not ours to see
			}
		case rd >= 0 && source >= 0 && inst.DataSize == 64:
			r.move(rd, source, 0)
		default:
			r.forgetReg(rd)
		}
	default:
		r.forgetReg(rd)
	}
}

// setAddress sets a register to the address of an operand, if that is known.
func (r *registers) setAddress(rd int, operand x86asm.Arg, next uint64) {
	if rd < 0 {
		return
	}
	if mem, ok := operand.(x86asm.Mem); ok {
		if addr, known := r.address(mem, next); known {
			r.set(rd, addr)
			return
		}
	}
	r.forget(rd)
}

// address is that of an operand in memory, if it is known.
func (r *registers) address(mem x86asm.Mem, next uint64) (addr uint64, ok bool) {
	switch base := number(mem.Base); {
	case mem.Segment != 0 || mem.Index != 0:
		return 0, false
	case mem.Base == x86asm.RIP:
		return next + uint64(mem.Disp), true
	case base >= 0:
		return r.value[base] + uint64(mem.Disp), r.known[base]
	}
	return 0, false
}
