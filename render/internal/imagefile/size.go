package imagefile

import "io"

// headed are the formats whose head has the size of the one picture in the file. (The
// first directory of a TIFF may be that of a thumbnail in a raw.)
var headed = []Format{JPEG, PNG, WebP, JXL, EXR, Portable, HDR, QOI}

// Size gives the width and height of the picture in a file, as it lies there, turned or
// not, whether the file is whole or not. They are 0 when its head is of no format whose
// picture has its size there.
func Size(r io.ReaderAt, size int64) (width, height int) {
	for _, f := range headed {
		if w, h, _ := checks[f](file{r, size}); isSize(w, h) {
			return w, h
		}
	}
	return 0, 0
}
