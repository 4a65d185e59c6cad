package render

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/chemigram/chemigram/internal/filestamp"
	"github.com/chemigram/chemigram/internal/version"
)

// A worker is a darktable that has loaded a raw and waits for edits to develop.
// It serves one at a time.
type worker struct {
	key      workerKey
	tmp      *scratch
	rawPath  string // in tmp
	stdin    io.WriteCloser
	cancel   context.CancelFunc
	printed  output
	messages chan []string // to Chemigram, the oldest first
	ended    chan struct{} // closed when its process has ended
	expiry   *time.Timer   // ends it when nobody wants it

	loaded        bool
	imports       bool // it reads a sidecar only beside a new picture
	raw           bool // the picture is one, and has a mosaic
	turned        bool // its pictures are, by a quarter, against the raw
	width, height int  // of the whole raw
	served        int
}

// workerKey is what a worker is prepared for. A raw that has changed is another
// one, and so is a darktable that was upgraded.
type workerKey struct {
	raw       string
	digest    string // of the raw's content, as far as the job knows it
	stamp     filestamp.Stamp
	darktable string
}

func (d *Darktable) newWorkerKey(job *Job) (workerKey, error) {
	info, err := os.Stat(job.Raw)
	if err != nil {
		return workerKey{}, err
	}
	raw, err := filepath.Abs(job.Raw)
	return workerKey{raw: raw, digest: job.RawDigest, stamp: filestamp.Of(info), darktable: d.Identity()}, err
}

// startWorker starts a darktable that loads a raw.
func (d *Darktable) startWorker(key workerKey) (_ *worker, err error) {
	tmp, err := newScratch(d.scratch)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			tmp.remove()
		}
	}()
	// What is imported must not be a link: the sidecar lies beside it.
	imports := d.version.Compare(version.Version{Major: 5}) < 0
	rawPath, reads, err := addRaw(context.Background(), tmp.path("raw"), key.raw, imports || !d.launcher.sees(key.raw), nil)
	if err != nil {
		return nil, err
	}
	if err := tmp.addWorkerFiles(rawPath); err != nil {
		return nil, err
	}
	args := append([]string{tmp.filler(), tmp.path("out", "tiny.jpg")}, sizeArgs(16, false)...)
	args = append(args, coreArgs(tmp)...)
	args[slices.Index(args, "--library")+1] = tmp.path("library.db") // one on disk has thumbnails on disk
	args = append(args, "--luacmd", "dofile("+luaString(tmp.path("worker.lua"))+")")

	ctx, cancel := context.WithCancel(context.Background())
	argv := d.launcher.argv(args, reads, tmp.path())
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = environment(os.Environ(), tmp), tmp.path()
	w := &worker{key: key, tmp: tmp, rawPath: rawPath, cancel: cancel, messages: make(chan []string, 8), ended: make(chan struct{})}
	if w.stdin, err = cmd.StdinPipe(); err != nil {
		cancel()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = &messageReader{w: w}, &w.printed
	go func() {
		defer cancel()
		_ = runGroup(cmd) // why it ended is in what it printed
		close(w.ended)
	}()
	return w, nil
}

// load waits until the worker has loaded its raw.
func (w *worker) load(ctx context.Context) error {
	if w.loaded {
		return nil
	}
	ready, err := w.receive(ctx, "ready")
	if err != nil {
		return err
	}
	if len(ready) != 4 {
		return w.failure("is ready with a message of another form")
	}
	w.imports, w.raw = ready[0] == "import", ready[3] == "true"
	width, err1 := strconv.ParseFloat(ready[1], 64)
	height, err2 := strconv.ParseFloat(ready[2], 64)
	w.width, w.height = int(width), int(height)
	w.loaded = err1 == nil && err2 == nil && w.width > 0 && w.height > 0
	if !w.loaded {
		return w.failure("does not give the picture's size")
	}
	return nil
}

// send has the worker develop a sidecar. It gives the number of the request and
// of darktable's image.
func (w *worker) send(ctx context.Context, what string, sidecar []byte, size, quality int) (number, image string, err error) {
	if err := w.load(ctx); err != nil {
		return "", "", err
	}
	w.served++
	number = strconv.Itoa(w.served)
	edit := w.tmp.path("edit", number, filepath.Base(w.rawPath))
	err = errors.Join(os.Mkdir(filepath.Dir(edit), 0o700), os.WriteFile(edit+".xmp", sidecar, 0o600))
	if err == nil && w.imports {
		err = os.Link(w.rawPath, edit)
	}
	if err == nil {
		_, err = fmt.Fprintln(w.stdin, what, number, size, quality)
	}
	if err != nil {
		return "", "", err
	}
	done, err := w.receive(ctx, "done")
	if err != nil {
		return "", "", err
	}
	if len(done) != 2 || done[0] != number {
		return "", "", w.failure("answers another request")
	}
	return number, done[1], nil
}

// export has the worker develop a picture as the command line does. It gives the
// path of the JPEG.
func (w *worker) export(ctx context.Context, job *Job) (string, error) {
	quality := job.Quality
	if quality == 0 {
		quality = defaultQuality
	}
	number, _, err := w.send(ctx, "export", job.Sidecar, job.Size, quality)
	return w.tmp.path("out", number+".jpg"), err
}

// thumbnail has the worker develop darktable's thumbnail of a size. It gives the
// path of the JPEG.
func (w *worker) thumbnail(ctx context.Context, sidecar []byte, size int) (string, error) {
	_, image, err := w.send(ctx, "draft", sidecar, size, 0)
	return filepath.Join(w.tmp.thumbnails(), strconv.Itoa(size), image+".jpg"), err
}

// removeEdits removes the sidecars that the worker has developed.
func (w *worker) removeEdits() {
	_ = os.RemoveAll(w.tmp.path("edit"))
	_ = os.Mkdir(w.tmp.path("edit"), 0o700)
}

// end kills the worker, waits for its end, and removes its folder.
func (w *worker) end() {
	w.cancel()
	<-w.ended
	w.tmp.remove()
}

func (w *worker) isAlive() bool {
	select {
	case <-w.ended:
		return false
	default:
		return true
	}
}
