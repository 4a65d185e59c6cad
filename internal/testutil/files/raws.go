package files

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// raws are plain DNGs, with packets of every kind.
func raws() []File {
	all := []File{raw("DNG", "as it is", "plain.dng", width, height, dng.Options{})}
	add := func(kind, what, name string, o dng.Options) {
		all = append(all, raw(kind, what, name, width, height, o))
	}
	for _, p := range Packets() {
		add("DNG with XMP", p.Name, fileName("xmp "+p.Name)+".dng", dng.Options{XMP: p.Data})
	}
	for orientation := 2; orientation <= 8; orientation++ {
		number := string(rune('0' + orientation))
		add("DNG, orientation", number, "turned"+number+".dng", dng.Options{Orientation: orientation})
	}
	for pattern, name := range []string{dng.BGGR: "BGGR", dng.GRBG: "GRBG", dng.GBRG: "GBRG"} {
		if name != "" {
			add("DNG, pattern", name, name+".dng", dng.Options{Pattern: dng.Pattern(pattern)})
		}
	}
	for _, size := range [][2]int{{16, 16}, {40, 30}, {64, 64}, {66, 98}, {97, 63}, {101, 75}, {640, 66}, {1502, 1002}, {12000, 12500}} {
		f := raw("DNG, size", sizeName(size), "size"+sizeName(size)+".dng", size[0], size[1], dng.Options{})
		f.Large = size[0] > 10000
		all = append(all, f)
	}
	add("DNG, levels", "0 to 16383", "levels1.dng", dng.Options{BlackLevel: 1, WhiteLevel: 16383})
	add("DNG, levels", "2047 to 4095", "levels2.dng", dng.Options{BlackLevel: 2047, WhiteLevel: 4095})
	add("DNG, levels", "a black level for each photosite", "levels3.dng", dng.Options{BlackLevels: [4]uint16{0, 100, 200, 300}})
	add("DNG, light", "tungsten", "tungsten.dng", dng.Options{Kelvin: 2850})
	for _, light := range []struct {
		what, name, coefficients string
		kelvin                   float64
	}{
		{"as a chromaticity", "whitexy.dng", "0.329000 0.329000 0.329092", 0},
		{"tungsten, as a chromaticity", "whitexy2.dng", "0.470852 0.407640 0.133029", 2850},
	} {
		f := raw("DNG, light", light.what, light.name, width, height, dng.Options{WhiteXY: true, Kelvin: light.kelvin})
		f.Wrong = "darktable takes the light's XYZ for the camera's multipliers: darktable-rs-identify says `wbCoeffs: " + light.coefficients + "`"
		all = append(all, f)
	}
	add("DNG, light", "matrices for two lights", "twolights.dng", dng.Options{Calibrations: 2})
	add("DNG, light", "tungsten, matrices for two lights", "twolights2.dng", dng.Options{Calibrations: 2, Kelvin: 2850})
	add("DNG, noise", "a noise profile", "noise.dng", dng.Options{NoiseProfile: true, Noise: 0.1})
	add("DNG, opcodes", "corners are brightened", "corners.dng", dng.Options{CornerLight: 0.5})
	add("DNG, opcodes", "a warp of no effect", "warp1.dng", dng.Options{Opcodes: []dng.Opcode{dng.Warp(1, 1, 1)}})
	add("DNG, opcodes", "a warp by a hundredth", "warp2.dng", dng.Options{Opcodes: []dng.Opcode{dng.Warp(1.01, 1.01, 1.01)}})
	add("DNG, opcodes", "gain maps of no effect", "gain1.dng", dng.Options{Opcodes: dng.GainMaps(width, height, 1)})
	add("DNG, opcodes", "gain maps of a stop, a stop too dark", "gain2.dng", dng.Options{EV: -1, Opcodes: dng.GainMaps(width, height, 2)})
	add("DNG, opcodes", "bad pixels", "badpixels.dng", dng.Options{Opcodes: []dng.Opcode{dng.BadPixels([2]uint32{3, 3}, [2]uint32{20, 40})}})
	add("DNG, opcodes", "cut off", "opcode.dng", dng.Options{Opcodes: []dng.Opcode{{List: 3, ID: 3, Data: []byte{1, 2, 3}}}})
	add("DNG, opcodes", "unknown", "opcode99.dng", dng.Options{Opcodes: []dng.Opcode{{List: 2, ID: 99, Data: make([]byte, 8)}}})
	return all
}

