package lists_test

import (
	"slices"
	"testing"

	"github.com/chemigram/chemigram/internal/lists"
)

func TestAPageEndsWithTheList(t *testing.T) {
	t.Parallel()
	all := []int{0, 1, 2, 3, 4}
	for _, tt := range []struct {
		offset, limit int
		want          []int
	}{{0, 2, []int{0, 1}}, {3, 2, []int{3, 4}}, {4, 9, []int{4}}, {5, 1, nil}, {99, 1, nil}} {
		if got := lists.Page(all, tt.offset, tt.limit); !slices.Equal(got, tt.want) {
			t.Errorf("%d after %d: %v, want %v", tt.limit, tt.offset, got, tt.want)
		}
	}
}

func TestAMissingListIsEmpty(t *testing.T) {
	t.Parallel()
	if got := lists.NotNil[int](nil); got == nil || len(got) != 0 {
		t.Errorf("%#v", got)
	}
	if got := lists.NotNil([]int{1}); !slices.Equal(got, []int{1}) {
		t.Errorf("%v", got)
	}
}
