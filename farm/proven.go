package farm

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
)

// provenReader reads a file whose digest is known. It gives the last bytes only when all
// of them have the digest, so that nothing else is ever sent under its name.
type provenReader struct {
	file   *os.File
	size   int64
	digest string
	at     int64
	sum    hash.Hash
}

func (p *provenReader) Seek(offset int64, whence int) (int64, error) {
	switch {
	case whence == io.SeekStart && offset == 0:
		p.at, p.sum = 0, sha256.New()
	case whence == io.SeekEnd && offset == 0:
		p.at = p.size
	case whence == io.SeekCurrent && offset == 0:
	default:
		return 0, fmt.Errorf("a raw is read from its beginning: %w", errors.ErrUnsupported)
	}
	return p.at, nil
}

func (p *provenReader) Read(b []byte) (int, error) {
	if p.at >= p.size {
		return 0, io.EOF
	}
	n, err := p.file.ReadAt(b[:min(int64(len(b)), p.size-p.at)], p.at)
	if err != nil && !errors.Is(err, io.EOF) {
		return 0, err
	}
	if n == 0 {
		return 0, io.ErrUnexpectedEOF
	}
	_, _ = p.sum.Write(b[:n])
	p.at += int64(n)
	if p.at == p.size && hex.EncodeToString(p.sum.Sum(nil)) != p.digest {
		return 0, fmt.Errorf("%w: the raw %s has changed", errDamaged, filepath.Base(p.file.Name()))
	}
	return n, nil
}