// layouts are DNGs by how they hold their samples.
func layouts() []File {
	var all []File
	for _, l := range []struct {
		what string
		dng.Layout
	}{
		{"lossless JPEG", dng.Layout{Compression: dng.LosslessJPEG}},
		{"lossless JPEG in tiles", dng.Layout{Compression: dng.LosslessJPEG, Tile: 64}},
		{"uncompressed tiles", dng.Layout{Tile: 32}},
		{"floating point of 32 bits", dng.Layout{Number: dng.Float32}},
		{"floating point of 32 bits, deflate", dng.Layout{Number: dng.Float32, Compression: dng.Deflate, Tile: 64}},
		{"floating point of 16 bits, deflate", dng.Layout{Number: dng.Float16, Compression: dng.Deflate, Tile: 64}},
		{"X-Trans", dng.Layout{Samples: dng.XTrans}},
		{"X-Trans, lossless JPEG", dng.Layout{Samples: dng.XTrans, Compression: dng.LosslessJPEG}},
		{"four colours", dng.Layout{Samples: dng.FourColours}},
		{"linear", dng.Layout{Samples: dng.RGB}},
		{"linear, lossless JPEG", dng.Layout{Samples: dng.RGB, Compression: dng.LosslessJPEG, Tile: 64}},
		{"linear, lossy JPEG", dng.Layout{Samples: dng.RGB, Compression: dng.LossyJPEG, Tile: 64}},
		{"linear, floating point of 16 bits", dng.Layout{Samples: dng.RGB, Number: dng.Float16, Compression: dng.Deflate, Tile: 64}},
		{"linear, floating point of 32 bits", dng.Layout{Samples: dng.RGB, Number: dng.Float32}},
		{"monochrome", dng.Layout{Samples: dng.Monochrome}},
		{"monochrome, lossless JPEG", dng.Layout{Samples: dng.Monochrome, Compression: dng.LosslessJPEG}},
		{"masked pixels", dng.Layout{Masked: 12}},
		{"a default crop", dng.Layout{Margin: 6}},
		{"masked pixels and a default crop", dng.Layout{Masked: 8, Margin: 4}},
		{"X-Trans, masked pixels", dng.Layout{Samples: dng.XTrans, Masked: 6}},
		{"behind a thumbnail, before a preview", dng.Layout{Previews: true}},
		{"big-endian", dng.Layout{BigEndian: true}},
		{"big-endian, lossless JPEG, thumbnail, masked pixels", dng.Layout{BigEndian: true, Compression: dng.LosslessJPEG, Tile: 48, Previews: true, Masked: 6}},
	} {
		o := dng.Options{Layout: l.Layout}
		switch l.Samples {
		case dng.RGB:
			o.BlackLevel = 1 // darktable takes it for 0
			if l.Compression == dng.LossyJPEG {
				o.WhiteLevel = 16383
			}
		case dng.Monochrome:
			o.BlackLevel = 1
			o.EV = 0.7 // by which darktable brightens other raws of itself
		}
		f := raw("DNG, layout", l.what, fileName("layout "+l.what)+".dng", width, height, o)
		if l.Compression == dng.LossyJPEG {
			f.Wrong = "its greys are not looked at: 8 bits, with the colour of four pixels in one, round them by up to ΔE2000 3.7 in this file"
		}
		switch l.Samples {
		case dng.FourColours:
			f.Wrong = "its greys are not looked at: darktable has the colours of some models with four alone, and shows a white surface at L* 72, a* 22, b* -42 (4.2.1) and L* 79, a* -36, b* -23 (5.4.1)"
		case dng.Monochrome:
			f.Wrong = "its greys are not looked at: darktable 4.2.1 tints the shadows of a monochrome raw, a grey of L* 20.5, a* 0, b* -1 becomes L* 22, a* 0, b* -8"
			f.WrongOn = "4."
		}
		all = append(all, f)
	}
	return all
}

