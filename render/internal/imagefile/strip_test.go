package imagefile

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/geotag"
)

const somewhere = geotag.Latitude + " " + geotag.Longitude + " " + geotag.Place

// planted are the samples with a location in every place that their format has.
func planted(t testing.TB) map[Format][]byte {
	t.Helper()
	all := samples(t)
	return map[Format][]byte{
		JPEG: plantedJPEG(all[JPEG]), PNG: plantedPNG(all[PNG]), TIFF: plantedTIFF(t, all[TIFF]), WebP: plantedWebP(all[WebP]),
		JXL: plantedJXL(all[JXL]), AVIF: plantedAVIF(), EXR: plantedEXR(all[EXR]),
	}
}

func plantedJPEG(plain []byte) []byte {
	of := func(marker byte, parts ...string) string {
		s := []byte(segment(parts...))
		s[1] = marker
		return string(s)
	}
	exif, packet := string(geotag.EXIF()), geotag.Packet()
	segments := []string{
		of(markerAPP0, jfifName, "\x01\x01\x01\x00\x48\x00\x48\x02\x01", somewhere[:6]), of(markerAPP0, "JFXX\x00\x10", somewhere),
		of(markerAPP1, exifName, exif), of(markerAPP1, exifName, exif), of(markerAPP1, xmpNamespace, packet),
		of(markerAPP1, xmpNamespace, packet), chunk(packet, 0, len(packet)), of(markerAPP1, "other", somewhere),
		of(markerAPP2, "MPF\x00", somewhere), of(0xe4, somewhere), of(0xeb, "JP", somewhere),
		of(markerAPP13, photoshopName, string(geotag.Resources())), of(markerAPP14, adobeName, "\x00\x64\x00\x00\x00\x00\x00", somewhere),
		of(markerCOM, somewhere),
	}
	scan := bytes.LastIndex(plain, []byte("\xff\xda"))
	out := string(plain[:2]) + strings.Join(segments, "") + string(plain[2:scan]) + of(markerCOM, somewhere) + string(plain[scan:])
	behind := string(plain[:2]) + of(markerAPP1, exifName, exif) + string(plain[2:])
	return []byte(out + behind + somewhere + "\xff\xd9")
}

func pngChunk(name, data string) string {
	out := append(binary.BigEndian.AppendUint32(nil, uint32(len(data))), name+data...)
	return string(binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(out[4:])))
}

func deflated(text string) string {
	var b bytes.Buffer
	z := zlib.NewWriter(&b)
	_, _ = z.Write([]byte(text))
	_ = z.Close()
	return b.String()
}

func rawProfile(name, data string) string {
	var text strings.Builder
	fmt.Fprintf(&text, "\n%s\n%8d", name, len(data))
	for digits := hex.EncodeToString([]byte(data)); digits != ""; digits = digits[min(72, len(digits)):] {
		text.WriteString("\n" + digits[:min(72, len(digits))])
	}
	return text.String() + "\n"
}

func plantedPNG(plain []byte) []byte {
	exif, packet := string(geotag.EXIF()), geotag.Packet()
	var chunks []string
	for _, text := range [][2]string{
		{xmpKeyword, packet},
		{"Comment", somewhere},
		{"Title", "at " + geotag.Latitude},
		{"Author", "Ansel Keeper"},
		{"Location", geotag.Place},
		{"Raw profile type exif", rawProfile("exif", exif)},
		{"Raw profile type APP1", rawProfile("APP1", exifName+exif)},
		{"Raw profile type iptc", rawProfile("iptc", string(geotag.Resources()))},
		{"Raw profile type xmp", rawProfile("xmp", packet)},
		{"Raw profile type other", rawProfile("other", somewhere)},
	} {
		chunks = append(chunks, pngChunk("tEXt", text[0]+"\x00"+text[1]), pngChunk("zTXt", text[0]+"\x00\x00"+deflated(text[1])),
			pngChunk("iTXt", text[0]+"\x00\x00\x00"+somewhere+"\x00"+somewhere+"\x00"+text[1]),
			pngChunk("iTXt", text[0]+"\x00\x01\x00en\x00\x00"+deflated(text[1])))
	}
	chunks = append(chunks, pngChunk("eXIf", exif), pngChunk("gpSx", somewhere), pngChunk("tIME", somewhere))
	return []byte(string(plain[:33]) + strings.Join(chunks, "") + string(plain[33:]) + pngChunk("eXIf", exif) + somewhere)
}

