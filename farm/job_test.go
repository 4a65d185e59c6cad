package farm

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/render"
)

// sound is a job as an engine sends it.
func sound() *job {
	return newJob(render.Order{Among: 3, Job: render.Job{
		Raw: "/photos/IMG_1.NEF", RawDigest: digestOf("raw"), Darktable: digestOf("darktable"), Sidecar: baseline.Packet("5.4.1"), Output: "/tmp/a.jpg", Size: 300,
	}}, "0123456789abcdefghij", 3)
}

func TestJobsTravel(t *testing.T) {
	t.Parallel()
	j := sound()
	message, err := j.encode()
	if err != nil {
		t.Fatal(err)
	}
	got, err := decodeJob(message)
	if err != nil || *got != *j || got.key() != j.key() {
		t.Errorf("%+v, %v", got, err)
	}
	for _, change := range []func(*job){
		func(j *job) { j.Raw = digestOf("another") }, func(j *job) { j.RawName = "b.nef" }, func(j *job) { j.Look = digestOf("another") },
		func(j *job) { j.Darktable = digestOf("another") }, func(j *job) { j.Extension = ".png" }, func(j *job) { j.Size++ },
		func(j *job) { j.Region.X = 0.1 }, func(j *job) { j.HighQuality = true }, func(j *job) { j.Quality = 3 },
		func(j *job) { j.BitDepth = 16 }, func(j *job) { j.ColorSpace = "rec2020" }, func(j *job) { j.Uncompressed = true },
	} {
		other := *j
		if change(&other); other.key() == j.key() {
			t.Errorf("%+v has the key of %+v", other.recipe, j.recipe)
		}
	}
}

// Each process takes its part of a small batch at once; the shares of a larger one become
// smaller towards its end, and no process is left alone with much of it.
func TestShares(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		left, taken, slots, most int
		each                     time.Duration
		want                     int
	}{
		{16, 0, 2, 8, 500 * time.Millisecond, 8},
		{8, 8, 2, 8, 500 * time.Millisecond, 8},
		{9, 51, 6, 10, 2 * time.Second, 9},
		{4, 2, 2, 8, 500 * time.Millisecond, 4},
		{60, 0, 6, 10, 6 * time.Second, 5},
		{200, 0, 6, 16, 2 * time.Second, 15},
		{18, 75, 6, 16, 2 * time.Second, 3},
		{4, 20, 6, 16, 2 * time.Second, 1},
		{1, 0, 6, 16, time.Millisecond, 1},
		{500, 0, 2, 16, time.Minute, 1},
		{5, 0, 0, 16, time.Second, 5},
	} {
		if got := share(c.left, c.taken, c.slots, c.most, c.each); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// A job may come from anybody who reaches the broker: none leads out of the worker's
// folders, reads another file, or takes more memory than it may.
func TestHostileJobsAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", ".", "..", "../a.nef", "/etc/passwd", `..\a.nef`, "a/b.nef", "c:a.nef", ".hidden", "a\x00.nef", "a\n.nef", "\xff.nef", strings.Repeat("a", 300)} {
		j := sound()
		if j.RawName = name; j.check() == nil {
			t.Errorf("the name %q is taken", name)
		}
	}
	for what, change := range map[string]func(*job){
		"raw":       func(j *job) { j.Raw = "../" + j.Raw[3:] },
		"darktable": func(j *job) { j.Darktable = strings.Repeat("*", 64) },
		"ask":       func(j *job) { j.Ask = "../0123456789abcdef" },
		"extension": func(j *job) { j.Extension = "/../a.jpg" },
		"no format": func(j *job) { j.Extension = "" },
		"size":      func(j *job) { j.RawBytes = mostRaw + 1 },
		"negative":  func(j *job) { j.RawBytes = -1 },
		"time":      func(j *job) { j.Timeout = mostTime + 1 },
		"look":      func(j *job) { j.Sidecar += " " },
		"no look":   func(j *job) { j.Sidecar, j.Look = "x", digestOf("x") },
	} {
		j := sound()
		if change(j); j.check() == nil {
			t.Errorf("%s: %+v is taken", what, j)
		}
	}
	var bomb bytes.Buffer
	w := gzip.NewWriter(&bomb)
	_, _ = w.Write([]byte(`{"sidecar":"`))
	for range 32 {
		_, _ = w.Write(bytes.Repeat([]byte("a"), 1<<20))
	}
	_ = w.Close()
	if _, err := decodeJob(bomb.Bytes()); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("a bomb: %v", err)
	}
}

