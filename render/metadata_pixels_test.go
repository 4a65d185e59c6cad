package render_test

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bep/imagemeta"
	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// minutes are the 12' of the latitude as darktable writes them, 12000000/1000000.
var minutes = []byte("\x00\x1b\xb7\x00\x40\x42\x0f\x00")

// addLocation gives a raw a location in EXIF, XMP and IPTC: its first directory is
// written anew behind its end, with more entries.
func addLocation(t *testing.T, path string) {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	order := binary.LittleEndian
	add := func(data []byte) uint32 {
		raw = append(raw, make([]byte, len(raw)&1)...)
		at := len(raw)
		raw = append(raw, data...)
		return uint32(at)
	}
	entry := func(tag, kind uint16, n, value uint32) []byte {
		b := order.AppendUint16(order.AppendUint16(nil, tag), kind)
		return order.AppendUint32(order.AppendUint32(b, n), value)
	}
	var degrees []byte
	for _, n := range []uint32{48, 1, 12, 1, 0, 1} {
		degrees = order.AppendUint32(degrees, n)
	}
	angle := add(degrees)
	gps := slices.Concat([]byte{5, 0}, entry(0, 1, 4, 0x0302), entry(1, 2, 2, 'N'), entry(2, 5, 3, angle),
		entry(3, 2, 2, 'E'), entry(4, 5, 3, angle), make([]byte, 4))
	packet := []byte(`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">` +
		`<rdf:Description rdf:about="" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Vienna"` +
		` photoshop:Headline="A chart"/></rdf:RDF></x:xmpmeta>`)
	iptc := []byte("\x1c\x02\x5a\x00\x06Vienna\x1c\x02\x19\x00\x04tree")
	more := [][]byte{
		entry(700, 1, uint32(len(packet)), add(packet)),
		entry(33723, 7, uint32(len(iptc)), add(iptc)),
		entry(34853, 4, 1, add(gps)),
	}
	first := order.Uint32(raw[4:])
	n := int(order.Uint16(raw[first:]))
	old := raw[first+2 : int(first)+2+12*n]
	entries := slices.AppendSeq(more, slices.Chunk(bytes.Clone(old), 12))
	slices.SortFunc(entries, func(a, b []byte) int { return int(order.Uint16(a)) - int(order.Uint16(b)) })
	directory := append(order.AppendUint16(nil, uint16(len(entries))), bytes.Join(entries, nil)...)
	order.PutUint32(raw[4:], add(append(directory, 0, 0, 0, 0)))
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
}

// ofTheTIFF are the tags that its pixels are read with.
var ofTheTIFF = []string{
	"EXIF SubfileType", "EXIF ImageWidth", "EXIF ImageHeight", "EXIF BitsPerSample", "EXIF Compression",
	"EXIF PhotometricInterpretation", "EXIF StripOffsets", "EXIF Orientation", "EXIF SamplesPerPixel",
	"EXIF RowsPerStrip", "EXIF StripByteCounts", "EXIF XResolution", "EXIF YResolution",
	"EXIF PlanarConfiguration", "EXIF ResolutionUnit", "EXIF Predictor", "EXIF SampleFormat", "EXIF ICC_Profile",
}

// readMetadata gives the metadata that an independent reader finds in a picture.
func readMetadata(t *testing.T, path string, format imagemeta.ImageFormat) map[string]string {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	found := map[string]string{}
	sources := imagemeta.EXIF | imagemeta.XMP | imagemeta.IPTC
	if format == imagemeta.PNG {
		sources = imagemeta.EXIF | imagemeta.XMP // it cannot read darktable's IPTC in a PNG
	}
	_, err = imagemeta.Decode(imagemeta.Options{
		R: f, ImageFormat: format, Sources: sources,
		HandleTag: func(tag imagemeta.TagInfo) error {
			if tag.Tag == "ModifyDate" { // when darktable wrote it
				return nil
			}
			if tag.Tag == "DocumentName" {
				if tag.Value != filepath.Base(path) {
					t.Errorf("%s is called %q", path, tag.Value)
				}
				return nil
			}
			found[tag.Source.String()+" "+tag.Tag] = strings.TrimSpace(fmt.Sprint(tag.Value))
			return nil
		},
	})
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return found
}

