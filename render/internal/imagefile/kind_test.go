package imagefile

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// begins are files by their beginnings, and what they are.
var begins = map[string]string{
	"%PDF-1.7\n":                               "a PDF document",
	"PK\x03\x04\x14\x00":                       "a ZIP archive",
	"\x1f\x8b\x08\x00":                         "a gzip archive",
	"8BPS\x00\x01":                             "a document of Photoshop",
	"\x1aE\xdf\xa3":                            "a film (Matroska)",
	"RIFF\x00\x00\x01\x00AVI ":                 "a film (AVI)",
	"RIFF\x00\x00\x01\x00WEBP":                 "a WebP picture",
	"\x00\x00\x00\x14ftypqt  \x00\x00\x00\x00": "a film (QuickTime)",
	"\x00\x00\x00\x14ftypheic\x00\x00\x00\x00": "a HEIC picture",
	"\x00\x00\x00\x14ftypcrx \x00\x00\x00\x00": "", // a raw of Canon's
	"\xef\xbb\xbf  <!DOCTYPE HTML><html>":      "a web page",
	"<?xpacket begin=''?><x:xmpmeta>":          "a sidecar (XMP)",
	"<?xml version='1.0'?><rss>":               "an XML document",
	"\xff\xfeh\x00i\x00":                       "a text (UTF-16)",
	"Grüße aus Linz\r\n":                       "a text",
	"II*\x00\x08\x00\x00\x00":                  "a TIFF",
	"P5\n20 12\n255\n":                         "a portable map",
	"FUJIFILMCCD-RAW \x00":                     "",
	"\x00MRM\x00\x01":                          "",
	"Gr\xfc\xdfe":                              "", // of Latin-1 nothing is known
}

func kindOf(data []byte) Kind { return KindOf(bytes.NewReader(data), int64(len(data))) }

func TestKindsAreToldByTheirBeginnings(t *testing.T) {
	t.Parallel()
	for begin, want := range begins {
		data := []byte(begin)
		if want != "a text" && want != "a text (UTF-16)" && !strings.HasPrefix(begin, "<") && !strings.HasPrefix(begin, "\xef") {
			data = append(data, bytes.Repeat([]byte{0, 1, 0xfe}, 2000)...)
		}
		if got := kindOf(data); got.Name != want {
			t.Errorf("%q: %q, want %q", begin, got.Name, want)
		}
	}
	if !kindOf(make([]byte, 9000)).IsZeros() || kindOf(append(make([]byte, 4095), 1)).IsZeros() {
		t.Error("zeros are not told")
	}
	cut := []byte(strings.Repeat("ü", sniffed)) // a letter of two bytes is cut in half
	if got := kindOf(append([]byte("a"), cut...)); got.Name != "a text" {
		t.Errorf("%q", got.Name)
	}
	for f, data := range samples(t) {
		if k := kindOf(data); !k.IsPicture() || !slices.ContainsFunc(k.Extensions, func(e string) bool { return strings.HasPrefix(string(f), e) }) {
			t.Errorf("%s: %+v", f, k)
		}
	}
}

func unusual(data []byte) string { return Unusual(bytes.NewReader(data), int64(len(data))) }

// frameOf is a JPEG's head with a frame of a marker, so many bits and components.
func frameOf(before string, marker, bits, components byte) []byte {
	return slices.Concat([]byte("\xff\xd8"), []byte(before), []byte{0xff, marker, 0, 8, bits, 0, 12, 0, 20, components})
}

func TestUnusualPictures(t *testing.T) {
	t.Parallel()
	adobe := func(transform string) string { return "\xff\xee\x00\x0eAdobe\x00d\x00\x00\x00\x00" + transform }
	for _, tt := range []struct {
		data []byte
		want string
	}{
		{samples(t)[JPEG], ""},
		{frameOf("", 0xc0, 8, 1), ""},
		{frameOf("", 0xc2, 8, 3), ""},
		{frameOf("", 0xc9, 8, 3), ""}, // darktable opens arithmetic coding
		{frameOf("", 0xc0, 8, 4), "a JPEG in CMYK"},
		{frameOf(adobe("\x00"), 0xc0, 8, 4), "a JPEG in CMYK"},
		{frameOf(adobe("\x02"), 0xc0, 8, 4), "a JPEG in YCCK"},
		{frameOf(adobe("\x01"), 0xc0, 8, 3), ""},
		{frameOf("", 0xc0, 8, 2), "a JPEG of 2 components"},
		{frameOf("", 0xc1, 12, 3), "a JPEG of 12 bits"},
		{frameOf("", 0xc3, 16, 1), "a lossless JPEG"},
		{frameOf("", 0xf7, 8, 1), "a JPEG-LS"},
		{[]byte("\xff\xd8\xff\xc3\x00\x03\x08"), ""},
		{[]byte("RIFF\x00\x01\x00\x00WEBPVP8X\x0a\x00\x00\x00\x02\x00\x00\x00"), "an animated WebP"},
		{[]byte("RIFF\x00\x01\x00\x00WEBPVP8X\x0a\x00\x00\x00\x10\x00\x00\x00"), ""}, // see-through
		{samples(t)[WebP], ""},
		{[]byte("no JPEG"), ""},
		{nil, ""},
	} {
		if got := unusual(tt.data); got != tt.want {
			t.Errorf("%.40q: %q, want %q", tt.data, got, tt.want)
		}
	}
}

// cameraTIFF is a TIFF of a maker, a model and a tag.
func cameraTIFF(head string, tag uint16) []byte {
	out := append([]byte(head+"\x08\x00\x00\x00"), 3, 0)
	for _, e := range [][4]byte{{0x0f, 1, 5, 50}, {0x10, 1, 6, 60}, {byte(tag), byte(tag >> 8), 4, 0}} {
		out = append(out, e[0], e[1], kindText, 0, e[2], 0, 0, 0, e[3], 0, 0, 0)
	}
	return append(append(out, 0, 0, 0, 0), "Acme\x00     Z-1  \x00\x00\x00\x00\x00"...)
}

func TestTheCameraOfARawIsRead(t *testing.T) {
	t.Parallel()
	raf := append([]byte("FUJIFILMCCD-RAW 0201FF129502"), append([]byte("X-Z9\x00"), make([]byte, 200)...)...)
	cr3 := append([]byte("\x00\x00\x00\x18ftypcrx \x00\x00\x00\x01....CMT1"), cameraTIFF("II*\x00", 256)...)
	for name, tt := range map[string]struct {
		data []byte
		want string
	}{
		"TIFF":    {cameraTIFF("II*\x00", 256), "Acme Z-1"},
		"ORF":     {cameraTIFF("IIRO", 256), "Acme Z-1"},
		"DNG":     {cameraTIFF("II*\x00", tagDNGVersion), " "},
		"RAF":     {raf, "FUJIFILM X-Z9"},
		"CR3":     {cr3, "Acme Z-1"},
		"nothing": {nil, " "},
		"a text":  {[]byte("a text that is longer than a head"), " "},
		"a cut":   {cameraTIFF("II*\x00", 256)[:30], " "},
	} {
		maker, model := Camera(bytes.NewReader(tt.data), int64(len(tt.data)))
		if got := maker + " " + model; got != tt.want {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
}

func FuzzKind(f *testing.F) {
	for begin := range begins {
		f.Add([]byte(begin))
	}
	f.Add(frameOf("", 0xc0, 8, 4))
	f.Add(cameraTIFF("II*\x00", 256))
	f.Fuzz(func(_ *testing.T, data []byte) {
		kindOf(data)
		unusual(data)
		Camera(bytes.NewReader(data), int64(len(data)))
	})
}
