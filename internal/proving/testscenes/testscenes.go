// Package testscenes paints the scenes that the vocabulary's claims are measured on.
package testscenes

import (
	"fmt"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/pixel"
	"github.com/chemigram/chemigram/internal/testutil/scene"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/vocab/prove"
)

// megapixels is the size of the scenes: large enough to be measured.
const megapixels = 0.2

// scenes are the scenes and the cameras that photograph them. The landscape has noise,
// which some moves reduce.
var scenes = map[vocab.Scene]struct {
	scene interface {
		scene.Scene
		Places() map[string]pixel.Rect
	}
	camera dng.Options
}{
	vocab.Natural: {scene.Landscape{}, dng.Options{ISO: 800, Noise: 1, Seed: 1}},
	vocab.Chart:   {scene.Chart{}, dng.Options{}},
	vocab.Ramp:    {scene.Ramp{}, dng.Options{}},
	vocab.Night:   {scene.Landscape{}, dng.Options{ISO: 6400, Noise: 1, EV: -1, HotPixels: 0.0005, Seed: 1}},
	vocab.Lamps:   {scene.Lamps{}, dng.Options{}},
	vocab.Smooth:  {scene.Smooth{}, dng.Options{}},
	vocab.Early:   {scene.Lamps{}, dng.Options{Saturation: 0.85}},
	// The lens is one that darktable knows.
	vocab.Optics: {scene.Optics{}, dng.Options{
		Make: "NIKON CORPORATION", Model: "NIKON D750", LensModel: "AF-S Zoom-Nikkor 24-70mm f/2.8G ED",
		FocalLength: 24, FNumber: 2.8, CornerLight: 0.5,
	}},
}

// Names lists the scenes.
func Names() []vocab.Scene {
	return []vocab.Scene{vocab.Natural, vocab.Chart, vocab.Ramp, vocab.Night, vocab.Lamps, vocab.Early, vocab.Optics, vocab.Smooth}
}

// Write writes the raw of a scene, a DNG, over what is there.
func Write(path string, name vocab.Scene) error {
	photograph, ok := scenes[name]
	if !ok {
		return fmt.Errorf("there is no scene %q; there are %q", name, Names())
	}
	return scene.Write(path, photograph.scene, scene.Options{Megapixels: megapixels, DNG: photograph.camera})
}

// Places are the parts of a scene that claims name.
func Places(name vocab.Scene) map[string]prove.Place {
	places := map[string]prove.Place{}
	if photograph, ok := scenes[name]; ok {
		for place, rect := range photograph.scene.Places() {
			places[place] = prove.Place(rect)
		}
	}
	return places
}
