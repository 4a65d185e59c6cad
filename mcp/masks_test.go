package mcp

import (
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
)

// The pages of list_masks have each mask once, and say how many there are.
func TestListMasksPages(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, nil)
	whole := s.call(t, "list_masks", map[string]any{"limit": 500})
	all, _ := whole.Data["masks"].([]any)
	total, _ := whole.Data["total"].(float64)
	if len(all) < 20 || int(total) != len(all) {
		t.Fatalf("%d masks of %v", len(all), total)
	}
	const size = 7
	for offset := 0; offset < len(all)+size; offset += size {
		page := s.call(t, "list_masks", map[string]any{"limit": size, "offset": offset})
		masks, _ := page.Data["masks"].([]any)
		want := all[min(offset, len(all)):min(offset+size, len(all))]
		if len(masks) != len(want) || page.Data["total"] != total {
			t.Fatalf("from %d: %d masks of %v, want %d of %v", offset, len(masks), page.Data["total"], len(want), total)
		}
		for i := range masks {
			got, want := masks[i].(map[string]any)["name"], want[i].(map[string]any)["name"]
			if got != want {
				t.Errorf("mask %d is %v, want %v", offset+i, got, want)
			}
		}
	}
	if r := s.call(t, "list_masks", map[string]any{"limit": 0}); r.code() != chemigram.ErrInvalidInput {
		t.Errorf("limit 0: %+v", r.Error)
	}
	if r := s.call(t, "list_masks", map[string]any{"offset": -1}); r.code() != chemigram.ErrInvalidInput {
		t.Errorf("offset -1: %+v", r.Error)
	}
}
