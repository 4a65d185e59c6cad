package encrypted

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base32"
	"errors"
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/objects"
)

// alphabet has what a name may have beside slashes. Three of its letters fit into two
// bytes, so that a long name is not much longer when it is encrypted.
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789-_=."

// letters encode the bytes of an encrypted part: no file system takes two of them for one.
var letters = base32.NewEncoding("0123456789abcdefghijklmnopqrstuv").WithPadding(base32.NoPadding)

const (
	sivSize = 16
	// maxPart is how long a part of a name may be, so that the encrypted one is a name, too.
	maxPart = 180
)

// names encrypts names.
type names struct {
	mac    []byte
	stream cipher.Block
}

func newNames(mac, stream []byte) (names, error) {
	block, err := aes.NewCipher(stream)
	return names{mac, block}, err
}

// seal encrypts a name that is one.
func (n names) seal(name string) (string, error) {
	var b strings.Builder
	for at, part := 0, ""; at <= len(name); at += len(part) + 1 {
		part, _, _ = strings.Cut(name[at:], "/")
		if at > 0 {
			b.WriteByte('/')
		}
		if len(part) > maxPart {
			return "", tooLong(name)
		}
		b.WriteString(n.sealPart(name[:at], part))
	}
	if b.Len()+len(objectsFolder) > objects.MaxName {
		return "", tooLong(name)
	}
	return b.String(), nil
}

func tooLong(name string) error {
	return &objects.Error{Kind: objects.Invalid, Name: name, Message: fmt.Sprintf("it is too long to be encrypted: a part of it may have %d bytes", maxPart)}
}

// sealPart encrypts the part of a name in a folder, which is "" or ends with a slash.
func (n names) sealPart(folder, part string) string {
	text := pack(part)
	siv := n.siv(folder, part)
	cipher.NewCTR(n.stream, siv).XORKeyStream(text, text)
	return letters.EncodeToString(append(siv, text...))
}

// siv authenticates a part of a name, and is different for each.
func (n names) siv(folder, part string) []byte {
	mac := hmac.New(sha256.New, n.mac)
	mac.Write([]byte(folder + "\x00" + part))
	return mac.Sum(nil)[:sivSize:sivSize]
}

var errName = errors.New("it is no name that was encrypted here with this key")

// openPart decrypts a part of a name that is in a folder.
func (n names) openPart(folder, sealed string) (string, error) {
	data, err := letters.DecodeString(sealed)
	if err != nil || len(data) <= sivSize {
		return "", errName
	}
	again := letters.EncodeToString(data)
	siv, text := data[:sivSize], data[sivSize:]
	cipher.NewCTR(n.stream, siv).XORKeyStream(text, text)
	part, ok := unpack(text)
	if !ok || again != sealed || !hmac.Equal(siv, n.siv(folder, part)) || !bytes.Equal(pack(part), text) {
		return "", errName
	}
	return part, nil
}

// pack writes a part's length, then three letters in two bytes, and the rest as they are.
func pack(part string) []byte {
	packed := append(make([]byte, 0, 2+len(part)*2/3), byte(len(part)))
	for len(part) >= 3 {
		v := 0
		for i := range 3 {
			v = v*len(alphabet) + strings.IndexByte(alphabet, part[i])
		}
		packed, part = append(packed, byte(v>>8), byte(v)), part[3:]
	}
	return append(packed, part...)
}

// unpack reads what pack wrote.
func unpack(packed []byte) (string, bool) {
	size, packed := int(packed[0]), packed[1:]
	if size > maxPart || len(packed) != size/3*2+size%3 {
		return "", false
	}
	part := make([]byte, 0, size)
	for ; len(part)+3 <= size; packed = packed[2:] {
		v, n := int(packed[0])<<8|int(packed[1]), len(alphabet)
		if v >= n*n*n {
			return "", false
		}
		part = append(part, alphabet[v/n/n], alphabet[v/n%n], alphabet[v%n])
	}
	part = append(part, packed...)
	return string(part), objects.CheckName(string(part)) == nil && !strings.Contains(string(part), "/")
}

// openBelow decrypts a name. opened has the folders that were decrypted before, with the
// one that the name lies in or below.
func (n names) openBelow(opened map[string]string, sealed string) (string, error) {
	at := strings.LastIndexByte(sealed, '/') + 1
	folder, ok := opened[sealed[:at]]
	if !ok {
		if at == 0 {
			return "", errName
		}
		name, err := n.openBelow(opened, sealed[:at-1])
		if err != nil {
			return "", err
		}
		folder = name + "/"
		opened[sealed[:at]] = folder
	}
	part, err := n.openPart(folder, sealed[at:])
	return folder + part, err
}
