package files

import (
	"image"
	"io"
	"math"
	"os"
	"path/filepath"

	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// BehindHeads are charts behind the heads of files that cameras wrote, which lie in a
// folder.
func BehindHeads(dir string) []File {
	var all []File
	for _, h := range dng.Heads() {
		f := raw("real head", h.Camera, fileName(h.Camera)+"."+h.Extension, h.Width, h.Height, dng.Options{})
		f.write = func(w io.Writer) error {
			head, err := os.ReadFile(filepath.Join(dir, h.File))
			if err != nil {
				return err
			}
			return h.Write(w, head, scene.Chart{}.Image(h.Width, h.Height))
		}
		switch h.Camera {
		case "Canon PowerShot S90": // its notes say 2893, as darktable 5.4.1 has it, and the table of 4.2.1 says 4095
			f.Said = image.Pt(3648, 2736)
			f.Wrong, f.WrongOn = "in light that is not D65 darktable 5.4.1 develops greys lighter: white is ΔE2000 2.9 off", "5."
			f.Darker = map[string]float64{"4.": math.Log2((4095. - 128) / (2893 - 128))}
		case "PENTAX K-3 II":
			f.Wrong, f.WrongOn = "in light that is not D65 darktable 5.4.1 develops greys lighter, and tints them: white is ΔE2000 2.6 off", "5."
		case "Canon PowerShot SD450": // in the same way, without a tint
			f.Darker = map[string]float64{"5.": -0.25}
		}
		all = append(all, f)
	}
	return all
}