// cameras are files as cameras write them.
func cameras() []File {
	var all []File
	for _, c := range dng.Cameras() {
		for _, o := range []struct {
			what, name string
			dng.Options
		}{
			{"", "", dng.Options{}},
			{", in tungsten light", "-tungsten", dng.Options{Kelvin: 2850}},
			{", at ISO 3200", "-3200", dng.Options{ISO: 3200}},
			{", turned", "-turned", dng.Options{Orientation: 6}},
		} {
			what, name := c.Model, fileName(c.Model)
			if c.Packing != "" {
				what, name = what+", "+c.Packing, name+"-"+c.Packing
			}
			f := raw(strings.ToUpper(c.Extension), what+o.what, name+o.name+"."+c.Extension, width, height, o.Options)
			f.write = func(w io.Writer) error { return c.Write(w, scene.Chart{}.Image(width, height), o.Options) }
			all = append(all, f)
		}
	}
	return all
}

// oddTags are fields as programs write them that know no better, and broken ones.
var oddTags = []struct {
	what string
	tags []dng.Tag
}{
	{"a position", position},
	{"a position of wrong types", []dng.Tag{tag(dng.GPS, 1, 4, 1, []byte{1, 0, 0, 0}), tag(dng.GPS, 2, 2, 6, []byte("north\x00")), tag(dng.GPS, 4, 5, 3, make([]byte, 24))}},
	{"maker's notes that nobody can read", []dng.Tag{tag(dng.EXIF, 0x927c, 7, 3000, bytes.Repeat([]byte{0xff, 0xd8, 7}, 1000))}},
	{"maker's notes of another maker", []dng.Tag{tag(dng.EXIF, 0x927c, 7, 200, append([]byte("Nikon\x00\x02\x11\x00\x00MM\x00*\xff\xff\xff\xff"), make([]byte, 182)...))}},
	{"unknown tags", []dng.Tag{tag(dng.Main, 0xfde8, 13, 1, []byte{1, 2, 3, 4}), tag(dng.Main, 0xffff, 99, 1, []byte{1, 0, 0, 0}), tag(dng.EXIF, 0xeeee, 2, 4, []byte("abc\x00"))}},
	{"numbers as texts", []dng.Tag{text(dng.EXIF, 0x8827, "ISO 100"), text(dng.EXIF, 0x829a, "1/100"), text(dng.EXIF, 0x829d, "f/8"), text(dng.EXIF, 0x920a, "35 mm")}},
	{"fractions of 0 by 0", []dng.Tag{fraction(0x829a, 0, 0), fraction(0x829d, 0, 0), fraction(0x920a, 0, 0)}},
	{"fractions by 0", []dng.Tag{fraction(0x829a, 1, 0), fraction(0x829d, 8, 0), fraction(0x920a, 35, 0)}},
	{"fractions of 4294967295", []dng.Tag{fraction(0x829a, 1<<32-1, 1), fraction(0x829d, 1<<32-1, 1), fraction(0x920a, 1<<32-1, 1)}},
	{"a date of year 0", []dng.Tag{text(dng.EXIF, 0x9003, "0000:00:00 00:00:00"), text(dng.Main, 0x0132, "0000:00:00 00:00:00")}},
	{"a date that is none", []dng.Tag{text(dng.EXIF, 0x9003, "yesterday"), text(dng.Main, 0x0132, "2026-06-21T19:42:00Z")}},
	{"a date of blanks", []dng.Tag{text(dng.EXIF, 0x9003, "    :  :     :  :  "), text(dng.Main, 0x0132, "    :  :     :  :  ")}},
	{"texts without an end", []dng.Tag{tag(dng.Main, 0x010f, 2, 8, []byte("Keeper A")), tag(dng.EXIF, 0xa434, 2, 6, []byte("Lens B"))}},
	{"a text of 60,000 letters", []dng.Tag{text(dng.Main, 0x010e, strings.Repeat("long ", 12000))}},
	{"a comment in Unicode", []dng.Tag{tag(dng.EXIF, 0x9286, 7, 12, []byte("UNICODE\x00h\x00i\x00"))}},
	{"a lens by its numbers alone", []dng.Tag{tag(dng.EXIF, 0xa432, 5, 4, fractions(24, 70, 2.8, 2.8)), text(dng.EXIF, 0xa434, "")}},
	{"an orientation of 0", []dng.Tag{tag(dng.Main, 0x0112, 3, 1, []byte{0, 0})}},
	{"an orientation of 9", []dng.Tag{tag(dng.Main, 0x0112, 3, 1, []byte{9, 0})}},
}

