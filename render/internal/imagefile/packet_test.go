package imagefile

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/tiff"
)

// historyPacket is a packet of about so many bytes with darktable's history.
func historyPacket(length int) []byte {
	return NewPacket([]byte(`<?xml version="1.0" encoding="UTF-8"?>` + "\n" +
		`<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="` + spaceRDF + `"><rdf:Description rdf:about="" xmlns:darktable="http://darktable.sf.net/"` +
		` darktable:xmp_version="5"><darktable:history><rdf:Seq><rdf:li darktable:params="` + strings.Repeat("ab", length/2) + `"/></rdf:Seq></darktable:history>` +
		`</rdf:Description></rdf:RDF></x:xmpmeta>`))
}

// A packet gets into every format that has one, be there another before, once, and
// the pixels stay.
func TestAPacketIsWrittenIntoEveryFormatThatHasOne(t *testing.T) {
	t.Parallel()
	for name, all := range map[string]map[Format][]byte{"without one": samples(t), "with another": planted(t)} {
		for f, data := range all {
			if !f.HasPacket() {
				continue
			}
			for _, length := range []int{300, 301, 200_000} {
				path := filepath.Join(t.TempDir(), "a."+string(f))
				if err := os.WriteFile(path, data, 0o600); err != nil {
					t.Fatal(err)
				}
				for range 2 {
					if err := WritePacket(path, f, historyPacket(length)); err != nil {
						t.Fatalf("%s %s: %v", f, name, err)
					}
				}
				if err := Stamp(path, stateAttributes("abc")); err != nil {
					t.Fatal(err)
				}
				checkPacket(t, path, f, data, length)
			}
		}
	}
}

// checkPacket asks that the file at path has a stamped packet, once, and the pixels
// of before.
func checkPacket(t *testing.T, path string, f Format, before []byte, length int) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	packet, err := FindPacket(path)
	if err != nil || !bytes.Contains(packet, []byte(`chemigram:state="abc"`)) {
		t.Errorf("%s: no stamp: %v", f, err)
	}
	if n := bytes.Count(got, []byte(strings.Repeat("ab", 140))); length == 300 && n != 1 && f != TIFF {
		t.Errorf("%s: the packet is there %d times", f, n)
	}
	if f == JPEG {
		main, extended, err := readPackets(bufio.NewReader(bytes.NewReader(got)))
		if whole := string(main) + string(extended); err != nil || strings.Count(whole, "ab") < length/2 {
			t.Errorf("the JPEG has packets of %d bytes, want %d: %v", len(whole), length, err)
		}
	} else if !bytes.Contains(packet, []byte(strings.Repeat("ab", length/2))) {
		t.Errorf("%s: the packet lacks the history", f)
	}
	if _, _, err := Check(f, bytes.NewReader(got), int64(len(got))); err != nil && f != JPEG { // the planted one has data behind its end
		t.Errorf("%s: %v", f, err)
	}
	if f == TIFF {
		if _, err := tiff.Decode(bytes.NewReader(got)); err != nil {
			t.Error(err)
		}
		return
	}
	if !samePixels(t, got, before) {
		t.Errorf("%s: other pixels", f)
	}
}

// The location goes, and of the history nothing, be it in an extended packet.
func TestALongHistoryStaysWhenTheLocationGoes(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.jpg")
	packet := bytes.Replace(historyPacket(150_000), []byte(` darktable:xmp_version="5"`), []byte(` darktable:xmp_version="5" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" photoshop:City="Paris"`), 1)
	if err := os.WriteFile(path, samples(t)[JPEG], 0o600); err != nil {
		t.Fatal(err)
	}
	if err := WritePacket(path, JPEG, packet); err != nil {
		t.Fatal(err)
	}
	if err := Strip(path, JPEG, Location); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, extended, err := readPackets(bufio.NewReader(bytes.NewReader(got)))
	if err != nil || !bytes.Contains(extended, []byte(strings.Repeat("ab", 75_000))) {
		t.Errorf("%d bytes of history stay, %v", len(extended), err)
	}
	if bytes.Contains(got, []byte("Paris")) {
		t.Error("the city stays")
	}
}

// A packet without room gets some, and one without a history is replaced.
func TestEnsurePacketMakesRoomOrAPacket(t *testing.T) {
	t.Parallel()
	full := withoutWrapper(historyPacket(300))
	for name, tt := range map[string]struct {
		before string
		made   bool
	}{
		"room":           {string(historyPacket(300)), false},
		"no room":        {`<?xpacket begin="" id="x"?>` + string(full) + `<?xpacket end="w"?>`, false},
		"no history":     {packetBody + strings.Repeat(" ", 400) + `<?xpacket end="w"?>`, true},
		"nothing at all": {"", true},
	} {
		path := filepath.Join(t.TempDir(), "a.jpg")
		var segments []string
		if tt.before != "" {
			segments = []string{segment(xmpNamespace, tt.before)}
		}
		if err := os.WriteFile(path, withSegments(t, segments...), 0o600); err != nil {
			t.Fatal(err)
		}
		made := false
		err := EnsurePacket(path, JPEG, 200, func() ([]byte, error) { made = true; return historyPacket(300), nil })
		if err != nil || made != tt.made {
			t.Errorf("%s: made is %v, %v", name, made, err)
		}
		if err := Stamp(path, stateAttributes(strings.Repeat("a", 100))); err != nil {
			t.Fatal(err)
		}
		packet, err := FindPacket(path)
		if err != nil || !bytes.Contains(packet, []byte("chemigram:state")) || !bytes.Contains(packet, []byte("darktable:history")) {
			t.Errorf("%s: %s, %v", name, packet, err)
		}
	}
}

func FuzzWritePacket(f *testing.F) {
	for format, data := range samples(f) {
		if format.HasPacket() {
			f.Add(string(format), data)
		}
	}
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, format string, data []byte) {
		path := filepath.Join(dir, "a")
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := WritePacket(path, Format(format), historyPacket(300)); err != nil {
			if now, _ := os.ReadFile(path); !bytes.Equal(now, data) {
				t.Errorf("an error, and the file has changed: %v", err)
			}
		}
	})
}
