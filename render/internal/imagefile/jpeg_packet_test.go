package imagefile

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"image"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const digest = "0123456789ABCDEF0123456789ABCDEF"

// segment is an APP1 segment of a JPEG.
func segment(parts ...string) string {
	data := strings.Join(parts, "")
	return "\xff\xe1" + string(binary.BigEndian.AppendUint16(nil, uint16(len(data)+2))) + data
}

func chunk(whole string, from, to int) string {
	head := binary.BigEndian.AppendUint32(nil, uint32(len(whole)))
	head = binary.BigEndian.AppendUint32(head, uint32(from))
	return segment(xmpExtension, digest, string(head), whole[from:to])
}

// withSegments is a JPEG that carries the given segments.
func withSegments(t testing.TB, segments ...string) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 8, 8)), nil); err != nil {
		t.Fatal(err)
	}
	return []byte("\xff\xd8" + strings.Join(segments, "") + b.String()[2:])
}

func TestReadPacket(t *testing.T) {
	t.Parallel()
	whole := strings.Repeat("0123456789", 1000)
	main := "<main " + digest + "/>"
	for name, c := range map[string]struct {
		segments       []string
		main, extended string
		err            string
	}{
		"plain":          {segments: []string{segment("Exif\x00\x00II"), segment(xmpNamespace, "<x/>")}, main: "<x/>"},
		"the first":      {segments: []string{segment(xmpNamespace, "<x/>"), segment(xmpNamespace, "<y/>")}, main: "<x/>"},
		"extended":       {segments: []string{segment(xmpNamespace, main), chunk(whole, 0, 6000), chunk(whole, 6000, 10000)}, main: main, extended: whole},
		"in any order":   {segments: []string{chunk(whole, 6000, 10000), segment(xmpNamespace, main), chunk(whole, 0, 6000)}, main: main, extended: whole},
		"of another":     {segments: []string{segment(xmpNamespace, "<x/>"), chunk(whole, 0, 6000)}, main: "<x/>"},
		"extended torn":  {segments: []string{segment(xmpNamespace, main), chunk(whole, 0, 6000)}, err: "6000 of 10000 bytes"},
		"none":           {segments: []string{segment("Exif\x00\x00II")}, err: ErrNoPacket.Error()},
		"no length":      {segments: []string{"\xff\xe1\x00\x01"}, err: "no length"},
		"not a segment":  {segments: []string{"hello"}, err: "should start"},
		"much promised":  {segments: []string{segment(xmpNamespace, main), segment(xmpExtension, digest, "\xff\xff\xff\xff\x00\x00\x00\x00x")}, err: "1 of 4294967295 bytes"},
		"beyond the end": {segments: []string{segment(xmpExtension, digest, "\x00\x00\x00\x01\x00\x00\x00\x01x")}, err: "beyond its end"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			main, extended, err := readPackets(bufio.NewReader(bytes.NewReader(withSegments(t, c.segments...))))
			if c.err == "" && err != nil || c.err != "" && (err == nil || !strings.Contains(err.Error(), c.err)) {
				t.Fatalf("got error %v, want %q", err, c.err)
			}
			if string(main) != c.main || string(extended) != c.extended {
				t.Errorf("got %q and %d bytes, want %q and %d", main, len(extended), c.main, len(c.extended))
			}
		})
	}
}

func TestReadPacketOfAFile(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.jpg")
	for name, want := range map[string]error{"<x/>": nil, "": ErrNoPacket} {
		var segments []string
		if want == nil {
			segments = []string{segment(xmpNamespace, name)}
		}
		if err := os.WriteFile(path, withSegments(t, segments...), 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadPacket(path)
		if !errors.Is(err, want) || string(got) != name {
			t.Errorf("got %q, %v; want %q, %v", got, err, name, want)
		}
	}
}

func FuzzPackets(f *testing.F) {
	f.Add(withSegments(f, segment(xmpNamespace, "<x/>")))
	f.Add(withSegments(f, segment(xmpNamespace, digest), chunk("0123456789", 5, 10), chunk("0123456789", 0, 5)))
	f.Add([]byte("\xff\xd8\xff\xff\xff\xe1\x00\x02\xff\xda"))
	f.Fuzz(func(t *testing.T, data []byte) {
		main, extended, err := readPackets(bufio.NewReader(bytes.NewReader(data)))
		if err != nil && (main != nil || extended != nil) {
			t.Error("an error and a packet")
		}
		if err == nil && !bytes.Contains(data, main) {
			t.Error("the packet is not in the file")
		}
	})
}