// inflated is a file, with what a PNG's zTXt chunks hold in hexadecimal lines
// behind it.
func inflated(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if filepath.Ext(path) != ".png" {
		return data
	}
	all := bytes.Clone(data)
	for chunk := data[8:]; len(chunk) > 12; {
		length := binary.BigEndian.Uint32(chunk)
		if string(chunk[4:8]) == "zTXt" {
			_, packed, _ := bytes.Cut(chunk[8:8+length], []byte{0, 0})
			z, err := zlib.NewReader(bytes.NewReader(packed))
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(z)
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitN(string(text), "\n", 4)
			profile, err := hex.DecodeString(strings.ReplaceAll(lines[3], "\n", ""))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, profile...)
		}
		chunk = chunk[12+length:]
	}
	return all
}

// What a policy forbids is gone from the file as an independent reader sees it,
// the rest is as it was, and so are the pixels and the profile.
func TestMetadataPolicies(t *testing.T) {
	t.Parallel()
	policies := []render.Metadata{render.KeepMetadata, render.StripLocation, render.StripAll}
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		l := newSetup(t, dt)
		one, err := render.Find(t.Context(), &render.Options{Path: dt.CLI, Scratch: t.TempDir(), Processes: 1})
		if err != nil {
			t.Fatal(err)
		}
		addLocation(t, l.raw)
		kinds := map[string]imagemeta.ImageFormat{".jpg": imagemeta.JPEG, ".png": imagemeta.PNG, ".tif": imagemeta.TIFF, ".webp": imagemeta.WebP}
		exts := slices.Sorted(maps.Keys(kinds))
		var jobs []render.Job
		for _, ext := range exts {
			for _, m := range policies {
				jobs = append(jobs, render.Job{
					Raw: l.raw, Sidecar: l.base, Size: 100, State: "abc", Metadata: m,
					Output: filepath.Join(l.out, string(m)+ext),
				})
			}
		}
		for i, o := range one.RenderAll(t.Context(), jobs, nil) {
			if o.Err != nil {
				t.Fatalf("%s: %v", jobs[i].Output, o.Err)
			}
		}
		for _, ext := range exts {
			kept := filepath.Join(l.out, "keep"+ext)
			before := readMetadata(t, kept, kinds[ext])
			if all := inflated(t, kept); !bytes.Contains(all, minutes) || bytes.Count(all, []byte("Vienna")) < 1 {
				t.Fatalf("%s has no location: %v", kept, before)
			}
			if ext != ".png" && (before["EXIF GPSLatitude"] == "" || before["XMP City"] == "") {
				t.Fatalf("%s has no location: %v", kept, before)
			}
			without := maps.Clone(before)
			maps.DeleteFunc(without, func(tag, _ string) bool { return strings.Contains(tag, " GPS") || tag == "XMP City" })
			if _, there := without["IPTC City"]; there {
				without["IPTC City"] = ""
			}
			want := map[render.Metadata]map[string]string{render.KeepMetadata: before, render.StripLocation: without, render.StripAll: {}}
			for _, m := range policies {
				path := filepath.Join(l.out, string(m)+ext)
				if !cmp.Equal(load(t, path), load(t, kept)) {
					t.Errorf("%s has other pixels than with everything kept", path)
				}
				data := inflated(t, path)
				if !bytes.Contains(data, []byte("iCCP")) && !bytes.Contains(data, []byte("acsp")) {
					t.Errorf("%s has lost its profile", path)
				}
				if m != render.KeepMetadata && (bytes.Contains(data, []byte("Vienna")) || bytes.Contains(data, minutes)) {
					t.Errorf("%s has the location", path)
				}
				got := readMetadata(t, path, kinds[ext])
				if m == render.StripAll {
					maps.DeleteFunc(got, func(tag, _ string) bool { return slices.Contains(ofTheTIFF, tag) })
				}
				if diff := cmp.Diff(want[m], got); diff != "" {
					t.Errorf("%s (-want +got):\n%s", path, diff)
				}
				_, state, err := render.Inspect(path)
				if err != nil || (state == "abc") != (m != render.StripAll) {
					t.Errorf("%s carries the state %q, %v", path, state, err)
				}
			}
		}
	})
}
