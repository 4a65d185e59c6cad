package lenses

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const database = `<!DOCTYPE lensdatabase SYSTEM "lensfun-database.dtd">
<lensdatabase version="1">
    <mount><name>Canon EF</name><compat>M42</compat></mount>
    <camera><maker>Canon</maker><model>Canon EOS 6D</model><model lang="en">EOS 6D</model><mount>Canon EF</mount><cropfactor>1.005</cropfactor></camera>
    <camera><maker>Canon</maker><model>Canon PowerShot S90</model><mount>canonS90</mount></camera>
    <lens><maker>Canon</maker><model>Canon EF 24-105mm f/4L IS USM</model><mount>Canon EF</mount>
        <calibration><distortion model="ptlens" focal="24" a="0.01" b="0" c="0"/></calibration></lens>
    <lens><maker>Pentacon</maker><model>Pentacon 50mm f/1.8</model><mount>M42</mount><calibration><tca/></calibration></lens>
    <lens><maker>Nikon</maker><model>Nikon AF 50mm</model><mount>Nikon F AF</mount><calibration><tca/></calibration></lens>
    <lens><maker>Canon</maker><model>Canon EF 40mm f/2.8</model><mount>Canon EF</mount></lens>
    <lens><maker>Canon</maker><model>Canon EF 50mm f/2.5</model><mount>Canon EF</mount><calibration> </calibration></lens>
    <lens><maker>Canon</maker><model>fixed lens</model><mount>canonS90</mount><calibration><x/></calibration></lens>
</lensdatabase>`

func TestALensIsKnownByItsNameOnItsCamera(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "a.xml")
	if err := os.WriteFile(path, []byte(database), 0o600); err != nil {
		t.Fatal(err)
	}
	db, err := Read([]string{path, filepath.Join(t.TempDir(), "none.xml")})
	if err == nil || !strings.Contains(err.Error(), "none.xml") {
		t.Errorf("a file that is missing: %v", err)
	}
	for _, c := range []struct {
		maker, model, lens string
		want               bool
	}{
		{"Canon", "Canon EOS 6D", "EF24-105mm f/4L IS USM", true},
		{"CANON", "EOS 6D", "Canon EF 24-105mm f/4L IS USM", true},
		{"Canon", "Canon EOS 6D", "Pentacon 50mm F1.8", true},
		{"Canon", "Canon EOS 6D", "50mm f/1.8", true},
		{"Canon", "Canon EOS 6D", "EF 40mm f/2.8", false},
		{"Canon", "Canon EOS 6D", "EF 50mm f/2.5", false},
		{"Canon", "Canon EOS 6D", "AF 50mm", false},
		{"Canon", "Canon EOS 6D", "EF24-105mm f/4L IS II USM", false},
		{"Canon", "Canon EOS 6D", "", false},
		{"Nikon", "EOS 6D", "EF24-105mm f/4L IS USM", false},
		{"Canon", "EOS 7000D", "EF24-105mm f/4L IS USM", false},
		{"Canon", "Canon PowerShot S90", "", true},
		{"Canon", "Canon PowerShot S90", "6-22.5mm", true},
		{"", "", "", false},
	} {
		if got := db.Knows(c.maker, c.model, c.lens); got != c.want {
			t.Errorf("%q %q %q: known %v, want %v", c.maker, c.model, c.lens, got, c.want)
		}
	}
}

// What is installed is read whole.
func TestTheInstalledDatabaseIsRead(t *testing.T) {
	t.Parallel()
	paths, _ := filepath.Glob("/usr/share/lensfun/version_*/*.xml")
	if len(paths) == 0 {
		t.Skip("there is no lensfun")
	}
	db, err := Read(paths)
	if err != nil || len(db.lenses) < 500 || !db.Knows("NIKON CORPORATION", "NIKON D750", "AF-S Zoom-Nikkor 24-70mm f/2.8G ED") {
		t.Errorf("%d lenses of %d cameras, %v", len(db.lenses), len(db.cameras), err)
	}
}

func FuzzAdd(f *testing.F) {
	f.Add([]byte(database))
	f.Add([]byte("<a><lens><calibration></lens></a>"))
	f.Add([]byte(strings.Repeat("<a>", 100)))
	f.Fuzz(func(_ *testing.T, data []byte) {
		db, _ := Read(nil)
		_ = db.add(data)
		_ = db.Knows("Canon", "EOS 6D", "x")
	})
}

func BenchmarkRead(b *testing.B) {
	paths, _ := filepath.Glob("/usr/share/lensfun/version_*/*.xml")
	for b.Loop() {
		_, _ = Read(paths)
	}
}
