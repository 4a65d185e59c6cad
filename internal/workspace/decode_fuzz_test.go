package workspace

import (
	"slices"
	"testing"
)

// Whatever the small files of a workspace hold, reading them neither panics nor gives
// what the rest of the workspace could not use.
func FuzzOwnFiles(f *testing.F) {
	image, err := marshalChecked(struct {
		File
		checksum
	}{File{ImageID: "a", Raw: Raw{Path: "/a.dng"}}, checksum{noChecksum}})
	if err != nil {
		f.Fatal(err)
	}
	planned, err := marshalChecked(intent{Verb: "propagate_state", Changes: []intended{{ImageID: "a"}}, checksum: checksum{noChecksum}})
	if err != nil {
		f.Fatal(err)
	}
	for _, seed := range [][]byte{image, planned, []byte(`{"rating":3,"color_labels":["red"],"crc32c":"00000000"}`), []byte(`{"changes":[{"image_id":"../b"}]}`)} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if in, err := decodeIntent(data); err == nil && slices.ContainsFunc(in.Changes, func(c intended) bool { return !ValidID(c.ImageID) }) {
			t.Errorf("an intent names %+v", in.Changes)
		}
		for _, v := range []any{&File{}, &Marks{}, &seenRaw{}, &Deleted{}, &file{}, &remotesFile{}, &sharedFile{}} {
			_ = unmarshalChecked(data, v)
		}
	})
}

// An intent from elsewhere reaches no folder outside of the images.
func TestAnIntentNamesImagesAlone(t *testing.T) {
	t.Parallel()
	for _, id := range []string{"../b", "", "a/../../b", "/etc"} {
		data, err := marshalChecked(intent{Changes: []intended{{ImageID: "a"}, {ImageID: id}}, checksum: checksum{noChecksum}})
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeIntent(data); err == nil {
			t.Errorf("an intent about %q is taken", id)
		}
	}
}
