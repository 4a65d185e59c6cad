package workspace

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

// A small JSON file of the workspace carries a checksum, so that a flipped bit is
// found: the CRC-32C of the file's bytes, with zeros in the checksum's place. A
// file without one, as a person or an older program writes it, is read as it is. Where
// a single bit has changed, the checksum says which: no other bit's change gives it.

// checksum is the last member of such a file.
type checksum struct {
	CRC32C string `json:"crc32c"`
}

const (
	checksumMember = `"crc32c": "`
	noChecksum     = "00000000"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var errChecksum = errors.New("its checksum says that bytes have changed since it was written")

// marshalChecked writes a value that ends with a checksum.
func marshalChecked(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	data = append(data, '\n')
	if at := checksumAt(data); at >= 0 {
		copy(data[at:], fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli)))
	}
	return data, nil
}

// checksumAt finds the digits of the checksum, the last ones, as texts before them may
// look like it; -1 where there are none.
func checksumAt(data []byte) int {
	at := bytes.LastIndex(data, []byte(checksumMember))
	if at < 0 {
		return -1
	}
	at += len(checksumMember)
	if _, ok := checksumSaid(data, at); !ok {
		return -1
	}
	return at
}

// checksumSaid reads the digits of a checksum, which are lower-case.
func checksumSaid(data []byte, at int) (sum uint32, ok bool) {
	end := at + len(noChecksum)
	if end >= len(data) || data[end] != '"' {
		return 0, false
	}
	for _, c := range data[at:end] {
		switch {
		case '0' <= c && c <= '9':
			sum = sum<<4 | uint32(c-'0')
		case 'a' <= c && c <= 'f':
			sum = sum<<4 | uint32(c-'a'+10)
		default:
			return 0, false
		}
	}
	return sum, true
}

// unmarshalChecked reads what marshalChecked wrote.
func unmarshalChecked(data []byte, v any) error {
	if at := checksumAt(data); at >= 0 && !agrees(data, at) {
		return errChecksum
	}
	return json.Unmarshal(data, v)
}

// unmarshalMended is unmarshalChecked for a file that nothing else could be read for: one
// in which a single bit has changed is read as it was.
func unmarshalMended(data []byte, v any) error {
	err := unmarshalChecked(data, v)
	if err == nil {
		return nil
	}
	if mended := mend(data); mended != nil {
		return json.Unmarshal(mended, v)
	}
	return err
}

// agrees reports whether the checksum at a place is that of the data.
func agrees(data []byte, at int) bool {
	said, _ := checksumSaid(data, at)
	sum := crc32.Update(0, castagnoli, data[:at])
	sum = crc32.Update(sum, castagnoli, []byte(noChecksum))
	return crc32.Update(sum, castagnoli, data[at+len(noChecksum):]) == said
}

const (
	mostMended = 8 << 10 // bytes of a file that is mended; its time grows with their square
	memberSize = 32      // at least how many bytes lie from the checksum's member to the end
)

// mend changes one bit back, if there is one such that the checksum agrees then; nil
// otherwise, and when nothing is wrong or there is no checksum.
func mend(data []byte) (mended []byte) {
	at := checksumAt(data)
	if len(data) > mostMended || at >= 0 && agrees(data, at) {
		return nil
	}
	work := bytes.Clone(data)
	for i := range work {
		inMember := i >= len(work)-memberSize
		if at < 0 && !inMember {
			continue
		}
		for bit := range 8 {
			work[i] ^= 1 << bit
			place := at
			if inMember {
				place = checksumAt(work)
			}
			if place >= 0 && agrees(work, place) {
				if mended != nil {
					return nil // nobody knows which
				}
				mended = bytes.Clone(work)
			}
			work[i] ^= 1 << bit
		}
	}
	return mended
}

// CheckFiles finds the small files of an image in which one bit has changed, which are
// read as they were. With repair it writes them so.
func (i *Image) CheckFiles(ctx context.Context, repair bool) (found []Finding) {
	for _, name := range []string{imageName, marksName} {
		data, err := readOwn(i.Dir, name)
		if err != nil || mend(data) == nil {
			continue
		}
		found = append(found, Finding{
			Fault: "damaged_image", File: name,
			Detail: "one bit of it has changed, and its checksum says which: nothing is lost, it is read as it was",
			Advice: "repair writes it as it was", Repaired: repair && i.mendFile(ctx, name) == nil,
		})
	}
	return found
}

// mendFile writes a file as it was before one bit of it changed.
func (i *Image) mendFile(ctx context.Context, name string) error {
	_, unlock, err := i.History.Lock(ctx, "repair")
	if err != nil {
		return err
	}
	defer unlock()
	data, err := readOwn(i.Dir, name)
	if err != nil {
		return err
	}
	if data = mend(data); data == nil {
		return nil // another program has written it meanwhile
	}
	return atomicfile.Write(filepath.Join(i.Dir, name), data, 0o644)
}