func plantedTIFF(t testing.TB, plain []byte) []byte {
	t.Helper()
	out, err := geotag.Plant(plain)
	if err != nil {
		t.Fatal(err)
	}
	return append(out, somewhere...)
}

func riffChunk(name, data string) string {
	return string(binary.LittleEndian.AppendUint32([]byte(name), uint32(len(data)))) + data + strings.Repeat("\x00", len(data)&1)
}

func plantedWebP(plain []byte) []byte {
	picture := string(plain[12:])
	chunks := riffChunk("VP8X", "\x0c\x00\x00\x00\x13\x00\x00\x0b\x00\x00") + picture + riffChunk("EXIF", string(geotag.EXIF())) +
		riffChunk("EXIF", exifName+string(geotag.EXIF())) + riffChunk("XMP ", geotag.Packet()) + riffChunk("GPSx", somewhere)
	if picture[:4] == "VP8X" {
		chunks = chunks[18:]
	}
	return []byte(riffChunk("RIFF", "WEBP"+chunks) + somewhere)
}

func box(name string, parts ...string) string {
	data := strings.Join(parts, "")
	return string(binary.BigEndian.AppendUint32(nil, uint32(len(data)+8))) + name + data
}

func plantedJXL(plain []byte) []byte {
	if _, stream, boxed := bytes.Cut(plain, []byte("jxlc")); boxed {
		plain = stream
	}
	return []byte("\x00\x00\x00\x0cJXL \x0d\x0a\x87\x0a" + box("ftyp", "jxl \x00\x00\x00\x00jxl ") +
		box("Exif", "\x00\x00\x00\x06", somewhere[:6], string(geotag.EXIF())) + box("xml ", geotag.Packet()) + box("jxlc", string(plain)) +
		box("xml ", geotag.Packet()) + box("jumb", somewhere) + box("brob", "xml ", somewhere) + box("jbrd", somewhere) + box("uuid", somewhere))
}

func be(size int, n int) string {
	return string(binary.BigEndian.AppendUint64(nil, uint64(n))[8-size:])
}

// plantedAVIF has a picture of bytes that are none.
func plantedAVIF() []byte {
	type item struct{ kind, more, data string }
	items := []item{
		{"av01", somewhere + "\x00", "a picture's bytes"},
		{"Exif", somewhere + "\x00", be(4, 6) + somewhere[:6] + string(geotag.EXIF())},
		{"mime", somewhere + "\x00application/rdf+xml\x00" + somewhere + "\x00", geotag.Packet()},
		{"mime", "\x00text/plain\x00", somewhere},
		{"uri ", "\x00geo:" + somewhere + "\x00", somewhere},
	}
	build := func(first int) string {
		infos, places, data := be(4, 0)+be(2, len(items)), be(4, 0)+"\x44\x00"+be(2, len(items)), ""
		for i, it := range items {
			infos += box("infe", "\x02\x00\x00\x00", be(2, i+1), be(2, 0), it.kind, it.more)
			places += be(2, i+1) + be(2, 0) + be(2, 1) + be(4, first+len(data)) + be(4, len(it.data))
			data += it.data + somewhere // between items
		}
		meta := box("meta", be(4, 0), box("hdlr", be(8, 0), "pict", be(4, 0), be(8, 0), somewhere, "\x00"), box("pitm", be(4, 0), be(2, 1)),
			box("iloc", places), box("iinf", infos), box("udta", somewhere),
			box("iprp", box("ipco", box("ispe", be(4, 0), be(4, 20), be(4, 12)), box("udes", somewhere)), box("ipma", be(8, 0))))
		return box("ftyp", "avif", be(4, 0), "mif1") + meta + box("uuid", somewhere) + box("free", somewhere) + box("mdat", data)
	}
	at := strings.Index(build(0), "mdat") + 4
	return []byte(build(at))
}

