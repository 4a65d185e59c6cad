package encrypted

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
)

// The bytes of an object: a format, a salt, and pieces of chunk bytes and a tag each, of
// which the last may be shorter. Only that of an empty object has no bytes.
const (
	contentFormat = 1
	saltSize      = 32
	headerSize    = 1 + saltSize
	chunk         = 64 << 10
	tagSize       = 16
)

var (
	errContent = errors.New("its bytes are not those that were encrypted for this name with this key")
	errChanged = errors.New("what it should have changed while it was sent")
	errSeek    = errors.New("a place before the beginning")
)

// sealedSize is how many bytes an object of so many has when it is encrypted.
func sealedSize(plain int64) int64 { return headerSize + plain + tagSize*chunks(plain) }

// chunks is in how many pieces so many bytes are.
func chunks(plain int64) int64 { return max(1, (plain+chunk-1)/chunk) }

// plainSize is how many bytes an object has of which the encrypted one has so many.
func plainSize(sealed int64) int64 {
	body := sealed - headerSize
	return max(0, body-(body+chunk+tagSize-1)/(chunk+tagSize)*tagSize)
}

// contentCipher is that of one object.
func contentCipher(key, salt []byte, name string) (cipher.AEAD, error) {
	own, err := hkdf.Key(sha256.New, key, salt, "chemigram object 1 "+name, 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(own)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// nonce is that of a piece.
func nonce(at int64, last bool) []byte {
	n := make([]byte, 12)
	binary.BigEndian.PutUint64(n[3:], uint64(at)) //nolint:gosec // a number of pieces
	if last {
		n[11] = 1
	}
	return n
}

// sealer is the encrypted bytes of some content. They may be read more than once, and are
// the same each time: content that has changed meanwhile is an error, and is not encrypted
// with the nonces of another.
type sealer struct {
	content io.ReadSeeker
	size    int64 // of the content
	header  [headerSize]byte
	aead    cipher.AEAD
	tags    [][tagSize]byte // of the pieces that were read; zero of others
	plain   []byte
	sealed  []byte // of the piece at
	at      int64
	next    int64 // the piece at which the content is
	pos     int64
}

func newSealer(key []byte, name string, content io.ReadSeeker) (*sealer, error) {
	size, err := content.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	s := &sealer{
		content: content, size: size, tags: make([][tagSize]byte, chunks(size)), at: -1, next: -1,
		plain: make([]byte, min(size, chunk)), sealed: make([]byte, 0, min(size, chunk)+tagSize),
	}
	s.header[0] = contentFormat
	_, _ = rand.Read(s.header[1:]) // it never fails
	s.aead, err = contentCipher(key, s.header[1:], name)
	return s, err
}

// Read reads encrypted bytes.
func (s *sealer) Read(p []byte) (int, error) {
	switch {
	case len(p) == 0:
		return 0, nil
	case s.pos >= sealedSize(s.size):
		return 0, io.EOF
	case s.pos < headerSize:
		n := copy(p, s.header[s.pos:])
		s.pos += int64(n)
		return n, nil
	}
	const whole = chunk + tagSize
	piece, offset := (s.pos-headerSize)/whole, (s.pos-headerSize)%whole
	if piece != s.at {
		if err := s.load(piece); err != nil {
			s.at, s.next = -1, -1
			return 0, err
		}
	}
	n := copy(p, s.sealed[offset:])
	s.pos += int64(n)
	return n, nil
}

// load encrypts a piece.
func (s *sealer) load(piece int64) error {
	if s.next != piece {
		if _, err := s.content.Seek(piece*chunk, io.SeekStart); err != nil {
			return err
		}
	}
	plain := s.plain[:min(chunk, s.size-piece*chunk)]
	if _, err := io.ReadFull(s.content, plain); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errChanged
	} else if err != nil {
		return err
	}
	s.sealed = s.aead.Seal(s.sealed[:0], nonce(piece, piece == chunks(s.size)-1), plain, nil)
	tag := [tagSize]byte(s.sealed[len(plain):])
	if s.tags[piece] != ([tagSize]byte{}) && s.tags[piece] != tag {
		return errChanged
	}
	s.tags[piece], s.at, s.next = tag, piece, piece+1
	return nil
}

// Seek goes to a place of the encrypted bytes.
func (s *sealer) Seek(offset int64, whence int) (int64, error) {
	switch whence {
	case io.SeekCurrent:
		offset += s.pos
	case io.SeekEnd:
		offset += sealedSize(s.size)
	}
	if offset < 0 {
		return 0, errSeek
	}
	s.pos = offset
	return offset, nil
}

// opener gives the content of encrypted bytes. It gives nothing that is not authentic.
type opener struct {
	from io.Reader
	key  []byte
	name string
	aead cipher.AEAD
	buf  []byte // a piece, and the first byte of the next
	have int    // bytes of the next piece that are in buf
	at   int64
	rest []byte // of the piece that was decrypted
	err  error
}

func newOpener(key []byte, name string, from io.Reader) *opener {
	return &opener{from: from, key: key, name: name}
}

// Read reads content.
func (o *opener) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	for len(o.rest) == 0 && o.err == nil {
		o.rest, o.err = o.load()
	}
	n := copy(p, o.rest)
	if o.rest = o.rest[n:]; n > 0 {
		return n, nil
	}
	return 0, o.err
}

// load decrypts the next piece. With the last one it gives io.EOF.
func (o *opener) load() ([]byte, error) {
	if o.aead == nil {
		if err := o.begin(); err != nil {
			return nil, err
		}
	}
	n, err := io.ReadFull(o.from, o.buf[o.have:])
	n += o.have
	last := errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	if err != nil && !last {
		return nil, err
	}
	if !last {
		n--
	}
	next := o.buf[len(o.buf)-1]
	if n < tagSize || n == tagSize && o.at > 0 {
		return nil, errContent
	}
	plain, err := o.aead.Open(o.buf[:0], nonce(o.at, last), o.buf[:n], nil)
	if err != nil {
		return nil, errContent
	}
	o.at++
	if last {
		return plain, io.EOF
	}
	// The piece is given before the next is read, so its first byte stays behind it.
	o.have = 1
	return o.give(plain, next), nil
}

// give moves a piece out of the way of the next one.
func (o *opener) give(plain []byte, next byte) []byte {
	out := o.buf[1 : 1+len(plain)]
	copy(out, plain)
	o.buf[0] = next
	return out
}

// begin reads what comes before the pieces.
func (o *opener) begin() error {
	var header [headerSize]byte
	if _, err := io.ReadFull(o.from, header[:]); errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return errContent
	} else if err != nil {
		return err
	}
	if header[0] != contentFormat {
		return errContent
	}
	o.buf = make([]byte, chunk+tagSize+1)
	var err error
	o.aead, err = contentCipher(o.key, header[1:], o.name)
	return err
}
