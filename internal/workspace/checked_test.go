package workspace

import "testing"

func TestASmallFileWithoutAChecksumIsReadAsItIs(t *testing.T) {
	t.Parallel()
	var m Marks
	if err := unmarshalChecked([]byte(`{"rating": 4}`), &m); err != nil || m.Rating != 4 {
		t.Errorf("%+v, %v", m, err)
	}
	data, err := marshalChecked(struct {
		Label string
		checksum
	}{`"crc32c": "00000000"`, checksum{noChecksum}})
	if err != nil {
		t.Fatal(err)
	}
	if err := unmarshalChecked(data, &m); err != nil {
		t.Errorf("a text that looks like a checksum: %v in\n%s", err, data)
	}
}
