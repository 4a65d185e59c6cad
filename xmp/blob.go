package xmp

import (
	"bytes"
	"compress/zlib"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// blob is a parameter blob: hex, or "gz", two digits and base64 of a zlib
// stream. Hex stays undecoded until somebody asks; gz is inflated by Parse, so
// that its cost is bounded there. What is neither is kept as it stands.
type blob struct {
	text string // lower-case hex, gz, or as it stood when err is set
	data []byte // inflated, when text is gz
	err  error
}

// hexBlob encodes bytes.
func hexBlob(data []byte) blob { return blob{text: hex.EncodeToString(data)} }

// bytes gives what the blob holds. The result is not to be written to.
func (b *blob) bytes() ([]byte, error) {
	if b.err != nil || b.data != nil || b.text == "" {
		return b.data, b.err
	}
	data, err := hex.DecodeString(b.text)
	if err != nil {
		return nil, &Error{Kind: BadBlob, Message: "hex", Err: err}
	}
	return data, nil
}

// holds tells whether the blob decodes to data.
func (b *blob) holds(data []byte) bool {
	switch {
	case b.err != nil:
		return false
	case b.data != nil:
		return bytes.Equal(b.data, data)
	}
	return len(b.text) == 2*len(data) && b.text == hex.EncodeToString(data)
}

// appendHex writes the blob in the canonical way.
func (b *blob) appendHex(dst []byte) []byte {
	if b.data != nil {
		return hex.AppendEncode(dst, b.data)
	}
	if b.err != nil {
		return appendAttr(dst, b.text)
	}
	return append(dst, b.text...)
}

// appendFile writes the blob as darktable does: hex up to 100 bytes, gz above.
func (b *blob) appendFile(dst []byte) []byte {
	const most = 100
	switch {
	case b.err != nil:
		return appendAttr(dst, b.text)
	case b.data != nil && len(b.data) <= most:
		return hex.AppendEncode(dst, b.data)
	case b.data == nil && len(b.text) > 2*most:
		data, err := b.bytes()
		if err == nil {
			return appendDeflated(dst, data)
		}
	}
	return append(dst, b.text...)
}

// inflater decodes the blobs of one document and keeps account of their size.
type inflater struct {
	known map[string][]byte
	total int
}

// decode reads a blob's text. Malformed text is no failure: it is kept, and
// reported by whoever asks for the bytes.
func (f *inflater) decode(text string) (blob, error) {
	if lowerHex(text) {
		return blob{text: text}, nil
	}
	packed, ok := gzBody(text)
	if !ok {
		if data, err := hex.DecodeString(text); err == nil {
			return hexBlob(data), nil
		}
		return blob{text: text, err: failf(BadBlob, "%s is neither hex nor gz, two digits and base64", quoted(text))}, nil
	}
	data, ok := f.known[text]
	if !ok {
		var err error
		data, err = inflate(packed)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); ok && e.Kind == TooLarge {
				return blob{}, err
			}
			return blob{text: text, err: &Error{Kind: BadBlob, Message: "gz", Err: err}}, nil
		}
		if f.known == nil {
			f.known = map[string][]byte{}
		}
		f.known[text] = data
	}
	if f.total += len(data); f.total > MaxAllBlobs {
		return blob{}, failf(TooLarge, "compressed blobs of more than %d bytes in all", MaxAllBlobs)
	}
	return blob{text: text, data: data}, nil
}

// gzBody takes off the prefix of a compressed blob.
func gzBody(text string) (string, bool) {
	if len(text) < 4 || text[:2] != "gz" || !digit(text[2]) || !digit(text[3]) {
		return "", false
	}
	return text[4:], true
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// inflaters are kept because making one costs more than most blobs.
var inflaters sync.Pool

func inflate(packed string) ([]byte, error) {
	if strings.ContainsAny(packed, "\r\n") {
		return nil, errors.New("a line break in base64")
	}
	stream, err := base64.StdEncoding.DecodeString(packed)
	if err != nil {
		return nil, err
	}
	src := bytes.NewReader(stream)
	r, ok := inflaters.Get().(io.ReadCloser)
	if ok {
		err = r.(zlib.Resetter).Reset(src, nil)
	} else {
		r, err = zlib.NewReader(src)
	}
	if err != nil {
		return nil, err
	}
	defer inflaters.Put(r)
	data := make([]byte, 0, 512)
	for {
		n, err := r.Read(data[len(data):cap(data)])
		data = data[:len(data)+n]
		switch {
		case len(data) > MaxBlob:
			return nil, failf(TooLarge, "a compressed blob of more than %d bytes", MaxBlob)
		case err == io.EOF && src.Len() > 0:
			return nil, fmt.Errorf("%d bytes after the end of the zlib stream", src.Len())
		case err == io.EOF:
			return data, nil
		case err != nil:
			return nil, err
		case len(data) == cap(data):
			data = append(data, 0)[:len(data)]
		}
	}
}

// deflaters likewise.
var deflaters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

func appendDeflated(dst, data []byte) []byte {
	var packed bytes.Buffer
	w := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(w)
	w.Reset(&packed)
	// A bytes.Buffer accepts everything.
	_, _ = w.Write(data)
	_ = w.Close()
	factor := min(len(data)/packed.Len()+1, 99)
	dst = append(dst, 'g', 'z', '0'+byte(factor/10), '0'+byte(factor%10))
	return base64.StdEncoding.AppendEncode(dst, packed.Bytes())
}

// lowerHex tells whether s is an even number of lower-case hex digits.
func lowerHex(s string) bool {
	if len(s)%2 != 0 {
		return false
	}
	for len(s) >= 8 {
		if !lowerHexWord(word(s)) {
			return false
		}
		s = s[8:]
	}
	for i := range len(s) {
		if c := s[i]; !digit(c) && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// lowerHexWord tests eight digits at once. With the high bit clear in every
// byte, adding 0x80-n sets it where the byte is n or more, without carries.
func lowerHexWord(w uint64) bool {
	if w&highs != 0 {
		return false
	}
	digits := (w + ones*(0x80-'0')) &^ (w + ones*(0x80-'9'-1))
	letters := (w + ones*(0x80-'a')) &^ (w + ones*(0x80-'f'-1))
	return (digits|letters)&highs == highs
}
