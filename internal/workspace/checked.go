package workspace

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"regexp"
)

// A small JSON file of the workspace carries a checksum, so that a flipped bit is
// found: the CRC-32C of the file's bytes, with zeros in the checksum's place. A
// file without one, as a person or an older program writes it, is read as it is.

// checksum is the last member of such a file.
type checksum struct {
	CRC32C string `json:"crc32c"`
}

const noChecksum = "00000000"

var (
	checksumMember = regexp.MustCompile(`"crc32c": "([0-9a-f]{8})"`)
	castagnoli     = crc32.MakeTable(crc32.Castagnoli)
)

var errChecksum = errors.New("its checksum says that bytes have changed since it was written")

// marshalChecked writes a value that ends with a checksum.
func marshalChecked(v any) ([]byte, error) {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return nil, err
	}
	data = append(data, '\n')
	if at := checksumAt(data); at != nil {
		copy(data[at[2]:at[3]], fmt.Sprintf("%08x", crc32.Checksum(data, castagnoli)))
	}
	return data, nil
}

// checksumAt finds the checksum: the last one, as texts before it may look like
// it.
func checksumAt(data []byte) []int {
	all := checksumMember.FindAllSubmatchIndex(data, -1)
	if len(all) == 0 {
		return nil
	}
	return all[len(all)-1]
}

// unmarshalChecked reads what marshalChecked wrote.
func unmarshalChecked(data []byte, v any) error {
	if at := checksumAt(data); at != nil {
		said, bare := string(data[at[2]:at[3]]), bytes.Clone(data)
		copy(bare[at[2]:at[3]], noChecksum)
		if fmt.Sprintf("%08x", crc32.Checksum(bare, castagnoli)) != said {
			return errChecksum
		}
	}
	return json.Unmarshal(data, v)
}
