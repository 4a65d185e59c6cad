package render

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // darktable names a folder so; nothing is protected by it
	_ "embed"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
)

//go:embed worker.lua
var workerScript string

// workerConfig is darktable's configuration for a worker. Thumbnails are kept on
// disk, at a JPEG quality that is read three times as fast as 97, not taken from
// the raw's own preview, and in the colours of a display, which is sRGB where
// there is none. Their memory is none of the machine's, for which darktable takes
// the least that it can do with, 100 MB, and fills four fifths; the other numbers
// of that line are darktable's own defaults. Exports are those of the command
// line.
const workerConfig = baseConfig + `cache_disk_backend=TRUE
cache_color_managed=FALSE
database_cache_quality=90
plugins/lighttable/thumbnail_raw_min_level=never
plugins/lighttable/thumbnail_hq_min_level=never
plugins/lighttable/export/high_quality_processing=FALSE
plugins/lighttable/export/icctype=1
resourcelevel=small
resource_small=512 8 0 700
write_sidecar_files=never
`

// addWorkerFiles puts into the scratch folder what a worker needs to develop raw.
func (s *scratch) addWorkerFiles(raw string) error {
	var tiny bytes.Buffer
	err := png.Encode(&tiny, image.NewGray(image.Rect(0, 0, 16, 16)))
	job := fmt.Sprintf("local job = {raw = %s, name = %s, edits = %s, out = %s, thumbnails = %s, filler = %s}\n",
		luaString(raw), luaString(filepath.Base(raw)), luaString(s.path("edit")), luaString(s.path("out")),
		luaString(s.thumbnails()), luaString(s.filler()))
	return errors.Join(
		err,
		os.Mkdir(s.path("edit"), 0o700),
		os.WriteFile(s.filler(), tiny.Bytes(), 0o600),
		os.WriteFile(s.path("config", "darktablerc"), []byte(workerConfig), 0o600),
		os.WriteFile(s.path("worker.lua"), []byte(job+workerScript), 0o600),
	)
}

// filler is the path of a tiny picture: what a worker's darktable is started for,
// and what pushes thumbnails out of its memory.
func (s *scratch) filler() string { return s.path("filler.png") }

// thumbnails is the folder that darktable keeps thumbnails in, which is named
// after its library.
func (s *scratch) thumbnails() string {
	sum := sha1.Sum([]byte(s.path("library.db"))) //nolint:gosec // see the import
	return s.path("cache", "mipmaps-"+hex.EncodeToString(sum[:])+".d")
}

// luaString is a string in the syntax of Lua.
func luaString(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(s) {
		if c < ' ' || c == '"' || c == '\\' || c > '~' {
			fmt.Fprintf(&b, `\%03d`, c)
		} else {
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