// position is a place in Linz, as phones write it.
var position = []dng.Tag{
	tag(dng.GPS, 0, 1, 4, []byte{2, 3, 0, 0}), text(dng.GPS, 1, "N"), tag(dng.GPS, 2, 5, 3, fractions(48, 18, 11.5)),
	text(dng.GPS, 3, "E"), tag(dng.GPS, 4, 5, 3, fractions(14, 17, 8.4)), tag(dng.GPS, 6, 5, 1, fractions(266)), text(dng.GPS, 29, "2026:06:21"),
}

func tag(d dng.Directory, id uint16, kind dng.Kind, count int, data []byte) dng.Tag {
	return dng.Tag{Directory: d, ID: id, Kind: kind, Count: count, Data: data}
}

func text(d dng.Directory, id uint16, s string) dng.Tag {
	return tag(d, id, 2, len(s)+1, append([]byte(s), 0))
}

// fraction is a field of one fraction in the EXIF directory.
func fraction(id uint16, numerator, denominator uint32) dng.Tag {
	le := binary.LittleEndian
	return tag(dng.EXIF, id, 5, 1, le.AppendUint32(le.AppendUint32(nil, numerator), denominator))
}

// fractions are values in tenths.
func fractions(values ...float64) (out []byte) {
	for _, v := range values {
		out = binary.LittleEndian.AppendUint32(out, uint32(10*v+0.5))
		out = binary.LittleEndian.AppendUint32(out, 10)
	}
	return out
}

