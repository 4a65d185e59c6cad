package share

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/chemigram/chemigram/internal/fault"
)

// seal gives the bytes of an object that carries its own digest: a line of JSON, and a
// line with the JSON's SHA-256.
func seal(v any) ([]byte, error) {
	text, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	return fmt.Appendf(text, "\n%x\n", sum), nil
}

// unseal reads what seal wrote, byte for byte.
func unseal(data []byte, v any) error {
	text, rest, ok := bytes.Cut(data, []byte("\n"))
	sum := sha256.Sum256(text)
	if !ok || string(rest) != hex.EncodeToString(sum[:])+"\n" {
		return corrupt("its bytes are not those that were written")
	}
	if err := json.Unmarshal(text, v); err != nil {
		return corrupt("it cannot be read: %v", err)
	}
	return nil
}

// corrupt is the fault of what a remote has that is not what was written there.
func corrupt(format string, args ...any) *fault.Error {
	out := fault.New(fault.Versioning, format, args...)
	out.Permanent = true
	return out
}
