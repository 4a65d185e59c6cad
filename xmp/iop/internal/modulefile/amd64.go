package modulefile

import (
	"bytes"

	"golang.org/x/arch/x86/x86asm"
)

var amd64 = processor{step: stepAMD64, longest: 15, result: number(x86asm.RAX)}

// The registers of arguments differ between Windows and the others.
var (
	argumentsAMD64   = [2]int{number(x86asm.RDI), number(x86asm.RSI)}
	argumentsWindows = [2]int{number(x86asm.RCX), number(x86asm.RDX)}
)

// landing is endbr64, which the decoder does not know.
var landing = []byte{0xf3, 0x0f, 0x1e, 0xfa}

func stepAMD64(m *image, r *registers, code []byte, pc uint64) (done instruction, err error) {
	if bytes.HasPrefix(code, landing) {
		return instruction{size: len(landing)}, nil
	}
	inst, err := x86asm.Decode(code, 64)
	if err != nil {
		return done, err
	}
	done.size = inst.Len
	next := pc + uint64(inst.Len)
	r.stepAMD64(m, inst, next)
	switch rel, jumps := inst.Args[0].(x86asm.Rel); {
	case inst.Op == x86asm.RET || inst.Op == x86asm.JMP:
		done.leaves = true
	case jumps && inst.Op != x86asm.CALL:
		done.branch = next + uint64(int64(rel))
	}
	return done, nil
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

// stepAMD64 follows what an instruction does to registers and memory; next is the
// address behind it.
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
	case x86asm.POP:
		r.forgetReg(rd)
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
	displacement := uint64(int64(int32(mem.Disp))) // the decoder does not extend its sign
	switch base := number(mem.Base); {
	case mem.Segment != 0 || mem.Index != 0:
		return 0, false
	case mem.Base == x86asm.RIP:
		return next + displacement, true
	case base >= 0:
		return r.value[base] + displacement, r.known[base]
	}
	return 0, false
}
