package xmp

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// drawn is a sidecar with a masked instance of ours: a group of one shape, twice
// listed.
var drawn = bytes.Replace(packet(v50+` xmlns:chemigram="`+OriginNamespace+`" darktable:history_end="2"`,
	li(0, "exposure", "02", "", 0),
	strings.NewReplacer(`blendop_params="00"`, `blendop_params="03000000`+strings.Repeat("0", 40)+`09000000`+strings.Repeat("0", 784)+`" chemigram:origins="p/e@1#L3"`).
		Replace(li(1, "exposure", "01", "lift", 1)), li(2, "sigmoid", "04", "", 0)),
	[]byte("<darktable:history>"), []byte(`<darktable:masks_history><rdf:Seq>`+
		strings.Repeat(`<rdf:li darktable:mask_num="1" darktable:mask_id="8" darktable:mask_type="1" darktable:mask_version="6" darktable:mask_points="0000003f0000003f0000003f0000003f" darktable:mask_nb="1" darktable:mask_src="0000000000000000"/>`+
			`<rdf:li darktable:mask_num="1" darktable:mask_id="9" darktable:mask_type="4" darktable:mask_version="6" darktable:mask_points="0800000009000000030000000000803f" darktable:mask_nb="1" darktable:mask_src="0000000000000000"/>`, 2)+
		`</rdf:Seq></darktable:masks_history><darktable:history>`), 1)

// FuzzParse checks what must hold of everything that Parse accepts.
func FuzzParse(f *testing.F) {
	f.Add(packet(v50, li(0, "exposure", "02", "", 0), li(1, "exposure", "zz", "a", 1)))
	f.Add([]byte(unknownThings))
	f.Add(drawn)
	for _, bytes := range forms(f) {
		f.Add(bytes)
	}
	target := release(f, "5.4.1")
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := Parse(data)
		if err != nil {
			return
		}
		again, err := Parse(s.Bytes())
		if err != nil {
			t.Fatalf("Bytes cannot be parsed: %v\n%s", err, s.Bytes())
		}
		if !s.Equal(again) {
			t.Fatalf("another after Bytes:\n%s", cmp.Diff(string(s.Bytes()), string(again.Bytes())))
		}
		canonical := s.Canonical()
		bare, err := Parse(canonical)
		if err != nil {
			t.Fatalf("Canonical cannot be parsed: %v\n%s", err, canonical)
		}
		if got := bare.Canonical(); !bytes.Equal(canonical, got) {
			t.Fatalf("Canonical is not stable:\n%s", cmp.Diff(string(canonical), string(got)))
		}
		compact, err := s.Compact(target)
		if err != nil {
			return
		}
		if twice, err := compact.Compact(target); err != nil || !twice.Equal(compact) {
			t.Fatalf("Compact is not stable: %v\n%s", err, cmp.Diff(string(compact.Bytes()), string(twice.Bytes())))
		}
		put, err := compact.With(target, Put{Entry: Entry{Operation: "exposure", MultiName: "\x01fuzz"[1:], Params: []byte{1}, Blend: []byte{2}, Origins: []Origin{{Entry: "e"}}}})
		if err != nil {
			return
		}
		if _, there := compact.Find("exposure", "fuzz"); there {
			return
		}
		removed, err := put.With(target, Remove{"exposure", "fuzz"})
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(removed.Canonical(), compact.Canonical()) {
			t.Fatalf("put and removed:\n%s", cmp.Diff(string(compact.Canonical()), string(removed.Canonical())))
		}
	})
}

func FuzzParseStyle(f *testing.F) {
	f.Add([]byte(style))
	f.Fuzz(func(t *testing.T, data []byte) {
		s, err := ParseStyle(data)
		if err != nil {
			return
		}
		again, err := ParseStyle(s.Bytes())
		if err != nil {
			t.Fatalf("Bytes cannot be parsed: %v\n%s", err, s.Bytes())
		}
		if diff := cmp.Diff(s, again, styleOptions); diff != "" {
			t.Fatal(diff)
		}
	})
}

// FuzzBlob checks both encodings of what a blob holds.
func FuzzBlob(f *testing.F) {
	for _, seed := range []string{"", "00", "0A", "xx", "0", "gz01eJxjYGBgAAAABAAB", "gz14eJxjYIAACQYYOOHEgAZY0QVwggZ7CB6pfNoAAE8gGQg=", "gz01", "gz01!!!!"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var blobs blobDecoder
		b, err := blobs.decode(text)
		if err != nil {
			return
		}
		data, err := b.bytes()
		if err != nil {
			if b.text != text {
				t.Fatalf("%q became %q", text, b.text)
			}
			return
		}
		for _, written := range [][]byte{b.appendHex(nil), b.appendFile(nil)} {
			again, err := blobs.decode(string(written))
			if err != nil {
				t.Fatal(err)
			}
			if got, err := again.bytes(); err != nil || !bytes.Equal(data, got) {
				t.Fatalf("%q became %q, which holds %x, %v; want %x", text, written, got, err, data)
			}
		}
		if !b.equals(data) || len(data) > 0 && b.equals(data[1:]) {
			t.Fatalf("equals is wrong about %x", data)
		}
	})
}
