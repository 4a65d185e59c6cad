package remote

import (
	"bytes"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"testing"

	"github.com/chemigram/chemigram/objects"
)

// BenchmarkEncryption makes and reads an object of a move's size, and one of a raw's, in a
// folder and in a bucket of a real S3 server, plain and encrypted.
func BenchmarkEncryption(b *testing.B) {
	for _, place := range []string{"folder", "bucket"} {
		for _, size := range []int{2 << 10, 24 << 20} {
			for _, prefix := range []string{"", agePrefix} {
				b.Run(fmt.Sprintf("%s/%dKB/%s", place, size>>10, map[string]string{"": "plain", agePrefix: "encrypted"}[prefix]), func(b *testing.B) {
					location := prefix + (&url.URL{Scheme: "file", Path: filepath.ToSlash(b.TempDir())}).String()
					if place == "bucket" {
						location = prefix + gateway(b).location("pictures")
					}
					makeAndRead(b, open(b, location), size)
				})
			}
		}
	}
}

func makeAndRead(b *testing.B, s objects.Store, size int) {
	b.Helper()
	content := bytes.NewReader(make([]byte, size))
	n := 0
	if err := objects.Probe(b.Context(), s); err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(size))
	for b.Loop() {
		name := fmt.Sprintf("objects/%d", n)
		n++
		if err := s.Create(b.Context(), name, content); err != nil {
			b.Fatal(err)
		}
		r, err := s.Get(b.Context(), name)
		if err != nil {
			b.Fatal(err)
		}
		if got, err := io.Copy(io.Discard, r); got != int64(size) || err != nil {
			b.Fatal(got, err)
		}
		_ = r.Close()
		if err := s.Delete(b.Context(), name); err != nil {
			b.Fatal(err)
		}
	}
}
