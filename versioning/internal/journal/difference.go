package journal

import (
	"encoding/binary"
	"errors"
	"math/bits"
)

// block is the length in bytes of the pieces of a base that difference looks
// for. Shorter ones find little more in sidecars and cost more operations.
const block = 16

// difference writes target as copies out of base and new text, in the
// operations that FORMAT.md specifies.
func difference(base, target []byte) []byte {
	pieces, shift := indexBlocks(base)
	var ops []byte
	done, last := 0, 0 // target is written up to done; the last copy ended at last
	for at := 0; at+block <= len(target); {
		from, length := 0, 0
		// What follows a piece of new text is most likely the base at the same
		// distance, as when a number has changed.
		if next := last + at - done; next+block <= len(base) {
			from, length = next, common(base[next:], target[at:])
		}
		if length < block {
			from = int(pieces[hashBlock(target[at:])>>shift])
			length = common(base[from:], target[at:])
		}
		if length < block {
			at++
			continue
		}
		for from > 0 && at > done && base[from-1] == target[at-1] {
			from, at, length = from-1, at-1, length+1
		}
		ops = appendNew(ops, target[done:at])
		ops = binary.AppendUvarint(ops, uint64(length)<<1|1)
		ops = binary.AppendVarint(ops, int64(from-last))
		at += length
		done, last = at, from+length
	}
	return appendNew(ops, target[done:])
}

func appendNew(ops, text []byte) []byte {
	if len(text) == 0 {
		return ops
	}
	ops = binary.AppendUvarint(ops, uint64(len(text))<<1)
	return append(ops, text...)
}

// indexBlocks returns, by the hash of a block, its place in the base. Of several
// the first is kept; the caller compares, as hashes collide.
func indexBlocks(base []byte) (places []int32, shift int) {
	shift = 64 - max(8, bits.Len(uint(len(base)/block))+1)
	places = make([]int32, 1<<(64-shift))
	for at := (len(base)/block - 1) * block; at >= 0; at -= block {
		places[hashBlock(base[at:])>>shift] = int32(at)
	}
	return places, shift
}

func hashBlock(b []byte) uint64 {
	const odd = 0x9E3779B97F4A7C15 // 2^64 over the golden ratio: spreads what differs in few bits
	return (binary.LittleEndian.Uint64(b)*odd ^ bits.ReverseBytes64(binary.LittleEndian.Uint64(b[8:]))) * odd
}

// common returns how many bytes a and b have in common at their beginning.
func common(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for ; i+8 <= n; i += 8 {
		if d := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); d != 0 {
			return i + bits.TrailingZeros64(d)/8
		}
	}
	for i < n && a[i] == b[i] {
		i++
	}
	return i
}

var errDifference = errors.New("a difference does not fit its base")

// applyDifference makes the text of length bytes that ops describe.
func applyDifference(base, ops []byte, length int) ([]byte, error) {
	text := make([]byte, 0, min(length, len(base)+len(ops)+1<<16))
	last := 0
	for c := (cursor{b: ops}); len(c.b) > 0; {
		v := c.uvarint()
		n := v >> 1
		if c.bad || n > uint64(length-len(text)) {
			return nil, errDifference
		}
		if v&1 == 0 {
			text = append(text, c.take(int(n))...)
		} else {
			from := int64(last) + c.varint()
			if from < 0 || from > int64(len(base)) || int64(n) > int64(len(base))-from {
				return nil, errDifference
			}
			text = append(text, base[from:from+int64(n)]...)
			last = int(from) + int(n)
		}
		if c.bad {
			return nil, errDifference
		}
	}
	if len(text) != length {
		return nil, errDifference
	}
	return text, nil
}
