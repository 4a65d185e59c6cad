package farm

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/chemigram/chemigram/internal/regularfile"
)

// What a result may have at most.
const (
	mostHead   = 1 << 10 // bytes of its first line
	mostResult = 4 << 30 // bytes of a picture
)

// head is the first line of a result, as JSON; the picture follows. It says for which job
// the picture was made, so that an object that was moved is found.
type head struct {
	Version int    `json:"chemigram_picture"`
	Key     string `json:"key"`
	Bytes   int64  `json:"bytes"`
	SHA256  string `json:"sha256"`
}

// record is a result as it is written: the head, then a file.
type record struct {
	head []byte
	file *os.File
	size int64
}

// newRecord makes the result of a picture in a file, which the caller closes after use.
func newRecord(ctx context.Context, key, path string) (*record, error) {
	f, info, err := regularfile.Open(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.New()
	err = regularfile.Copy(ctx, sum, f, info.Size())
	if err == nil && info.Size() > mostResult {
		err = fmt.Errorf("the picture has %d bytes, more than the %d that a result may have", info.Size(), int64(mostResult))
	}
	line, encodeErr := json.Marshal(head{Version: 1, Key: key, Bytes: info.Size(), SHA256: hex.EncodeToString(sum.Sum(nil))})
	if err = errors.Join(err, encodeErr); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return &record{head: append(line, '\n'), file: f, size: info.Size()}, nil
}

// ReadAt reads the head and then the file.
func (r *record) ReadAt(p []byte, off int64) (n int, err error) {
	if off < int64(len(r.head)) {
		if n = copy(p, r.head[off:]); n == len(p) {
			return n, nil
		}
	}
	more, err := r.file.ReadAt(p[n:], off+int64(n)-int64(len(r.head)))
	return n + more, err
}

// content is all of the record.
func (r *record) content() io.ReadSeeker {
	return io.NewSectionReader(r, 0, int64(len(r.head))+r.size)
}

// errDamaged says that an object of the farm is not what it should be.
var errDamaged = errors.New("the object is not what it should be")

// readHead reads the first line of a result, and checks that it is the one of a job.
func readHead(r *bufio.Reader, key string) (h head, err error) {
	line, err := r.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || errors.Is(err, io.EOF) {
		return h, fmt.Errorf("%w: it has no first line", errDamaged)
	}
	if err != nil {
		return h, err
	}
	decoder := json.NewDecoder(bytes.NewReader(line))
	decoder.DisallowUnknownFields()
	switch err := decoder.Decode(&h); {
	case err != nil, h.Version != 1, !digestForm.MatchString(h.SHA256), h.Bytes <= 0, h.Bytes > mostResult:
		return h, fmt.Errorf("%w: its first line is none", errDamaged)
	case h.Key != key:
		return h, fmt.Errorf("%w: it is the picture of another job", errDamaged)
	}
	return h, nil
}

// readRecord writes the picture of a result to a new file, which is removed when the
// result is damaged.
func readRecord(ctx context.Context, from io.Reader, key, path string) error {
	r := bufio.NewReaderSize(from, mostHead)
	h, err := readHead(r, key)
	if err != nil {
		return err
	}
	return copyVerified(ctx, path, r, h.Bytes, h.SHA256)
}

// copyVerified writes all of from to a new file, which is removed unless it has so many
// bytes of that digest.
func copyVerified(ctx context.Context, path string, from io.Reader, size int64, digest string) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() {
		if err = errors.Join(err, f.Close()); err != nil {
			_ = os.Remove(path)
		}
	}()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(f, sum), io.LimitReader(regularfile.Reader(ctx, from), size+1))
	if err != nil {
		return err
	}
	if n != size || hex.EncodeToString(sum.Sum(nil)) != digest {
		return fmt.Errorf("%w: its content has another digest than it says", errDamaged)
	}
	return nil
}