// A look that names a file by its path would have darktable read it on the worker.
func TestAJobNamesNoFile(t *testing.T) {
	t.Parallel()
	j := sound()
	// An entry of a layout that nobody knows may name any file.
	const end = `</rdf:Seq> </darktable:history>`
	entry := `<rdf:li darktable:num="11" darktable:operation="lut3d" darktable:enabled="1" darktable:modversion="99" darktable:params="00000000" ` +
		`darktable:multi_name="" darktable:multi_priority="0" darktable:blendop_version="14" ` +
		`darktable:blendop_params="gz11eJxjYIAACQYYOOHEgAZY0QWAgBGLGANDgz0Ej1Q+dcF/IADRAGpyHQU="/>`
	j.Sidecar = strings.Replace(strings.Replace(j.Sidecar, end, entry+end, 1), `history_end="11"`, `history_end="12"`, 1)
	j.Look = digestOf(j.Sidecar)
	if !strings.Contains(j.Sidecar, entry) || !strings.Contains(j.Sidecar, `history_end="12"`) {
		t.Fatal("the baseline has another form")
	}
	if err := j.check(); err == nil || !strings.Contains(err.Error(), "file") {
		t.Errorf("got %v", err)
	}
}

func FuzzJobs(f *testing.F) {
	message, err := sound().encode()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(message)
	plain, err := json.Marshal(sound())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(plain)
	f.Fuzz(func(t *testing.T, data []byte) {
		j, err := decodeJob(data)
		if err != nil { // most mutations damage the packing: fuzz what is in it, too
			j = &job{}
			if json.Unmarshal(data, j) != nil || j.check() != nil {
				return
			}
		}
		if key := j.key(); !digestForm.MatchString(key) {
			t.Errorf("the key is %q", key)
		}
		dir := filepath.Join(t.TempDir(), "raws")
		r := raws{dir: dir}
		if !strings.HasPrefix(r.path(j), filepath.Join(dir, "raws", j.Raw)+string(filepath.Separator)) {
			t.Errorf("the raw goes to %q", r.path(j))
		}
	})
}

// recordOf makes a result of a content.
func recordOf(tb testing.TB, key, content string) []byte {
	tb.Helper()
	path := filepath.Join(tb.TempDir(), "a.jpg")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		tb.Fatal(err)
	}
	r, err := newRecord(tb.Context(), key, path)
	if err != nil {
		tb.Fatal(err)
	}
	defer r.file.Close()
	var b bytes.Buffer
	if _, err := b.ReadFrom(r.content()); err != nil {
		tb.Fatal(err)
	}
	return b.Bytes()
}

// Every flipped bit of a result is found, and so is one that was put in another's place,
// cut off or made longer.
func TestDamagedResultsAreFound(t *testing.T) {
	t.Parallel()
	key := digestOf("key")
	whole := recordOf(t, key, "the picture")
	read := func(data []byte, key string) error {
		path := filepath.Join(t.TempDir(), "out")
		err := readRecord(t.Context(), bytes.NewReader(data), key, path)
		if _, there := os.Lstat(path); err != nil && there == nil {
			t.Error("a damaged picture stays")
		}
		return err
	}
	if err := read(whole, key); err != nil {
		t.Fatal(err)
	}
	for i := range 8 * len(whole) {
		damaged := bytes.Clone(whole)
		damaged[i/8] ^= 1 << (i % 8)
		if err := read(damaged, key); !errors.Is(err, errDamaged) {
			// The name of a field may be in other letters, and means the same.
			if bytes.EqualFold(damaged, whole) {
				continue
			}
			t.Fatalf("bit %d: %v", i, err)
		}
	}
	for n := range whole {
		if err := read(whole[:n], key); !errors.Is(err, errDamaged) {
			t.Fatalf("%d bytes: %v", n, err)
		}
	}
	if err := read(append(whole, 'x'), key); !errors.Is(err, errDamaged) {
		t.Errorf("a longer one: %v", err)
	}
	if err := read(whole, digestOf("another")); !errors.Is(err, errDamaged) {
		t.Errorf("another's: %v", err)
	}
}

func FuzzRecords(f *testing.F) {
	key := digestOf("key")
	f.Add(recordOf(f, key, "the picture"))
	f.Add([]byte(`{"chemigram_picture":1,"key":"` + key + `","bytes":4294967296,"sha256":"` + key + `"}` + "\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := readHead(bufio.NewReaderSize(bytes.NewReader(data), mostHead), key)
		if err == nil && (h.Key != key || h.Bytes <= 0 || h.Bytes > mostResult) {
			t.Errorf("%+v", h)
		}
		path := filepath.Join(t.TempDir(), "out")
		if readRecord(t.Context(), bytes.NewReader(data), key, path) != nil {
			return
		}
		content, err := os.ReadFile(path)
		if err != nil || digestOf(string(content)) != h.SHA256 || int64(len(content)) != h.Bytes {
			t.Errorf("%+v, %d bytes, %v", h, len(content), err)
		}
	})
}

func FuzzOutcomes(f *testing.F) {
	f.Add(outcome{Failure: &failure{Kind: render.Failed, Message: "no", Stderr: "words\x1b[2J"}}.encode())
	f.Add([]byte(`{"failure":{"kind":"canceled"}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		o, err := decodeOutcome(data)
		if err != nil || o.Failure == nil {
			return
		}
		if len(o.Failure.Message) > mostWords || strings.ContainsRune(o.Failure.Stderr, 0x1b) {
			t.Errorf("%+v", o.Failure)
		}
		if k := o.Failure.Kind; k != render.System && !o.Failure.isOfJob() {
			t.Errorf("the kind is %q", k)
		}
	})
}
