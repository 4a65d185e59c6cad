package introspection

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"math"
)

// An Addr is where something lies in a module's memory.
type Addr uint64

// Memory is what a module has in memory: that of a process, or as a file says that
// it will be. Reading fails where nothing is.
type Memory interface {
	io.ReaderAt
}

// mostText bounds names and descriptions, in bytes.
const mostText = 16 << 10

// A reader reads values from a memory. The first error stays, and all that is read
// after it is zero.
type reader struct {
	mem    Memory
	fields int // that were read
	err    error
}

func (r *reader) fail(format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf(format, args...)
	}
}

func (r *reader) bytes(at Addr, b []byte) {
	clear(b)
	if r.err != nil {
		return
	}
	if at > math.MaxInt64 {
		r.fail("there is nothing at %#x", uint64(at))
	} else if _, err := r.mem.ReadAt(b, int64(at)); err != nil {
		r.err = err
	}
}

func (r *reader) word(at Addr) uint64 {
	var b [8]byte
	r.bytes(at, b[:])
	return binary.LittleEndian.Uint64(b[:])
}

func (r *reader) uint32(at Addr) uint32 {
	var b [4]byte
	r.bytes(at, b[:])
	return binary.LittleEndian.Uint32(b[:])
}

func (r *reader) addr(at Addr) Addr       { return Addr(r.word(at)) }
func (r *reader) int32(at Addr) int32     { return int32(r.uint32(at)) }
func (r *reader) uint16(at Addr) uint16   { return uint16(r.uint32(at)) }
func (r *reader) int8(at Addr) int8       { return int8(r.uint32(at)) }
func (r *reader) float32(at Addr) float32 { return math.Float32frombits(r.uint32(at)) }

// text is the C string at an address; "" for NULL.
func (r *reader) text(at Addr) string {
	if at == 0 {
		return ""
	}
	text, err := Text(r.mem, at)
	if err != nil && r.err == nil {
		r.err = err
	}
	return text
}

// Text is the C string at an address of a memory.
func Text(mem Memory, at Addr) (string, error) {
	var all []byte
	for len(all) < mostText && at < math.MaxInt64 {
		var b [1]byte // the next byte may lie where nothing is
		if _, err := mem.ReadAt(b[:], int64(at)); err != nil {
			return "", err
		}
		if b[0] == 0 {
			return string(bytes.ToValidUTF8(all, []byte("\uFFFD"))), nil
		}
		all = append(all, b[0])
		at++
	}
	return "", fmt.Errorf("a text has more than %d bytes", mostText)
}
