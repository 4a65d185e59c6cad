package xmp

import (
	"bytes"
	"crypto/sha256"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"testing"
)

// bigSidecar is a sidecar with 40 history entries of the sizes that real ones
// have: 420 bytes of blend parameters, parameters from 4 to 2,000 bytes.
func bigSidecar(tb testing.TB) *Sidecar {
	tb.Helper()
	operations := []string{
		"rawprepare", "temperature", "highlights", "hotpixels", "rawdenoise", "demosaic", "denoiseprofile", "exposure",
		"lens", "ashift", "flip", "crop", "toneequal", "graduatednd", "colorin", "channelmixerrgb", "diffuse", "blurs",
		"primaries", "colorbalancergb", "bilat", "filmicrgb", "sigmoid", "vibrance", "colorzones", "velvia", "shadhi",
		"sharpen", "grain", "vignette", "colorout", "dither", "borders", "watermark", "gamma",
	}
	s := mustParse(tb, packet(v50+` darktable:raw_params="0" darktable:auto_presets_applied="1" darktable:history_end="0"`))
	blend := make([]byte, 420)
	copy(blend, "\x00\x00\x00\x00\x00\x00\x00\x00\x18")
	copy(blend[16:], "\x00\x00\xc8\x42")
	var edits []Edit
	add := func(operation, name string, i int) {
		e := put(operation, name).Entry
		params := sha256.Sum256([]byte(operation))
		e.Params = bytes.Repeat(params[:], 1+i%7)[:4+(i*37)%(28*(1+i%7))]
		if i%19 == 0 {
			e.Params = bytes.Repeat(params[:], 63)
		}
		e.BlendVersion, e.Blend = 14, bytes.Clone(blend)
		if i%5 == 0 {
			e.Blend[24] = byte(i)
		}
		edits = append(edits, Put{Entry: e})
	}
	for i, operation := range operations {
		add(operation, "", i)
	}
	for i := range 40 - len(operations) {
		add("exposure", fmt.Sprintf("lift %d", i), i)
	}
	s = with(tb, s, edits...)
	if s.HistoryEnd() != 40 {
		tb.Fatalf("%d entries", s.HistoryEnd())
	}
	return s
}

func forms(tb testing.TB) map[string][]byte {
	s := bigSidecar(tb)
	return map[string][]byte{"canonical": s.Canonical(), "file": s.Bytes()}
}

func BenchmarkParse(b *testing.B) {
	for name, data := range forms(b) {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Parse(data); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(name+"/encoding-xml-RawToken", func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				d := xml.NewDecoder(bytes.NewReader(data))
				for {
					if _, err := d.RawToken(); errors.Is(err, io.EOF) {
						break
					} else if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}

func BenchmarkCanonical(b *testing.B) {
	for name, data := range forms(b) {
		s := mustParse(b, data)
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				s.Canonical()
			}
		})
	}
}

func BenchmarkBytes(b *testing.B) {
	s := mustParse(b, bigSidecar(b).Canonical())
	b.ReportAllocs()
	for b.Loop() {
		s.Bytes()
	}
}

func BenchmarkParseEditCanonical(b *testing.B) {
	target := release(b, "5.4.1")
	for name, data := range forms(b) {
		b.Run(name, func(b *testing.B) {
			edit := put("exposure", "lift 1", 1, 2, 3)
			b.ReportAllocs()
			for b.Loop() {
				s, err := Parse(data)
				if err != nil {
					b.Fatal(err)
				}
				if s, err = s.With(target, edit); err != nil {
					b.Fatal(err)
				}
				s.Canonical()
			}
		})
	}
}
