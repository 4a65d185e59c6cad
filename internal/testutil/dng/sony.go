package dng

import (
	"bytes"
	"encoding/binary"
	"io"
	"slices"
)

// sonyKey is any number: the file says which one.
const sonyKey = 0x2a6f19d3

// sealedBlock is a directory as Sony writes its private one: encrypted, with a key that
// the file has beside it.
type sealedBlock struct{ dir *ifd }

// size is a multiple of the words that are encrypted.
func (b *sealedBlock) size() int { return (b.dir.size() + 3) &^ 3 }

func (b *sealedBlock) write(w io.Writer, order byteOrder, at int) error {
	var plain bytes.Buffer
	if err := b.dir.write(&plain, order, at); err != nil {
		return err
	}
	data := append(plain.Bytes(), make([]byte, b.size()-plain.Len())...)
	sonyEncrypt(data, sonyKey)
	_, err := w.Write(data)
	return err
}

// sonyEncrypt encrypts words of 32 bits, or decrypts them, with a sequence of numbers
// that a key begins.
func sonyEncrypt(data []byte, key uint32) {
	var pad [128]uint32
	for i := range 4 {
		key = key*48828125 + 1
		pad[i] = key
	}
	pad[3] = pad[3]<<1 | (pad[0]^pad[2])>>31
	for i := 4; i < 127; i++ {
		pad[i] = (pad[i-4]^pad[i-2])<<1 | (pad[i-3]^pad[i-1])>>31
	}
	for i := 127; len(data) >= 4; i++ {
		pad[i&127] = pad[(i+1)&127] ^ pad[(i+65)&127]
		binary.BigEndian.PutUint32(data, binary.BigEndian.Uint32(data)^pad[i&127])
		data = data[4:]
	}
}

// addSonyBalance adds Sony's private directories, which say what the white balance is and
// lie before the picture.
func (f *file) addSonyBalance(main *ifd, white vec3) {
	const green = 1024
	levels := &ifd{file: f}
	levels.short(0x7313, uint16(green/white[0]+0.5), green, green, uint16(green/white[2]+0.5)) // red, both greens, blue
	sealed := &sealedBlock{levels}
	private := f.dir()
	f.blocks = append(f.blocks, sealed)
	private.offsets(0x7200, sealed)
	private.long(0x7201, uint32(sealed.size()))
	private.bytes(0x7221, kindUndefined, binary.LittleEndian.AppendUint32(nil, sonyKey)...)
	main.offsets(0xc634, private)
}

// sonyKnees are where the curve by which Sony brings 14 bits into 11 becomes twice as
// steep, in steps of two, and four times of that in the numbers that the file has.
var sonyKnees = []uint16{8000, 10400, 12900, 14100}

// sonyCurve gives the samples that the 2048 numbers stand for.
func sonyCurve() []uint16 {
	curve := make([]uint16, 2048)
	value, knee := uint16(0), 0
	for i := 1; i < 4096; i++ {
		for knee < len(sonyKnees) && i > int(sonyKnees[knee]>>2) {
			knee++
		}
		if value += 1 << knee; i%2 == 0 {
			curve[i/2] = value
		}
	}
	return curve
}

// sonyBlocks packs the samples of lines as Sony's cameras do: of 16 of a colour, the
// largest and the smallest in 11 bits, where they are in 4 each, and the others as
// differences from the smallest in 7 bits. Lines are multiples of 32 samples.
func (r recording) sonyBlocks() []byte {
	curve := sonyCurve()
	var out []byte
	for start := 0; start < len(r.samples); start += 32 {
		for colour := range 2 {
			var block [16]uint64
			for i := range block {
				v := r.samples[start+colour+2*i]
				at, _ := slices.BinarySearch(curve, v)
				if at = min(at, len(curve)-1); at > 0 && v-curve[at-1] < curve[at]-v {
					at--
				}
				block[i] = uint64(at)
			}
			out = append(out, sonyBlock(block)...)
		}
	}
	return out
}

// sonyBlock packs 16 numbers into 16 bytes, the least significant bits first.
func sonyBlock(block [16]uint64) []byte {
	largest, smallest := 0, 0
	for i, v := range block {
		if v > block[largest] {
			largest = i
		}
		if v <= block[smallest] {
			smallest = i
		}
	}
	shift := 0
	for shift < 4 && 0x80<<shift <= block[largest]-block[smallest] {
		shift++
	}
	var words [2]uint64
	at := 0
	put := func(v uint64, bits int) {
		words[at/64] |= v << (at % 64)
		if at%64+bits > 64 {
			words[1] |= v >> (64 - at%64)
		}
		at += bits
	}
	put(block[largest], 11)
	put(block[smallest], 11)
	put(uint64(largest), 4)
	put(uint64(smallest), 4)
	for i, v := range block {
		if i != largest && i != smallest {
			put(min((v-block[smallest])>>shift, 0x7f), 7)
		}
	}
	out := binary.LittleEndian.AppendUint64(nil, words[0])
	return binary.LittleEndian.AppendUint64(out, words[1])
}

// sonyCodes are those of the first version of Sony's compression: the categories 1 to 3,
// with 0 as the other half of 3, and from 4 on two zeros and one more for each, to a one.
func sonyCodes(category int) code {
	switch category {
	case 0:
		return code{0b011, 3}
	case 1, 2:
		return code{uint32(4 - category), 2}
	case 3:
		return code{0b010, 3}
	}
	return code{1, category - 1}
}

// columns packs the samples as the first version of Sony's compression does: column by
// column from the right, of each the even lines before the odd ones, and each sample as
// the difference from the one before.
func (r recording) columns() []byte {
	var w bitWriter
	before := uint16(0)
	for x := r.width - 1; x >= 0; x-- {
		for first := range 2 {
			for y := first; y < r.height; y += 2 {
				v := r.samples[y*r.width+x]
				w.difference(v-before, sonyCodes)
				before = v
			}
		}
	}
	return w.end()
}

// writeARW writes 14 bits in words of 16.
func writeARW(f *file, main, _ *ifd, r recording) {
	f.addSonyBalance(main, r.white)
	raw, all := f.dir(), &wordsBlock{r.samples}
	f.blocks = append(f.blocks, all)
	r.describe(raw, 14, all)
	main.offsets(0x014a, raw)
}

// writeCompressedARW writes 8 bits for each sample, in Sony's blocks.
func writeCompressedARW(f *file, main, _ *ifd, r recording) {
	f.addSonyBalance(main, r.white)
	raw := f.dir()
	r.describe(raw, 8, f.data(r.sonyBlocks()))
	raw.short(0x0103, 32767) // Compression
	raw.short(0x7010, sonyKnees...)
	main.offsets(0x014a, raw)
}
