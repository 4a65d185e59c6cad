package imagefile

import (
	"bytes"
	"slices"
)

// A rule is which values of a tag are known to hold no location.
type rule int

const (
	never rule = iota
	text
	// picture is a value that pixels are read with, of any kind.
	picture
	// opaque is up to eight bytes whose meaning is their tag's own.
	opaque
	// number and those above it are so many numbers at most.
	number
)

// numbers is the rule of up to n numbers.
func numbers(n int) rule { return number + rule(n-1) }

// The tags of EXIF that stay when the location goes, in each of its directories:
// how the picture was taken, and whose it is. Not among them are texts for
// anything (UserComment, Windows' XP tags), the maker's note, what was measured
// around the camera, thumbnails, and the GPS directory.
var (
	primaryTags = rules(numbers(1), 254, 255, 256, 257, 259, 262, 274, 277, 278, 282, 283, 284, 296, 531, 18246, 18249).
			with(numbers(4), 258, 339).with(numbers(2), 318, 530).with(numbers(6), 319, 532).with(numbers(3), 529).
			with(text, tagDocumentName, 270, 271, 272, 305, 306, 315, 33432, 50708)
	exifTags = rules(numbers(1), 33434, 33437, 34850, 34864, 34865, 34866, 34867, 34868, 34869,
		37122, 37377, 37378, 37379, 37380, 37381, 37382, 37383, 37384, 37385, 37386,
		40961, 40962, 40963, 41483, 41486, 41487, 41488, 41493, 41495,
		41985, 41986, 41987, 41988, 41989, 41990, 41991, 41992, 41993, 41994, 41996, 42080, 42240).
		with(numbers(3), 34855).with(numbers(4), 37396, 42034).with(numbers(2), 41492, 42081).
		with(text, 36867, 36868, 36880, 36881, 36882, 37520, 37521, 37522, 42032, 42033, 42035, 42036, 42037).
		with(opaque, 36864, 37121, 40960, 41728, 41729, 41730)
	interoperabilityTags = rules(text, 1).with(opaque, 2).with(numbers(1), 4097, 4098)
	pictureTags          = rules(picture,
		254, 255, 256, 257, 258, 259, 262, 263, 266, 273, 274, 277, 278, 279, 280, 281, 282, 283, 284,
		290, 291, 292, 293, 296, 301, 317, 318, 319, 320, 322, 323, 324, 325, 332, 334, 336, 338, 339, 340, 341, 342,
		347, 529, 530, 531, 532, 34675)
)

// A ruleset are the rules of a directory's tags.
type ruleset map[uint16]rule

func rules(r rule, tags ...uint16) ruleset { return ruleset{}.with(r, tags...) }

func (s ruleset) with(r rule, tags ...uint16) ruleset {
	for _, tag := range tags {
		s[tag] = r
	}
	return s
}

// maxText bounds a text that stays.
const maxText = 1 << 16

// check gives a value of so many of a kind as it may stay, as long as before.
func (r rule) check(kind uint16, count int64, value []byte) ([]byte, bool) {
	switch {
	case r == picture:
		return value, true
	case r == text:
		return checkText(kind, value)
	case r == opaque:
		return value, len(value) <= 8 && (kind == kindUndefined || kind == kindByte || kind == kindText)
	case r >= number:
		return value, count <= int64(r-number)+1 && kind != kindText && kind != kindUndefined
	}
	return nil, false
}

// checkText gives a text with nothing behind its end. (A copyright has two parts,
// the photographer's and the editor's; the second one goes.)
func checkText(kind uint16, value []byte) ([]byte, bool) {
	if kind != kindText && kind != kindByte || len(value) > maxText {
		return nil, false
	}
	out := slices.Clone(value)
	if end := bytes.IndexByte(out, 0); end >= 0 {
		clear(out[end:])
	}
	return out, !holdsPosition(string(out))
}
