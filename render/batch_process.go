package render

import (
	"cmp"
	"context"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// A sharedRun is one darktable that develops the jobs of a chunk. It is given each
// raw in a folder of its own with the sidecar beside it:
//
//	raw/0/IMG_1.NEF, raw/0/IMG_1.NEF.xmp, raw/1/…
//	out/…/raw/0/picture.jpg
//
// The name of the raw stays, because darktable writes it into the picture.
// The pictures are named by the folder of their raw below out, so that nothing
// is written elsewhere, whatever darktable takes for that folder.
type sharedRun struct {
	*batch
	tmp     *scratch
	format  *format
	outputs map[string]int // the picture's path → index of the job
	last    time.Time      // when the picture before was published
	timer   *time.Timer    // ends the process when a picture takes too long
	limit   time.Duration  // for one picture
}

// developAtOnce develops a chunk in one process. What fails is left for Render,
// whose error says why.
func (b *batch) developAtOnce(ctx context.Context, c []int) {
	tmp, err := newScratch(b.darktable.scratch)
	if err != nil {
		return
	}
	defer tmp.remove()
	first := b.jobs[c[0]]
	f, space, err := first.plan()
	if err != nil {
		return
	}
	s := &sharedRun{batch: b, tmp: tmp, format: f, outputs: map[string]int{}}
	profile, err := space.args(tmp)
	if err != nil {
		return
	}
	var args, reads []string
	var memory int64
	for n, i := range c {
		path, more, err := s.addJob(ctx, n, i)
		if err != nil {
			continue
		}
		args, reads = append(args, "--import", path), append(reads, more...)
		memory = max(memory, memoryFor(b.jobs[i].Raw))
		s.limit = max(s.limit, cmp.Or(b.jobs[i].Timeout, DefaultTimeout))
	}
	if len(s.outputs) == 0 {
		return
	}
	args = append(args, tmp.path("out")+"$(FILE_FOLDER)/picture"+f.extensions[0])
	args = append(args, sizeArgs(first.Size, first.HighQuality)...)
	args = append(args, profile...)
	args = append(args, coreArgs(tmp, f.confFor(&first)...)...)

	// The process has no limit of its own as long as pictures come: the timer,
	// which starts with it, is set back by each.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	_, err = b.darktable.run(ctx, invocation{
		op: "render", path: first.Raw, tmp: tmp, args: args, reads: reads,
		request: request{owner: b, batch: b.processes, memory: memory},
		timeout: min(s.limit, math.MaxInt64/time.Duration(len(c)+1)) * time.Duration(len(c)+1), onLine: s.readLine,
		onStart: func() {
			s.last = time.Now()
			s.timer = time.AfterFunc(s.limit, cancel)
		},
	})
	if s.timer != nil {
		s.timer.Stop()
	}
	if err != nil {
		return
	}
	for path, i := range s.outputs {
		s.publishPicture(path, i)
	}
}

// addJob puts the raw of a job and its sidecar into the nth folder.
func (s *sharedRun) addJob(ctx context.Context, n, i int) (path string, reads []string, err error) {
	dir := s.tmp.path("raw", strconv.Itoa(n))
	if err := os.Mkdir(dir, 0o700); err != nil {
		return "", nil, err
	}
	if path, reads, err = addRaw(ctx, dir, s.jobs[i].Raw, !s.darktable.launcher.sees(s.jobs[i].Raw), s.copies); err != nil {
		return "", nil, err
	}
	if err := os.WriteFile(path+".xmp", s.jobs[i].Sidecar, 0o600); err != nil {
		return "", nil, err
	}
	s.outputs[s.tmp.path("out")+filepath.ToSlash(dir)+"/picture"+s.format.extensions[0]] = i
	return path, reads, nil
}

// readLine publishes a picture as soon as darktable prints that it is finished:
//
//	[export_job] exported to `PATH'
func (s *sharedRun) readLine(line string) {
	_, path, _ := strings.Cut(line, "`")
	path, named := strings.CutSuffix(path, "'")
	if i, ok := s.outputs[path]; named && ok {
		s.timer.Reset(s.limit)
		s.publishPicture(path, i)
	}
}

// publishPicture checks a picture and publishes it, as Render does.
func (s *sharedRun) publishPicture(path string, i int) {
	if s.hasFinished(i) {
		return
	}
	p, err := s.format.finishPicture(path, &s.jobs[i])
	if err != nil {
		return
	}
	if err := s.jobs[i].verify(s.darktable); err != nil {
		s.finish(i, Picture{}, err)
		return
	}
	if s.jobs[i].publish(path) != nil {
		return
	}
	_ = os.Remove(path) // it has two names now, and the folder may be small
	now := time.Now()
	p.Path, p.Duration = s.jobs[i].Output, now.Sub(s.last)
	s.last = now
	s.finish(i, p, nil)
}
