package workspace

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"slices"
	"testing"

	"github.com/chemigram/chemigram/versioning"
)

// zipped makes a zip file of image.json, a journal and what is no member of a bundle.
func zipped(f *testing.F, method uint16, image string, journal []byte) []byte {
	f.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, m := range []struct {
		name string
		data []byte
	}{{imageName, []byte(image)}, {bundleJournal, journal}, {"../out", []byte("x")}, {marksName, []byte(`{"rating": 3}`)}} {
		member, err := w.CreateHeader(&zip.FileHeader{Name: m.name, Method: method})
		if err == nil {
			_, err = member.Write(m.data)
		}
		if err != nil {
			f.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		f.Fatal(err)
	}
	return b.Bytes()
}

// frameOf is a transaction of a journal.
func frameOf(seq uint64, payload []byte) []byte {
	sum := func(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }
	b := binary.LittleEndian.AppendUint32([]byte("CgT1"), uint32(len(payload)))
	b = binary.LittleEndian.AppendUint64(b, seq)
	b = binary.LittleEndian.AppendUint32(b, sum(payload))
	return slices.Concat(binary.LittleEndian.AppendUint32(b, sum(b)), payload)
}

func FuzzReadBundle(f *testing.F) {
	h := versioning.NewMemory(nil)
	var journal bytes.Buffer
	if _, err := h.Init(f.Context(), []byte("a look"), versioning.Change{}); err != nil {
		f.Fatal(err)
	}
	if _, err := h.Export(f.Context(), &journal); err != nil {
		f.Fatal(err)
	}
	for _, id := range []string{`"a"`, `"../a"`, `3`} {
		f.Add(zipped(f, zip.Store, `{"image_id":`+id+`}`, []byte("{}")))
	}
	good := `{"image_id":"a"}`
	f.Add(zipped(f, zip.Store, good, journal.Bytes()))
	// A number of 2^40; a state that says that it has 60 MB; much in few bytes.
	state := append(make([]byte, 32, 64), 0, 0)
	state = append(binary.AppendUvarint(state, 60<<20), "and has none"...)
	state = slices.Concat(binary.AppendUvarint([]byte("S"), uint64(len(state))), state)
	f.Add(zipped(f, zip.Store, good, slices.Concat(journal.Bytes(), frameOf(1<<40, nil))))
	f.Add(zipped(f, zip.Store, good, slices.Concat(journal.Bytes(), frameOf(2, state))))
	f.Add(zipped(f, zip.Deflate, good, slices.Concat(journal.Bytes(), make([]byte, 1<<20))))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := readBundle(bytes.NewReader(data), int64(len(data)))
		if err != nil {
			return
		}
		if !ValidID(b.file.ImageID) {
			t.Errorf("a bundle with the id %q was read", b.file.ImageID)
		}
		if b.journal.Size() > int64(len(data)) {
			t.Errorf("a journal of %d bytes in a bundle of %d", b.journal.Size(), len(data))
		}
		_ = b.verify(t.Context())
	})
}
