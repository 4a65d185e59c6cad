package notebook

import "testing"

func FuzzGapLog(f *testing.F) {
	f.Add([]byte("{\"description\":\"a b\",\"satisfaction\":-1}\n{\"desc"))
	f.Add([]byte("\xff\x00\n[]\nnull\n{\"description\":\"!!\"}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		gaps, _ := decodeGaps(data)
		total := 0
		for _, gap := range rankGaps(gaps) {
			if len(gap.Words) == 0 {
				t.Errorf("gap %+v has no words", gap)
			}
			total += gap.Count
		}
		if total != len(gaps) {
			t.Errorf("%d gaps are ranked of %d", total, len(gaps))
		}
	})
}
