package segment

import (
	"image/color"
	"testing"
)

// BenchmarkFind looks for a region in a picture that was not looked into before, and then
// for what another point means in it.
func BenchmarkFind(b *testing.B) {
	m := painted(720, 480, red, color.RGBA{90, 120, 160, 255})
	hints := Hints{Points: []Point{{0.5, 0.5, true}}}
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			var finder Finder
			if _, err := finder.Find(b.Context(), m, Request{Hints: hints}); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("further", func(b *testing.B) {
		var finder Finder
		for b.Loop() {
			if _, err := finder.Find(b.Context(), m, Request{Hints: hints}); err != nil {
				b.Fatal(err)
			}
		}
	})
}