func plantedEXR(plain []byte) []byte {
	attribute := func(name, kind, value string) string {
		return name + "\x00" + kind + "\x00" + string(binary.LittleEndian.AppendUint32(nil, uint32(len(value)))) + value
	}
	more := attribute("latitude", "float", "\x76\x6f\x43\x42") + attribute("longitude", "string", geotag.Longitude) + attribute("owner", "string", "Ansel Keeper") +
		attribute("comments", "string", somewhere) + attribute("exif", "blob", string(geotag.EXIF())) + attribute("xmp", "string", geotag.Packet()) +
		attribute("z", "a", "")
	out := append(bytes.Clone(plain[:8]), more...)
	out = append(out, plain[8:]...)
	// The list of the chunks' places follows the head.
	at := 8 + len(more)
	for out[at] != 0 {
		at += bytes.IndexByte(out[at:], 0) + 1
		at += bytes.IndexByte(out[at:], 0) + 1
		at += 4 + int(binary.LittleEndian.Uint32(out[at:]))
	}
	at++
	for end := uint64(len(out)); uint64(at) < end; at += 8 {
		place := binary.LittleEndian.Uint64(out[at:]) + uint64(len(more))
		binary.LittleEndian.PutUint64(out[at:], place)
		end = min(end, place)
	}
	return append(out, somewhere...)
}

// strip gives a file's bytes after they were stripped.
func strip(t testing.TB, dir string, f Format, data []byte, part Part) ([]byte, error) {
	t.Helper()
	path := filepath.Join(dir, "picture."+string(f))
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	failed := Strip(path, f, part)
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if failed != nil && !bytes.Equal(got, data) {
		t.Errorf("%s: it was changed, though %v", f, failed)
	}
	return got, failed
}

// Nothing of a location stays in any format, and what is known to be none does.
func TestNoLocationStaysInAnyFormat(t *testing.T) {
	t.Parallel()
	plain := samples(t)
	for f, data := range planted(t) {
		t.Run(string(f), func(t *testing.T) {
			t.Parallel()
			if len(geotag.Find(data)) < 3 {
				t.Fatalf("nothing was planted: %v", geotag.Find(data))
			}
			if _, _, err := check(f, data); err != nil && f != PNG {
				t.Fatalf("the planted file is not whole: %v", err)
			}
			for part, name := range map[Part]string{Location: "location", Everything: "everything"} {
				got, err := strip(t, t.TempDir(), f, data, part)
				if err != nil {
					t.Fatalf("%s: %v", name, err)
				}
				for _, found := range geotag.Find(got) {
					t.Errorf("%s: there is still %s", name, found)
				}
				if w, h, err := check(f, got); err != nil || w != 20 || h < 12 {
					t.Errorf("%s: the file is not whole: %d × %d, %v", name, w, h, err)
				}
				if again, err := strip(t, t.TempDir(), f, got, part); err != nil || !bytes.Equal(again, got) {
					t.Errorf("%s: a second time it changes, or fails: %v", name, err)
				}
				kept := bytes.Contains(geotag.Unpacked(got), []byte("Ansel Keeper"))
				if kept != (part == Location) {
					t.Errorf("%s: the author's name is there: %t", name, kept)
				}
				if f != AVIF && f != JXL && !samePixels(t, plain[f], got) {
					t.Errorf("%s: it has other pixels", name)
				}
			}
		})
	}
}

