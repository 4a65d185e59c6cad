package render

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAContainerWithoutHomeGetsOne(t *testing.T) {
	t.Parallel()
	tmp, err := newScratch(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(tmp.remove)
	cache := tmp.path("cache")
	got := environment([]string{"PATH=/bin", "LANG=de_DE", "LC_NUMERIC=de_DE"}, tmp)
	want := slices.Concat(tuning, []string{"PATH=/bin", "LC_ALL=C.UTF-8", "HOME=" + cache, "XDG_CONFIG_HOME=" + cache, "XDG_CACHE_HOME=" + cache, "XDG_DATA_HOME=" + cache})
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	got = environment([]string{"HOME=/home/me", "CHEMIGRAM_TOKEN=0123456789abcdef"}, tmp)
	if diff := cmp.Diff(slices.Concat(tuning, []string{"HOME=/home/me", "LC_ALL=C.UTF-8"}), got); diff != "" {
		t.Error(diff)
	}
}
