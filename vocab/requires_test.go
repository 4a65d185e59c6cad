package vocab

import "testing"

func TestVersionRanges(t *testing.T) {
	t.Parallel()
	tests := []struct {
		text  string
		holds []string
		not   []string
	}{
		{">=5.0", []string{"5.0", "5.0.1", "5.4.1+git7"}, []string{"4.9.9"}},
		{">=4.2.1 <5.4", []string{"4.2.1", "5.3"}, []string{"4.2.0", "5.4.0"}},
		{">4 <=5", []string{"4.2.1", "5.0.0"}, []string{"4.0.0", "5.0.1"}},
	}
	for _, tt := range tests {
		r, err := parseRange(tt.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range tt.holds {
			if !r.Holds(v) {
				t.Errorf("%s does not hold %s", r, v)
			}
		}
		for _, v := range tt.not {
			if r.Holds(v) {
				t.Errorf("%s holds %s", r, v)
			}
		}
	}
}