// Of a file that is cut off or changed somewhere, nothing is handed on that holds
// the location.
func TestDamagedFilesDoNotGiveTheirLocationAway(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	dir := t.TempDir()
	for f, data := range planted(t) {
		random := rand.New(rand.NewPCG(15, uint64(len(data))))
		for i := range 40 {
			damaged := bytes.Clone(data)
			if i%3 == 0 {
				damaged = damaged[:random.IntN(len(data))]
			} else {
				for range i % 4 {
					damaged[random.IntN(len(damaged))] ^= 1 << random.IntN(8)
				}
			}
			if got, err := strip(t, dir, f, damaged, Location); err == nil {
				for _, found := range geotag.Find(got) {
					t.Errorf("%s, %d: there is still %s", f, i, found)
				}
			}
		}
	}
}

func TestMetadataThatCannotBeReadAreNotPassedOn(t *testing.T) {
	t.Parallel()
	for name, segment := range map[string]string{
		"EXIF":      segment(exifName, "no TIFF"),
		"XMP":       segment(xmpNamespace, "<a>"),
		"Photoshop": strings.Replace(segment(photoshopName, "8BIM\x04\x04\x00\x00\x00\x00\xff\xff"), "\xe1", "\xed", 1),
		"a far tag": segment(exifName, "II*\x00\xff\x00\x00\x00"),
		"two in one": segment(exifName, "II*\x00\x08\x00\x00\x00\x02\x00\x0f\x01\x02\x00\x06\x00\x00\x00\x26\x00\x00\x00"+
			"\x10\x01\x02\x00\x06\x00\x00\x00\x28\x00\x00\x00\x00\x00\x00\x00abcdefghi"),
	} {
		whole := withSegments(t, segment)
		if _, err := strip(t, t.TempDir(), JPEG, whole, Location); err == nil {
			t.Errorf("%s: the picture was passed on", name)
		}
		if got, err := strip(t, t.TempDir(), JPEG, whole, Everything); err != nil || !bytes.Equal(got, withSegments(t)) {
			t.Errorf("%s: it is not gone: %v", name, err)
		}
	}
}

// A text that grows to gigabytes is refused.
func TestACompressedTextIsBounded(t *testing.T) {
	testutil.SkipShort(t)
	t.Parallel()
	var b bytes.Buffer
	z, _ := zlib.NewWriterLevel(&b, zlib.BestSpeed)
	block := bytes.Repeat([]byte{' '}, 1<<20)
	for range maxMetadata>>20 + 1 {
		_, _ = z.Write(block)
	}
	_ = z.Close()
	plain := samples(t)[PNG]
	bomb := string(plain[:33]) + pngChunk("zTXt", "Raw profile type exif\x00\x00"+b.String()) + string(plain[33:])
	if _, err := strip(t, t.TempDir(), PNG, []byte(bomb), Location); err == nil {
		t.Error("it was read whole")
	}
}

func FuzzStrip(f *testing.F) {
	formats := []Format{JPEG, PNG, TIFF, WebP, AVIF, JXL, EXR}
	all := planted(f)
	for i, format := range formats {
		f.Add(uint8(i), all[format])
	}
	f.Fuzz(func(t *testing.T, i uint8, data []byte) {
		format := formats[int(i)%len(formats)]
		for _, part := range []Part{Location, Everything} {
			once, err := strip(t, t.TempDir(), format, data, part)
			if err != nil {
				continue
			}
			if again, err := strip(t, t.TempDir(), format, once, part); err != nil || len(again) != len(once) {
				t.Errorf("%s: a second time: %v", format, err)
			}
		}
	})
}

// samePixels reports whether two files of one format hold the same picture.
func samePixels(t *testing.T, a, b []byte) bool {
	t.Helper()
	if bytes.HasPrefix(a, []byte("\x76\x2f\x31\x01")) { // OpenEXR, which nothing here decodes
		return bytes.Contains(b, a[len(a)-64:])
	}
	return equalImages(decoded(t, a), decoded(t, b))
}
