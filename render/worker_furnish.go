package render

import (
	"bytes"
	"crypto/sha1" //nolint:gosec // darktable names a folder so; nothing is protected by it
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
)

// workerConf is darktable's configuration for a worker. Thumbnails are kept on
// disk, at a JPEG quality that is read three times as fast as 97, not taken from
// the raw's own preview, and in the colours of a display, which is sRGB where
// there is none. Their memory is none of the machine's, for which darktable takes
// the least that it can do with, 100 MB, and fills four fifths; the other numbers
// of that line are darktable's own defaults. Exports are those of the command
// line.
const workerConf = seed + `cache_disk_backend=TRUE
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

// furnish puts into the scratch folder what a worker needs.
func (b *scratch) furnish(view string) error {
	var tiny bytes.Buffer
	err := png.Encode(&tiny, image.NewGray(image.Rect(0, 0, 16, 16)))
	job := fmt.Sprintf("local job = {raw = %s, name = %s, edits = %s, out = %s, thumbnails = %s, filler = %s}\n",
		lua(view), lua(filepath.Base(view)), lua(b.at("edit")), lua(b.at("out")), lua(b.thumbnails()), lua(b.filler()))
	return errors.Join(
		err,
		os.Mkdir(b.at("edit"), 0o700),
		os.WriteFile(b.filler(), tiny.Bytes(), 0o600),
		os.WriteFile(b.at("config", "darktablerc"), []byte(workerConf), 0o600),
		os.WriteFile(b.at("worker.lua"), []byte(job+workerScript), 0o600),
	)
}

// filler is a tiny picture: what a worker's darktable is started for, and what
// pushes thumbnails out of its memory.
func (b *scratch) filler() string { return b.at("filler.png") }

// thumbnails is the folder that darktable keeps thumbnails in, which is named
// after its library.
func (b *scratch) thumbnails() string {
	sum := sha1.Sum([]byte(b.at("library.db"))) //nolint:gosec // see the import
	return b.at("cache", "mipmaps-"+hex.EncodeToString(sum[:])+".d")
}

// lua is a string as Lua's source has it.
func lua(s string) string {
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

// A listener tells what a worker says to Chemigram from what darktable prints.
type listener struct {
	w    *worker
	line []byte
}

// longestWord bounds a line that is meant for Chemigram.
const longestWord = 512

func (l *listener) Write(p []byte) (int, error) {
	_, _ = l.w.said.Write(p)
	for _, b := range p {
		if b != '\n' {
			if len(l.line) < longestWord {
				l.line = append(l.line, b)
			}
			continue
		}
		if words := strings.Fields(string(l.line)); len(words) > 1 && words[0] == "chemigram" {
			select {
			case l.w.words <- words[1:]:
			default: // nobody asked for so much
			}
		}
		l.line = l.line[:0]
	}
	return len(p), nil
}
