package iop

import (
	"os"
	"path/filepath"
	"testing"
)

// Promise: under 2 µs.
func BenchmarkDecodeEncode(b *testing.B) {
	blob := mustDefaults(b, "filmicrgb", 6).Encode()
	for b.Loop() {
		p, err := Decode("filmicrgb", 6, blob)
		if err != nil {
			b.Fatal(err)
		}
		blob = p.Encode()
	}
}

func BenchmarkGetAndWith(b *testing.B) {
	p := mustDefaults(b, "exposure", 7)
	for b.Loop() {
		v, err := p.Get("exposure")
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.With("deflicker_target_level", v); err != nil {
			b.Fatal(err)
		}
	}
}

// Promise: under 10 ms for all tables; a program that reads one module parses
// one file.
func BenchmarkLoadAllTables(b *testing.B) {
	for b.Loop() {
		legacy := legacyBlocks()
		for op := range modules() {
			loadLayouts(op, "tables/layouts/"+op+".txt", legacy[op])
		}
		for _, r := range Releases() {
			loadRelease("tables/releases/" + r.Version() + ".txt")
		}
	}
}

func BenchmarkLoadOneModule(b *testing.B) {
	for b.Loop() {
		loadLayouts("exposure", "tables/layouts/exposure.txt", "")
	}
}

func BenchmarkDiffRetouch(b *testing.B) {
	p := mustDefaults(b, "retouch", 3)
	q, err := p.With("max_heal_iter", Number(7))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if len(Diff(p, q)) != 1 {
			b.Fatal("differences")
		}
	}
}

// Promise: under 300 ms, once for each darktable.
func BenchmarkReadInstalled(b *testing.B) {
	cache, _ := os.UserCacheDir()
	for name, pattern := range map[string]string{
		"5.4":          filepath.Join(cache, "chemigram/darktable-5.4/root/usr/lib/*/darktable"),
		"the system's": "/usr/lib/*/darktable",
	} {
		b.Run(name, func(b *testing.B) {
			modules, _ := filepath.Glob(filepath.Join(pattern, "plugins", "lib*.so"))
			libraries, _ := filepath.Glob(filepath.Join(pattern, "libdarktable.so"))
			if len(modules) == 0 {
				b.Skip("it is not installed here")
			}
			for b.Loop() {
				if in := ReadInstalled(append(modules, libraries...)); in.Len() < 50 {
					b.Fatalf("%d modules were read", in.Len())
				}
			}
		})
	}
}
