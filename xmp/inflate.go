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

// inflater decodes the blobs of one document and keeps account of their size.
type inflater struct {
	known map[string][]byte
	total int
}

// decode reads a blob's text. Malformed text is no failure: it is kept, and
// reported by whoever asks for the bytes.
func (f *inflater) decode(text string) (blob, error) {
	if len(text) > 2*MaxBlob {
		return blob{}, failf(TooLarge, "a blob of %d characters; at most %d bytes are read", len(text), MaxBlob)
	}
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
