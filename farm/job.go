package farm

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/xmp"
)

// What a job may have at most.
const (
	mostMessage = 1 << 20  // bytes, compressed
	mostJob     = 16 << 20 // bytes of its JSON
	mostRaw     = 2 << 30  // bytes of a raw
	mostName    = 255      // bytes of a raw's name
	mostTime    = 24 * time.Hour
	mostAmong   = 1 << 20
)

// recipe is everything that a picture depends on. Its hash is the key of the job.
type recipe struct {
	// Raw is the SHA-256 of the raw's content in hex, and RawName its name, which
	// darktable chooses a reader by and writes into pictures.
	Raw     string `json:"raw"`
	RawName string `json:"raw_name"`
	// Look is the SHA-256 of the sidecar in hex.
	Look string `json:"look"`
	// Darktable is the identity of the one that develops it.
	Darktable    string        `json:"darktable"`
	Extension    string        `json:"extension"`
	Size         int           `json:"size,omitempty"`
	Region       render.Region `json:"region,omitzero"`
	HighQuality  bool          `json:"high_quality,omitempty"`
	Quality      int           `json:"quality,omitempty"`
	BitDepth     int           `json:"bit_depth,omitempty"`
	ColorSpace   string        `json:"color_space,omitempty"`
	Uncompressed bool          `json:"uncompressed,omitempty"`
}

// key is the hash of the recipe, in hex: by it the picture is found. The version in front
// changes when the same recipe begins to mean another picture.
func (r recipe) key() string {
	b, err := json.Marshal(r)
	if err != nil {
		return "" // of a region that is no number, which check refuses
	}
	sum := sha256.Sum256(append([]byte("chemigram farm picture 1\n"), b...))
	return hex.EncodeToString(sum[:])
}

// job is what a worker is asked for.
type job struct {
	recipe
	// Ask names who asked: the tries are counted for each asking.
	Ask string `json:"ask"`
	// RawBytes is how many bytes the raw has.
	RawBytes int64  `json:"raw_bytes"`
	Sidecar  string `json:"sidecar"`
	// Timeout is darktable's time for the picture.
	Timeout time.Duration `json:"timeout"`
	// Share is how many jobs one process of a worker should take at once, at most, and
	// Slots how many processes there are.
	Share int `json:"share,omitempty"`
	Slots int `json:"slots,omitempty"`
}

var (
	digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)
	askForm    = regexp.MustCompile(`^[a-z0-9]{16,64}$`)
)

// check makes sure that a job is one that may be developed: it comes from anybody who
// reaches the broker. What remains, render checks.
func (j *job) check() error {
	problem := func() string {
		switch {
		case !digestForm.MatchString(j.Raw), !digestForm.MatchString(j.Darktable), !askForm.MatchString(j.Ask):
			return "a digest or the asking is none"
		case !isName(j.RawName):
			return "the raw's name is none of a file"
		case !slices.ContainsFunc(render.Formats(), func(f string) bool { return render.Extension(f) == j.Extension }):
			return "the format is unknown"
		case j.RawBytes < 0 || j.RawBytes > mostRaw:
			return fmt.Sprintf("the raw has %d bytes; %d are the most", j.RawBytes, int64(mostRaw))
		case j.Timeout < 0 || j.Timeout > mostTime:
			return "the time limit is out of range"
		case j.Share < 0 || j.Share > mostAmong, j.Slots < 0 || j.Slots > mostAmong:
			return "the share is out of range"
		case j.key() == "":
			return "the region is none"
		}
		sum := sha256.Sum256([]byte(j.Sidecar))
		if j.Look != hex.EncodeToString(sum[:]) {
			return "the sidecar is another one than its digest says"
		}
		return ""
	}
	if p := problem(); p != "" {
		return errors.New(p)
	}
	sidecar, err := xmp.Parse([]byte(j.Sidecar))
	if err != nil {
		return fmt.Errorf("the sidecar cannot be read: %w", err)
	}
	return sidecar.CheckFiles() // which darktable would read wherever they are
}

// isName reports whether a text is the name of a file and nothing else, on every system.
func isName(name string) bool {
	return name != "" && len(name) <= mostName && utf8.ValidString(name) && name[0] != '.' &&
		!strings.ContainsAny(name, `/\:`) && !strings.ContainsFunc(name, unicode.IsControl) && filepath.IsLocal(name)
}

// encode makes a message of a job.
func (j *job) encode() ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestSpeed)
	if err == nil {
		err = json.NewEncoder(w).Encode(j)
	}
	if err == nil {
		err = w.Close()
	}
	if err == nil && b.Len() > mostMessage {
		err = fmt.Errorf("the job has %d bytes, more than the %d that are sent", b.Len(), mostMessage)
	}
	return b.Bytes(), err
}

// decodeJob reads a message, and checks it.
func decodeJob(message []byte) (*job, error) {
	if len(message) > mostMessage {
		return nil, fmt.Errorf("the message has %d bytes, more than the %d that are read", len(message), mostMessage)
	}
	r, err := gzip.NewReader(bytes.NewReader(message))
	if err != nil {
		return nil, err
	}
	data, err := io.ReadAll(io.LimitReader(r, mostJob+1))
	if err != nil {
		return nil, err
	}
	if len(data) > mostJob {
		return nil, fmt.Errorf("the job has more than the %d bytes that are read", mostJob)
	}
	var j job
	if err := json.Unmarshal(data, &j); err != nil {
		return nil, err
	}
	return &j, j.check()
}

// newJob makes the job of an order.
func newJob(o render.Order, ask string, size int64) *job {
	sum := sha256.Sum256(o.Job.Sidecar)
	return &job{
		recipe: recipe{
			Raw: o.Job.RawDigest, RawName: filepath.Base(o.Job.Raw), Look: hex.EncodeToString(sum[:]),
			Darktable: o.Job.Darktable, Extension: strings.ToLower(filepath.Ext(o.Job.Output)), Size: o.Job.Size, Region: o.Region,
			HighQuality: o.Job.HighQuality, Quality: o.Job.Quality, BitDepth: o.Job.BitDepth, ColorSpace: o.Job.ColorSpace,
			Uncompressed: o.Job.Uncompressed,
		},
		Ask: ask, RawBytes: size, Sidecar: string(o.Job.Sidecar), Timeout: min(o.Job.Timeout, mostTime),
	}
}

// order is the job as the worker's darktable gets it.
func (j *job) order(raw, output string, timeout time.Duration) render.Job {
	return render.Job{
		Raw: raw, RawDigest: j.Raw, Darktable: j.Darktable, Sidecar: []byte(j.Sidecar), Output: output, Size: j.Size,
		HighQuality: j.HighQuality, Quality: j.Quality, BitDepth: j.BitDepth, ColorSpace: j.ColorSpace,
		Uncompressed: j.Uncompressed, Timeout: timeout,
	}
}