// exif are DNGs with metadata of every kind.
func exif() []File {
	all := map[string]dng.Options{
		"make and model of blanks": {Make: " ", Model: " ", LensModel: " "},
		"a model of 500 letters":   {Model: strings.Repeat("Model ", 83)},
		"not ASCII":                {Make: "Kämera", Model: "写真機", LensModel: "Öbjektiv"},
		"of year 1":                {Taken: time.Date(1, 1, 1, 0, 0, 1, 0, time.UTC)},
		"of year 9999":             {Taken: time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
		"a pinhole":                {FNumber: 256, FocalLength: 3000, ISO: 65535},
	}
	for _, odd := range oddTags {
		all[odd.what] = dng.Options{Tags: odd.tags}
	}
	var files []File
	for _, what := range slices.Sorted(maps.Keys(all)) {
		f := raw("DNG, EXIF", what, fileName("exif "+what)+".dng", width, height, all[what])
		if what == "fractions of 4294967295" {
			f.Wrong = "its greys are not looked at: darktable-cli 5.4.1 by itself develops it darker than without these fractions, at a mean of 98 and not 121 of 255"
			f.WrongOn = "5."
		}
		files = append(files, f)
	}
	return files
}

// names are DNGs by their names.
func names() []File {
	all := map[string]string{
		"blanks": " a b  c.dng", "quotes": `a'b"c.dng`, "percent and dollar": "100%d$(HOME)$HOME.dng", "a leading dash": "-rf.dng",
		"a newline": "a\nb.dng", "composed": "\u00e9.dng", "decomposed": "e\u0301.dng", "upper case": "IMG.DNG", "no letters": "写真 📷.dng",
		"255 bytes": strings.Repeat("x", 251) + ".dng", "semicolons and brackets": "a;b[c]{d}*?.dng", "a backslash": `a\b.dng`,
		"no extension": "IMG_0001", "another extension": "IMG_0002.jpg",
	}
	var files []File
	for i, what := range slices.Sorted(maps.Keys(all)) {
		f := raw("DNG, name", what, all[what], width, height, dng.Options{ISO: 101 + i}) // no two files are the same
		f.Chart = strings.EqualFold(filepath.Ext(f.Name), ".dng")                        // by its name darktable tells how to treat it
		files = append(files, f)
	}
	return files
}

// places are DNGs by where they lie.
func places() []File {
	at := func(what string, iso int, place func(dir, name string) (string, error)) File {
		f := raw("DNG, place", what, fileName("place "+what)+".dng", width, height, dng.Options{ISO: iso})
		f.place = place
		return f
	}
	readOnly := at("in a read-only folder", 205, func(dir, name string) (string, error) {
		return filepath.Join(dir, "sealed", name), os.Mkdir(filepath.Join(dir, "sealed"), 0o700)
	})
	readOnly.seal = func(path string) error {
		return errors.Join(os.Chmod(path, 0o400), os.Chmod(filepath.Dir(path), 0o500))
	}
	return []File{
		at("a path of 4,000 bytes", 201, func(dir, name string) (string, error) {
			const longest = 200
			for left := 4000 - len(dir) - len(name) - 1; left > 1; left = 4000 - len(dir) - len(name) - 1 {
				dir = filepath.Join(dir, strings.Repeat("d", min(left-1, longest)))
			}
			// By steps: no single call of the system takes so long a path with what is added to it.
			return filepath.Join(dir, name), os.MkdirAll(dir, 0o700)
		}),
		at("behind a link", 202, func(dir, name string) (string, error) {
			there := filepath.Join(dir, "behind-"+name)
			return filepath.Join(dir, name), os.Symlink(there, filepath.Join(dir, name))
		}),
		at("in a folder behind a link", 203, func(dir, name string) (string, error) {
			there := filepath.Join(dir, "folder")
			if err := os.Mkdir(there, 0o700); err != nil {
				return "", err
			}
			return filepath.Join(dir, "link", name), os.Symlink(there, filepath.Join(dir, "link"))
		}),
		at("in a hidden folder", 204, func(dir, name string) (string, error) {
			return filepath.Join(dir, ".hidden", name), os.Mkdir(filepath.Join(dir, ".hidden"), 0o700)
		}),
		readOnly,
	}
}

// companions are DNGs beside which other programs have left theirs.
func companions() []File {
	packet := func(name string) []byte {
		all := Packets()
		return all[slices.IndexFunc(all, func(p Packet) bool { return p.Name == name })].Data
	}
	own, lightroom := packet("darktable's history of another picture"), packet("settings of Camera Raw")
	beside := func(what string, iso int, files map[string][]byte) File {
		f := raw("DNG, companions", what, fileName("beside "+what)+".dng", width, height, dng.Options{ISO: iso})
		f.Beside = files
		return f
	}
	return []File{
		beside("darktable's sidecar", 301, map[string][]byte{".dng.xmp": own}),
		beside("darktable's sidecars of duplicates", 302, map[string][]byte{".dng.xmp": own, "_01.dng.xmp": own, "_02.dng.xmp": own}),
		beside("Lightroom's sidecar", 303, map[string][]byte{".xmp": lightroom}),
		beside("RawTherapee's sidecar", 304, map[string][]byte{".pp3": []byte("[Version]\nAppVersion=5.9\n"), ".dng.pp3": []byte("[Version]\nAppVersion=5.9\n")}),
		beside("the camera's JPEG", 305, map[string][]byte{".JPG": plainJPEG()}),
		beside("all of these", 306, map[string][]byte{".dng.xmp": own, ".xmp": lightroom, ".pp3": nil, ".JPG": plainJPEG()}),
	}
}
