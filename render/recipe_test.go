package render

import (
	"errors"
	"image"
	"image/color"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// alter gives a value another one that is valid.
func alter(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Kind() {
	case reflect.String:
		v.SetString(v.String() + "x")
	case reflect.Int, reflect.Int64:
		v.SetInt(v.Int() + 1)
	case reflect.Float64:
		v.SetFloat(v.Float() + 0.25)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	default:
		t.Fatalf("a %s is new here: say how another value of it is made", v.Type())
	}
}

// leaves calls f for each field of a struct, and for those of the structs in it.
func leaves(v reflect.Value, name string, f func(name string, v reflect.Value)) {
	if v.Kind() != reflect.Struct {
		f(name, v)
		return
	}
	for i := range v.NumField() {
		leaves(v.Field(i), strings.TrimPrefix(name+"."+v.Type().Field(i).Name, "."), f)
	}
}

func TestEveryPartOfARecipeChangesItsKey(t *testing.T) {
	t.Parallel()
	seen := map[key]string{}
	note := func(name string, r Recipe) {
		k, err := r.key()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if other, known := seen[k]; known {
			t.Errorf("with another %s, the key is that of %s", name, other)
		}
		seen[k] = name
	}
	note("nothing", recipe("a"))
	var names []string
	r := recipe("a")
	leaves(reflect.ValueOf(&r).Elem(), "", func(name string, _ reflect.Value) { names = append(names, name) })
	for _, name := range names {
		r := recipe("a")
		leaves(reflect.ValueOf(&r).Elem(), "", func(n string, v reflect.Value) {
			if n == name {
				alter(t, v)
			}
		})
		note(name, r)
	}
}

func TestAnIncompleteRecipeIsRefused(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	for name, strip := range map[string]func(*Recipe){
		"state":     func(r *Recipe) { r.State = "" },
		"raw":       func(r *Recipe) { r.Raw = "" },
		"darktable": func(r *Recipe) { r.Darktable = "" },
		"path":      func(r *Recipe) { r.Path = "" },
	} {
		r := recipe("a")
		strip(&r)
		_, _, err := c.Picture(t.Context(), r, writes([]byte("one")))
		if e, ok := errors.AsType[*Error](err); !ok || e.Kind != BadInput {
			t.Errorf("without its %s: %v", name, err)
		}
		if _, kept := c.Get(r); kept {
			t.Errorf("without its %s, a picture is found", name)
		}
	}
}

// noPixels are the parts of a job on which no pixel of a kept picture depends.
var noPixels = map[string]string{
	"Durable":      "the pixels are the same",
	"Output":       "the cache chooses it",
	"State":        "it is written beside the pixels",
	"Metadata":     "they are beside the pixels",
	"Timeout":      "a picture is whole or not there",
	"Uncompressed": "the pixels are the same",
	"Verify":       "it can only refuse",
}

func TestARecipeHasEveryPartOfItsJob(t *testing.T) {
	t.Parallel()
	packets := [][]byte{baseline.Packet("5.4.1"), baseline.Packet("4.2.1")}
	newJob := func() Job {
		return Job{Raw: "/photos/a.nef", RawDigest: "digest", Darktable: "identity", Sidecar: packets[0], Size: 100, Quality: 90, ColorSpace: "srgb", Timeout: time.Second}
	}
	digest := func(j Job) key {
		r, err := j.Recipe("exact", Region{})
		if err != nil {
			t.Fatal(err)
		}
		k, err := r.key()
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	base := digest(newJob())
	of := reflect.TypeFor[Job]()
	for i := range of.NumField() {
		name := of.Field(i).Name
		if _, exempt := noPixels[name]; exempt {
			continue
		}
		j := newJob()
		if name == "Sidecar" {
			j.Sidecar = packets[1]
		} else {
			alter(t, reflect.ValueOf(&j).Elem().Field(i))
		}
		if digest(j) == base {
			t.Errorf("with another %s, a job has the same recipe: add it to Recipe, or to noPixels with the reason", name)
		}
	}
	moved := newJob()
	moved.Raw = filepath.Join("elsewhere", "a.nef")
	if digest(moved) != base {
		t.Error("the same raw in another folder has another recipe")
	}
	for name, other := range map[string]struct {
		path   string
		region Region
	}{"way": {"draft", Region{}}, "region": {"exact", Region{Width: 1, Height: 1}}} {
		j := newJob()
		r, err := j.Recipe(other.path, other.region)
		if k, err2 := r.key(); err != nil || err2 != nil || k == base {
			t.Errorf("another %s: the same key, or %v, %v", name, err, err2)
		}
	}
	for name, forget := range map[string]func(*Job){"raw": func(j *Job) { j.RawDigest = "" }, "darktable": func(j *Job) { j.Darktable = "" }} {
		j := newJob()
		forget(&j)
		if _, err := j.Recipe("exact", Region{}); err == nil {
			t.Errorf("a job that does not name its %s has a recipe", name)
		}
	}
}

// What is drawn is kept by its pixels: one picture is kept once, and the smallest
// difference makes two.
func TestADrawnPictureIsKeptByItsPixels(t *testing.T) {
	t.Parallel()
	c := openCache(t, t.TempDir(), 0)
	sheet := func(dot color.RGBA, b image.Rectangle) *image.RGBA {
		m := image.NewRGBA(b)
		m.SetRGBA(b.Min.X+1, b.Min.Y+1, dot)
		return m
	}
	keep := func(m image.Image) string {
		p, err := c.Keep(t.Context(), m)
		if err != nil {
			t.Fatal(err)
		}
		return p.Path
	}
	red, box := color.RGBA{200, 0, 0, 255}, image.Rect(0, 0, 32, 16)
	first := keep(sheet(red, box))
	if keep(sheet(red, box.Add(image.Pt(5, 7)))) != first {
		t.Error("the same pixels elsewhere are kept twice")
	}
	large := image.NewRGBA(image.Rect(0, 0, 64, 16))
	large.SetRGBA(33, 1, red)
	if keep(large.SubImage(image.Rect(32, 0, 64, 16))) != first {
		t.Error("the same pixels in a larger picture are kept twice")
	}
	gray := image.NewGray(box)
	gray.SetGray(1, 1, color.Gray{200})
	seen := map[string]bool{first: true}
	for name, m := range map[string]image.Image{
		"colour": sheet(color.RGBA{0, 200, 0, 255}, box), "gray": gray, "shape": sheet(red, image.Rect(0, 0, 16, 32)),
	} {
		if path := keep(m); seen[path] {
			t.Errorf("another %s is not told apart", name)
		} else {
			seen[path] = true
		}
	}
	// A JPEG may look alike where the pixels differ: the key tells them apart.
	if drawnKey(sheet(red, box)) == drawnKey(sheet(color.RGBA{201, 0, 0, 255}, box)) {
		t.Error("one step of one pixel is not told apart")
	}
}
