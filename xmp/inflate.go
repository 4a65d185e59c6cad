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

	"github.com/chemigram/chemigram/xmp/internal/rdf"
)

// blobDecoder decodes the blobs of one document and bounds their size.
type blobDecoder struct {
	inflated map[string][]byte // by the compressed text, as many occur often
	total    int
}

// decode reads a blob's text. Malformed text is kept; bytes then gives the error.
func (d *blobDecoder) decode(text string) (blob, error) {
	if len(text) > 2*MaxBlob {
		return blob{}, errorf(TooLarge, "a blob of %d characters; at most %d bytes are read", len(text), MaxBlob)
	}
	if isLowerHex(text) {
		return blob{text: text}, nil
	}
	packed, ok := gzBody(text)
	if !ok {
		if data, err := hex.DecodeString(text); err == nil {
			return hexBlob(data), nil
		}
		return blob{text: text, err: errorf(BadBlob, "%s is neither hex nor gz, two digits and base64", rdf.Quote(text))}, nil
	}
	data, ok := d.inflated[text]
	if !ok {
		var err error
		data, err = inflate(packed)
		if err != nil {
			if e, ok := errors.AsType[*Error](err); ok && e.Kind == TooLarge {
				return blob{}, err
			}
			return blob{text: text, err: &Error{Kind: BadBlob, Message: "gz", Err: err}}, nil
		}
		if d.inflated == nil {
			d.inflated = map[string][]byte{}
		}
		d.inflated[text] = data
	}
	if d.total += len(data); d.total > MaxAllBlobs {
		return blob{}, errorf(TooLarge, "compressed blobs of more than %d bytes in all", MaxAllBlobs)
	}
	return blob{text: text, data: data}, nil
}

// gzBody takes off the prefix of a compressed blob.
func gzBody(text string) (string, bool) {
	if len(text) < 4 || text[:2] != "gz" || !isDigit(text[2]) || !isDigit(text[3]) {
		return "", false
	}
	return text[4:], true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// inflaters are pooled: making one costs more than inflating most blobs.
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
			return nil, errorf(TooLarge, "a compressed blob of more than %d bytes", MaxBlob)
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

// deflaters are pooled for the same reason.
var deflaters = sync.Pool{New: func() any { return zlib.NewWriter(nil) }}

func appendDeflated(dst, data []byte) []byte {
	var packed bytes.Buffer
	w := deflaters.Get().(*zlib.Writer)
	defer deflaters.Put(w)
	w.Reset(&packed)
	// Writing to a bytes.Buffer does not fail.
	_, _ = w.Write(data)
	_ = w.Close()
	factor := min(len(data)/packed.Len()+1, 99)
	dst = append(dst, 'g', 'z', '0'+byte(factor/10), '0'+byte(factor%10))
	return base64.StdEncoding.AppendEncode(dst, packed.Bytes())
}
