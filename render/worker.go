package render

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/version"
)

//go:embed worker.lua
var workerScript string

// A worker is a darktable that has loaded a raw and waits for edits to develop.
// It serves one at a time.
type worker struct {
	key    workerKey
	box    *scratch
	view   string // the raw, as darktable sees it
	stdin  io.WriteCloser
	cancel context.CancelFunc
	said   tail
	words  chan []string // what it says to Chemigram, the oldest first
	ended  chan struct{} // closed when its process has ended
	err    error         // how it ended; to be read after that
	expiry *time.Timer   // ends it when nobody wants it

	loaded        bool
	imports       bool // it takes a sidecar only beside a new picture
	raw           bool // it is one, and has a mosaic
	turned        bool // its pictures are, by a quarter, against the raw
	width, height int  // of the whole raw
	served        int
}

// workerKey is what a worker is prepared for. A raw that has changed is another
// one.
type workerKey struct {
	raw     string
	size    int64
	changed time.Time
}

// keyFor says what a worker for a raw must be prepared for.
func keyFor(raw string) (workerKey, error) {
	info, err := os.Stat(raw)
	if err != nil {
		return workerKey{}, err
	}
	raw, err = filepath.Abs(raw)
	return workerKey{raw: raw, size: info.Size(), changed: info.ModTime()}, err
}

// startWorker starts a darktable that loads a raw.
func (d *Darktable) startWorker(key workerKey) (_ *worker, err error) {
	box, err := newScratch(d.scratch)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			box.remove()
		}
	}()
	// What is imported must not be a link: the sidecar lies beside it.
	imports := d.version.Compare(version.Version{Major: 5}) < 0
	view, reads, err := box.view(key.raw, imports)
	if err != nil {
		return nil, err
	}
	if err := box.furnish(view); err != nil {
		return nil, err
	}
	args := append([]string{box.filler(), box.at("out", "tiny.jpg")}, sizeArgs(16, false)...)
	args = append(args, coreArgs(box)...)
	args[slices.Index(args, "--library")+1] = box.at("library.db") // one on disk has thumbnails on disk
	args = append(args, "--luacmd", "dofile("+lua(box.at("worker.lua"))+")")

	ctx, cancel := context.WithCancel(context.Background())
	argv := d.launcher.argv(args, reads, box.dir)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = environment(os.Environ(), box), box.dir
	w := &worker{key: key, box: box, view: view, cancel: cancel, words: make(chan []string, 8), ended: make(chan struct{})}
	if w.stdin, err = cmd.StdinPipe(); err != nil {
		cancel()
		return nil, err
	}
	cmd.Stdout, cmd.Stderr = &listener{w: w}, &w.said
	go func() {
		defer cancel()
		w.err = runGroup(cmd)
		close(w.ended)
	}()
	return w, nil
}

// failure is the reason why a worker could not serve.
func (w *worker) failure(what string) error {
	return fmt.Errorf("a prepared worker %s; darktable said last: %q", what, lastLine(w.said.String()))
}

func lastLine(text string) string {
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// await waits for what a worker says next, which should be word.
func (w *worker) await(ctx context.Context, word string) ([]string, error) {
	var said []string
	select {
	case said = <-w.words:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.ended:
		select {
		case said = <-w.words: // it was quicker than this program
		default:
			return nil, w.failure("ended too early")
		}
	}
	if said[0] != word {
		return nil, w.failure(strings.Join(said, " "))
	}
	return said[1:], nil
}

// load waits until the worker has loaded its raw.
func (w *worker) load(ctx context.Context) error {
	if w.loaded {
		return nil
	}
	said, err := w.await(ctx, "ready")
	if err != nil {
		return err
	}
	if len(said) != 4 {
		return w.failure("is not ready in the way that was agreed")
	}
	w.imports, w.raw = said[0] == "import", said[3] == "true"
	width, err1 := strconv.ParseFloat(said[1], 64)
	height, err2 := strconv.ParseFloat(said[2], 64)
	w.width, w.height = int(width), int(height)
	w.loaded = err1 == nil && err2 == nil && w.width > 0 && w.height > 0
	if !w.loaded {
		return w.failure("does not tell the picture's size")
	}
	return nil
}

// ask has the worker develop a sidecar. It gives the number of the request and
// of darktable's image.
func (w *worker) ask(ctx context.Context, what string, sidecar []byte, size, quality int) (number, image string, err error) {
	if err := w.load(ctx); err != nil {
		return "", "", err
	}
	w.served++
	number = strconv.Itoa(w.served)
	edit := w.box.at("edit", number, filepath.Base(w.view))
	err = errors.Join(os.Mkdir(filepath.Dir(edit), 0o700), os.WriteFile(edit+".xmp", sidecar, 0o600))
	if err == nil && w.imports {
		err = os.Link(w.view, edit)
	}
	if err == nil {
		_, err = fmt.Fprintln(w.stdin, what, number, size, quality)
	}
	if err != nil {
		return "", "", err
	}
	said, err := w.await(ctx, "done")
	if err != nil {
		return "", "", err
	}
	if len(said) != 2 || said[0] != number {
		return "", "", w.failure("answers another question")
	}
	return number, said[1], nil
}

// export has the worker develop a picture as the export does. It gives the path
// of the JPEG.
func (w *worker) export(ctx context.Context, job *Job) (string, error) {
	quality := job.Quality
	if quality == 0 {
		quality = defaultQuality
	}
	number, _, err := w.ask(ctx, "export", job.Sidecar, job.Size, quality)
	return w.box.at("out", number+".jpg"), err
}

// draft has the worker develop a thumbnail. It gives the path of the JPEG.
func (w *worker) draft(ctx context.Context, sidecar []byte, mip int) (string, error) {
	_, image, err := w.ask(ctx, "draft", sidecar, mip, 0)
	return filepath.Join(w.box.thumbnails(), strconv.Itoa(mip), image+".jpg"), err
}

// end kills the worker, waits for its end, and removes its folder.
func (w *worker) end() {
	w.cancel()
	<-w.ended
	w.box.remove()
}

// alive tells whether its process still runs.
func (w *worker) alive() bool {
	select {
	case <-w.ended:
		return false
	default:
		return true
	}
}
