package render

import (
	"cmp"
	"context"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A crowd is a chunk in the hands of one darktable, which is given each raw in
// a folder of its own with the sidecar beside it:
//
//	raw/0/IMG_1.NEF, raw/0/IMG_1.NEF.xmp, raw/1/…
//	out/…/raw/0/picture.jpg
//
// The name of the raw stays, because darktable writes it into the picture.
// The pictures are named by the folder of their raw below out, so that nothing
// is written elsewhere, whatever darktable takes for that folder.
type crowd struct {
	*batch
	box     *scratch
	format  *format
	outputs map[string]int // path → place of the job
	finish  time.Time      // of the one before
	alarm   *time.Timer
	limit   time.Duration
}

// together develops a chunk in one process. What does not work out is left for
// Render, which says why.
func (b *batch) together(ctx context.Context, c []int) {
	box, err := newScratch(b.darktable.scratch)
	if err != nil {
		return
	}
	defer box.remove()
	first := b.jobs[c[0]]
	f, space, err := first.plan()
	if err != nil {
		return
	}
	w := &crowd{batch: b, box: box, format: f, outputs: map[string]int{}}
	profile, err := space.args(box)
	if err != nil {
		return
	}
	var args, reads []string
	var memory int64
	for n, i := range c {
		path, more, err := w.seat(n, i)
		if err != nil {
			continue
		}
		args, reads = append(args, "--import", path), append(reads, more...)
		memory = max(memory, memoryFor(b.jobs[i].Raw))
		w.limit = max(w.limit, cmp.Or(b.jobs[i].Timeout, DefaultTimeout))
	}
	if len(w.outputs) == 0 {
		return
	}
	args = append(args, box.at("out")+"$(FILE_FOLDER)/picture"+f.extensions[0])
	args = append(args, sizeArgs(first.Size, first.HighQuality)...)
	args = append(args, profile...)
	args = append(args, coreArgs(box, f.confFor(&first)...)...)

	// The process may take as long as it gets on: the alarm ends it when a
	// picture takes too long. It is set when the process may start.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	started := func() {
		w.finish = time.Now()
		w.alarm = time.AfterFunc(w.limit, cancel)
	}
	_, err = b.darktable.run(ctx, run{
		op: "render", path: first.Raw, box: box, args: args, reads: reads,
		claim:   claim{owner: b, batch: b.processes, memory: memory},
		timeout: w.limit * time.Duration(len(c)+1), started: started, heard: w.heard,
	})
	if w.alarm != nil {
		w.alarm.Stop()
	}
	if err != nil {
		return
	}
	for path, i := range w.outputs {
		w.take(path, i)
	}
}

// seat gives the raw of a job its folder and its sidecar.
func (w *crowd) seat(n, i int) (path string, reads []string, err error) {
	dir := w.box.at("raw", strconv.Itoa(n))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", nil, err
	}
	if path, reads, err = viewIn(dir, w.jobs[i].Raw, false); err != nil {
		return "", nil, err
	}
	if err := os.WriteFile(path+".xmp", w.jobs[i].Sidecar, 0o600); err != nil {
		return "", nil, err
	}
	w.outputs[w.box.at("out")+filepath.ToSlash(dir)+"/picture"+w.format.extensions[0]] = i
	return path, reads, nil
}

// heard takes a picture as soon as darktable says that it is finished:
//
//	[export_job] exported to `PATH'
func (w *crowd) heard(line string) {
	_, path, _ := strings.Cut(line, "`")
	path, named := strings.CutSuffix(path, "'")
	if i, ok := w.outputs[path]; named && ok {
		w.alarm.Reset(w.limit)
		w.take(path, i)
	}
}

// take checks a picture and publishes it, as Render does.
func (w *crowd) take(path string, i int) {
	if w.hasEnded(i) || w.format.finish(path, &w.jobs[i]) != nil {
		return
	}
	p, err := look(path, w.format, w.jobs[i].Size)
	if err != nil || publish(path, w.jobs[i].Output) != nil {
		return
	}
	_ = os.Remove(path) // it has two names now, and the folder may be small
	now := time.Now()
	p.Path, p.Duration = w.jobs[i].Output, now.Sub(w.finish)
	w.finish = now
	w.end(i, p, nil)
}
