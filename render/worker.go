package render

import (
	"bytes"
	"context"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

//go:embed worker.lua
var workerScript string

// A worker is a darktable that has loaded a raw, serves one preview, and ends.
type worker struct {
	want   workerKey
	box    *scratch
	view   string
	stdin  io.WriteCloser
	cancel context.CancelFunc
	said   tail
	ready  chan string   // how it takes a sidecar, once it has loaded the raw
	done   chan string   // the number of the image that it has developed
	ended  chan struct{} // closed when its process has ended
	err    error         // how it ended; to be read after that
	expiry *time.Timer   // ends it when nobody wants it
}

// workerKey is what a worker is prepared for. A raw that has changed is another
// one.
type workerKey struct {
	raw     string
	size    int64
	changed time.Time
	quality Quality
}

// workerConf is darktable's configuration for thumbnails: kept on disk, at a
// high JPEG quality, in Adobe RGB, and not taken from the raw's own preview.
const workerConf = seed + `cache_disk_backend=TRUE
cache_color_managed=TRUE
database_cache_quality=97
plugins/lighttable/thumbnail_raw_min_level=never
plugins/lighttable/thumbnail_hq_min_level=%s
write_sidecar_files=never
`

// startWorker starts a darktable that prepares itself. With warm it also
// decodes the raw before it is ready.
func (d *Darktable) startWorker(want workerKey, warm bool) (_ *worker, err error) {
	box, err := newScratch(d.scratch)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			box.remove()
		}
	}()
	view, reads, err := box.view(want.raw, d.version.less(version{5, 0, 0}))
	if err != nil {
		return nil, err
	}
	if err := box.furnish(view, want.quality, warm); err != nil {
		return nil, err
	}
	args := append([]string{box.at("tiny.png"), box.at("out", "tiny.jpg")}, sizeArgs(16, false)...)
	args = append(args, coreArgs(box)...)
	args[indexOf(args, "--library")+1] = box.at("library.db")
	args = append(args, "--luacmd", "dofile([==["+box.at("worker.lua")+"]==])")

	ctx, cancel := context.WithCancel(context.Background())
	argv := d.launcher.argv(args, reads, box.dir)
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env, cmd.Dir = environment(os.Environ(), box), box.dir
	w := &worker{want: want, box: box, view: view, cancel: cancel, ready: make(chan string, 1), done: make(chan string, 1), ended: make(chan struct{})}
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

func indexOf(words []string, word string) int {
	for i, w := range words {
		if w == word {
			return i
		}
	}
	return -1
}

// furnish puts into the scratch folder what a worker needs.
func (b *scratch) furnish(view string, quality Quality, warm bool) error {
	level := "never" // demosaic at half size
	if quality != Draft {
		level = "always"
	}
	var tiny bytes.Buffer
	if err := png.Encode(&tiny, image.NewGray(image.Rect(0, 0, 16, 16))); err != nil {
		return err
	}
	job := fmt.Sprintf("local job = {raw = [==[%s]==], edit = [==[%s]==], sidecar = [==[%s]==], warm = %t}\n",
		view, b.edit(view), b.sidecar(view), warm)
	return errors.Join(
		os.Mkdir(b.at("edit"), 0o700),
		os.WriteFile(b.at("config", "darktablerc"), fmt.Appendf(nil, workerConf, level), 0o600),
		os.WriteFile(b.at("tiny.png"), tiny.Bytes(), 0o600),
		os.WriteFile(b.at("worker.lua"), []byte(job+workerScript), 0o600),
	)
}

// edit is where a second view of the raw is made for a darktable that cannot
// apply a sidecar; sidecar is where the sidecar lies, beside it.
func (b *scratch) edit(view string) string    { return b.at("edit", filepath.Base(view)) }
func (b *scratch) sidecar(view string) string { return b.edit(view) + ".xmp" }

// A listener tells what a worker says to Chemigram from what darktable prints.
type listener struct {
	w    *worker
	line []byte
}

func (l *listener) Write(p []byte) (int, error) {
	_, _ = l.w.said.Write(p)
	for _, b := range p {
		if b != '\n' {
			if len(l.line) < 512 {
				l.line = append(l.line, b)
			}
			continue
		}
		l.hear(string(l.line))
		l.line = l.line[:0]
	}
	return len(p), nil
}

// hear passes on a line that is meant for Chemigram; each is said once.
func (l *listener) hear(line string) {
	words := strings.Fields(line)
	if len(words) != 3 || words[0] != "chemigram" {
		return
	}
	to := map[string]chan string{"ready": l.w.ready, "done": l.w.done}[words[1]]
	select {
	case to <- words[2]:
	default:
	}
}

// failure is the reason why a worker could not serve.
func (w *worker) failure(what string) error {
	said := w.said.String()
	return fmt.Errorf("a prepared worker %s; it said last: %s", what, strings.TrimSpace(said[strings.LastIndexByte(said, '\n')+1:]))
}

// await waits for a word of the worker's.
func (w *worker) await(ctx context.Context, word <-chan string) (string, error) {
	select {
	case said := <-word:
		return said, nil
	case <-ctx.Done():
		return "", ctx.Err()
	case <-w.ended:
	}
	select {
	case said := <-word:
		return said, nil
	default:
		return "", w.failure("ended too early")
	}
}

// serve has the worker develop a sidecar, and gives the path of the thumbnail.
// It is in Adobe RGB and lies in the worker's scratch folder.
func (w *worker) serve(ctx context.Context, sidecar []byte, mip int) (string, error) {
	how, err := w.await(ctx, w.ready)
	if err != nil {
		return "", err
	}
	if err := os.WriteFile(w.box.sidecar(w.view), sidecar, 0o600); err != nil {
		return "", err
	}
	if how == "import" {
		if err := os.Link(w.view, w.box.edit(w.view)); err != nil {
			return "", err
		}
	}
	if _, err := fmt.Fprintln(w.stdin, mip); err != nil {
		return "", err
	}
	id, err := w.await(ctx, w.done)
	if err != nil {
		return "", err
	}
	select {
	case <-w.ended: // which writes the thumbnail
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if w.err != nil {
		return "", w.failure("did not end well: " + w.err.Error())
	}
	found, err := filepath.Glob(filepath.Join(globQuote(w.box.at("cache")), "mipmaps-*.d", fmt.Sprint(mip), id+".jpg"))
	if err != nil || len(found) != 1 {
		return "", w.failure("wrote no thumbnail")
	}
	return found[0], nil
}

// end kills the worker, waits for its end, and removes its folder.
func (w *worker) end() {
	w.cancel()
	<-w.ended
	w.box.remove()
}

func globQuote(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}
