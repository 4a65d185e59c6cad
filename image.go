package chemigram

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/xmp"
)

// image is one image of the workspace: what it was registered with, and its
// history. It is shared between calls, and does not change.
type image struct {
	Dir string
	imageFile
	History *versioning.History
}

// imageFile is image.json.
type imageFile struct {
	ImageID    ImageID     `json:"image_id"`
	Raw        rawFile     `json:"raw"`
	EXIF       EXIFSummary `json:"exif"`
	Darktable  string      `json:"darktable"` // that made the baseline
	IngestedAt time.Time   `json:"ingested_at"`
}

// rawFile is the user's file, as it was at ingest.
type rawFile struct {
	Path       string    `json:"path"`
	SHA256     string    `json:"sha256"`
	Size       int64     `json:"size"`
	ModifiedAt time.Time `json:"modified_at"`
}

// image opens an image by id.
func (e *Engine) image(id ImageID) (*image, error) {
	img, err := e.shelf.open(e.workspace, id, e.historyOptions())
	if errors.Is(err, fs.ErrNotExist) {
		ids, _ := e.workspace.imageIDs()
		return nil, fault.Missing("image", string(id), ids)
	}
	return img, err
}

func (e *Engine) historyOptions() *versioning.Options {
	return &versioning.Options{LockWait: e.opts.LockWait, ReadOnly: e.opts.ReadOnly}
}

func (w *workspace) openImage(id ImageID, opts *versioning.Options) (*image, error) {
	file, err := w.readImageFile(id)
	if err != nil {
		return nil, err
	}
	dir := w.imageDir(id)
	if !opts.ReadOnly {
		sweep(dir)
	}
	img := &image{Dir: dir, imageFile: file}
	img.History, err = versioning.Open(filepath.Join(dir, "history"), opts)
	return img, err
}

func (w *workspace) readImageFile(id ImageID) (imageFile, error) {
	path := filepath.Join(w.imageDir(id), "image.json")
	data, err := os.ReadFile(path)
	if err != nil {
		return imageFile{}, err
	}
	var file imageFile
	if err := unmarshalChecked(data, &file); err != nil {
		return imageFile{}, fault.New(fault.State, "%s is damaged: %v", path, err)
	}
	if file.ImageID != id {
		// On a file system that folds case, "a" opens the folder of "A".
		return imageFile{}, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return file, nil
}

func (f imageFile) write(dir string) error {
	data, err := marshalChecked(struct {
		imageFile
		checksum
	}{f, checksum{noChecksum}})
	if err != nil {
		return err
	}
	return atomicfile.Write(filepath.Join(dir, "image.json"), data, 0o644)
}

// version is one version of an image's edit: the record and its sidecar.
type version struct {
	Record  versioning.Record
	Sidecar *xmp.Sidecar
}

// annotations are what the engine keeps in a record beside what versioning
// knows: which vocabulary entries made the history entries of its state.
type annotations struct {
	Origins []xmp.InstanceOrigins `json:"origins,omitempty"`
}

// At gives the version that a ref or hash names; "" is HEAD.
func (i *image) At(ctx context.Context, ref RefOrHash) (version, error) {
	record, err := i.History.Resolve(ctx, string(ref))
	if err != nil {
		return version{}, err
	}
	return i.Load(ctx, record)
}

func (i *image) Load(ctx context.Context, record versioning.Record) (version, error) {
	state, err := i.History.State(ctx, record.State)
	if err != nil {
		return version{}, err
	}
	sidecar, err := xmp.Parse(state)
	if err != nil {
		return version{}, err
	}
	if len(record.Annotations) > 0 {
		var notes annotations
		if err := json.Unmarshal(record.Annotations, &notes); err != nil {
			return version{}, fault.New(fault.Versioning, "the annotations of record %s are damaged: %v", record.ID, err)
		}
		sidecar = sidecar.WithOrigins(notes.Origins)
	}
	return version{record, sidecar}, nil
}

// baselineTag names the first snapshot of every image.
const baselineTag = "refs/tags/baseline"

func (i *image) Baseline(ctx context.Context) (version, error) { return i.At(ctx, baselineTag) }

// Commit publishes a sidecar as the next snapshot of the branch.
func (i *image) Commit(ctx context.Context, next *xmp.Sidecar, change versioning.Change) (version, bool, error) {
	notes, err := json.Marshal(annotations{Origins: next.Origins()})
	if err != nil {
		return version{}, false, err
	}
	change.Annotations = notes
	record, changed, err := i.History.Commit(ctx, next.Canonical(), change)
	return version{record, next}, changed, err
}

// state is what get_state and state_after report.
func (v version) state() State {
	hash := v.Record.State.String()
	s := State{HeadHash: &hash}
	for _, entry := range v.Sidecar.History() {
		s.EntryCount++
		if !entry.Enabled {
			continue
		}
		s.EnabledCount++
		for _, origin := range entry.Origins {
			switch Layer(origin.Layer) {
			case "L1":
				s.LayersPresent.L1 = true
			case "L2":
				s.LayersPresent.L2 = true
			case "L3":
				s.LayersPresent.L3 = true
			}
		}
	}
	return s
}
