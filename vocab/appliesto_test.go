package vocab

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAppliesToFoldsNames(t *testing.T) {
	t.Parallel()
	a := &AppliesTo{Make: " nikon*", LensModel: "NIKKOR  Z 24-70mm f/4 S"}
	got := []bool{
		a.Fits(Taken{Make: "NIKON CORPORATION", Model: "Z 6", LensModel: "nikkor z 24-70mm f/4 s "}),
		a.Fits(Taken{Make: "Canon", Model: "Z 6", LensModel: "nikkor z 24-70mm f/4 s"}),
		a.Fits(Taken{Make: "Nikon", Model: "Z 6", LensModel: "NIKKOR Z 24-70mm f/4"}),
		(*AppliesTo)(nil).Fits(Taken{}),
	}
	if diff := cmp.Diff([]bool{true, false, false, true}, got); diff != "" {
		t.Error(diff)
	}
}

func TestAppliesToASensitivity(t *testing.T) {
	t.Parallel()
	within := &AppliesTo{MinISO: 800, MaxISO: 3199}
	from := &AppliesTo{MinISO: 12800}
	for _, tt := range []struct {
		a    *AppliesTo
		iso  int
		want bool
	}{
		{within, 799, false},
		{within, 800, true},
		{within, 3199, true},
		{within, 3200, false},
		{within, 0, false},
		{from, 12799, false},
		{from, 102400, true},
		{&AppliesTo{Make: "*"}, 0, true},
	} {
		if got := tt.a.Fits(Taken{ISO: tt.iso}); got != tt.want {
			t.Errorf("ISO %d within %d..%d: %v", tt.iso, tt.a.MinISO, tt.a.MaxISO, got)
		}
	}
}
