package render_test

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/render"
)

// Workers of a darktable that nobody has tried are tested before they are used: one that
// says or makes something else than the command line is left alone, and each preview is
// the command line's own.
func TestWorkersOfAnUnknownDarktableAreTestedFirst(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		ready, done string
		size        image.Point
		grey        uint8
		want        string // in the reason; empty when the worker is as expected
	}{
		"as the command line":  {"ready apply 1224 816 true", "done $2 1", image.Pt(128, 85), 128, ""},
		"another picture":      {"ready apply 1224 816 true", "done $2 1", image.Pt(128, 85), 200, "differs"},
		"another size":         {"ready apply 1224 816 true", "done $2 1", image.Pt(64, 42), 128, "pixels"},
		"another answer":       {"ready apply 1224 816 true", "done 77 1", image.Pt(128, 85), 128, "answers another request"},
		"another form":         {"ready 2 apply 1224", "done $2 1", image.Pt(128, 85), 128, "another form"},
		"no size":              {"ready apply nil none true", "done $2 1", image.Pt(128, 85), 128, "size"},
		"an error of its Lua":  {"failed attempt to call a nil value (field 'import')", "done $2 1", image.Pt(128, 85), 128, "nil value"},
		"no message":           {"", "", image.Pt(128, 85), 128, "ended too early"},
		"another Lua's output": {"done 1 1", "done $2 1", image.Pt(128, 85), 128, "done"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: "9.9.0"})
			dir := t.TempDir()
			picture := greyPicture(t, filepath.Join(dir, "worker.jpg"), c.size, c.grey)
			script := fmt.Sprintf(`case "$*" in *--luacmd*)
	out=${2%%/*}
	printf '\nchemigram %s\n'
	[ -n %q ] || exit 0
	while read -r line; do
		set -- $line
		cp %s "$out/$2.jpg"
		printf '\nchemigram %%s %%s %%s\n' %s
	done
	exit ;;
esac
exec %s "$@"`, strings.ReplaceAll(c.ready, "'", ""), c.done, picture, c.done, fake.CLI)
			if c.ready == "" {
				script = strings.Replace(script, `printf '\nchemigram \n'`, "", 1)
			}
			cli := filepath.Join(dir, "darktable-cli")
			fakeProgram(t, cli, script)
			dt, err := render.Find(t.Context(), &render.Options{Path: cli, Scratch: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			workers := render.NewWorkers(dt, nil)
			defer workers.Close()
			raw := filepath.Join(dir, "a.nef")
			if err := os.WriteFile(raw, []byte("a raw"), 0o600); err != nil {
				t.Fatal(err)
			}
			preview := func(name string) image.Image {
				path := filepath.Join(dir, name)
				if _, err := workers.Preview(t.Context(), render.Job{Raw: raw, Sidecar: []byte("<x/>"), Output: path, Size: 128}); err != nil {
					t.Fatal(err)
				}
				m, err := render.Load(path)
				if err != nil {
					t.Fatal(err)
				}
				return m
			}
			first := preview("first.jpg")
			testutil.WaitFor(t, "the workers' test", func() bool { s := workers.Status(); return s.Tested || s.Reason != nil })
			status := workers.Status()
			switch {
			case c.want == "" && status.Reason != nil:
				t.Fatalf("a worker as expected is not used: %v", status.Reason)
			case c.want != "" && (status.Reason == nil || !strings.Contains(status.Reason.Error(), c.want)):
				t.Fatalf("the reason is %v, want one that says %q", status.Reason, c.want)
			}
			if again, err := render.Compare(first, preview("second.jpg")); err != nil || again.MeanDeltaE > 0 || !again.SameFrame {
				t.Errorf("%+v, %v: the second preview is another picture", again, err)
			}
		})
	}
}

// greyPicture writes a JPEG of one grey.
func greyPicture(t *testing.T, path string, size image.Point, grey uint8) string {
	t.Helper()
	m := image.NewRGBA(image.Rectangle{Max: size})
	draw.Draw(m, m.Rect, image.NewUniform(color.Gray{Y: grey}), image.Point{}, draw.Src)
	f, err := os.Create(path)
	if err == nil {
		err = jpeg.Encode(f, m, &jpeg.Options{Quality: 95})
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return path
}
