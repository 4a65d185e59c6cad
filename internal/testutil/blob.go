package testutil

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"io"
	"strings"
	"testing"
)

// UnpackBlob decodes the parameters of a history entry in a sidecar, independently of
// the code under test: hex, or "gz", two digits and base64 of zlib.
func UnpackBlob(tb testing.TB, blob string) []byte {
	tb.Helper()
	if !strings.HasPrefix(blob, "gz") {
		b, err := hex.DecodeString(blob)
		if err != nil {
			tb.Fatal(err)
		}
		return b
	}
	packed, err := base64.StdEncoding.DecodeString(blob[4:])
	if err != nil {
		tb.Fatal(err)
	}
	r, err := zlib.NewReader(bytes.NewReader(packed))
	if err != nil {
		tb.Fatal(err)
	}
	b, err := io.ReadAll(r)
	if err != nil {
		tb.Fatal(err)
	}
	return b
}
