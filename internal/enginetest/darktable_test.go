package enginetest

import (
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// framer is a fake darktable-cli for geometry: asked for a PNG, it gives the picture
// by which the engine measures how the developed picture lies in the raw, which is
// always whole and upright. All else the scripted fake does.
const framer = `#!/bin/sh
here=${0%/*}
files='' pattern=''
for arg; do
	[ "$before" != --import ] || files="$files
$arg"
	case $arg in *.png) pattern=$arg ;; esac
	before=$arg
done
[ -n "$pattern" ] || exec "$(cat "$here/fake")" "$@"
give() {
	picture=even
	! grep -q 'probe red"' "$1" || picture=coded
	mkdir -p "${2%/*}" && cp "$here/$picture.png" "$2"
	echo "[export_job] exported to ` + "\\`$2'" + `" >&2
}
if [ -z "$files" ]; then
	give "$2" "$3"
	exit
fi
echo "$files" | while read -r file; do
	[ -z "$file" ] || give "$file.xmp" "${pattern%%\$(FILE_FOLDER)*}${file%/*}/${pattern##*/}"
done
`

// fakeDarktable makes a darktable that the walks can do with.
func fakeDarktable(t *testing.T) string {
	t.Helper()
	const version = "5.4.1"
	fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: version, XMP: baseline.Packet(version)})
	dir := t.TempDir()
	script := filepath.Join(dir, "body")
	for path, data := range map[string]string{script: framer, filepath.Join(dir, "fake"): fake.CLI} {
		if err := os.WriteFile(path, []byte(data), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	drawFrame(t, filepath.Join(dir, "even.png"), func(_, _ float64) (float64, float64, float64) { return 0, 0, 0 })
	const w, h = 3, 2
	diagonal := math.Hypot(w, h)
	drawFrame(t, filepath.Join(dir, "coded.png"), func(x, y float64) (red, green, blue float64) {
		across := 0.5 + (0.5-x)*w/diagonal
		return across, across - 0.1*w/diagonal, 0.5 + (0.5-y)*h/diagonal
	})
	// Another process writes it, so that it is not busy when it is started.
	cli := filepath.Join(dir, "darktable-cli")
	if out, err := exec.Command("cp", script, cli).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, strings.TrimSpace(string(out)))
	}
	return cli
}

// drawFrame draws grey, less a share of each channel at each place.
func drawFrame(t *testing.T, path string, taken func(x, y float64) (red, green, blue float64)) {
	t.Helper()
	const width, height, grey = 60, 40, 0x8000
	m := image.NewRGBA64(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			r, g, b := taken((float64(x)+0.5)/width, (float64(y)+0.5)/height)
			left := func(share float64) uint16 { return uint16(math.Round(grey * (1 - min(max(share, 0), 1)))) }
			m.SetRGBA64(x, y, color.RGBA64{left(r), left(g), left(b), 0xffff})
		}
	}
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := png.Encode(f, m); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}
