package versioning

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/edittest"
	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// sessionStates are states of 40 history entries, as one sitting makes them.
func sessionStates(n int) [][]byte {
	s := edittest.New(1, edittest.Full)
	states := make([][]byte, n)
	for i := range states {
		states[i] = s.Edit()
	}
	return states
}

// sessionChange is an edit as the engine describes it: with the origins of the
// entries that it made.
func sessionChange(i int) Change {
	type origin struct {
		Operation string   `json:"operation"`
		Instance  int      `json:"instance"`
		Origins   []string `json:"origins"`
	}
	var origins []origin
	for k := range 20 {
		origins = append(origins, origin{fmt.Sprintf("module%02d", k), 0, []string{"entry" + fmt.Sprint(k), "starter", "1.2.0", "L3"}})
	}
	annotations, err := json.Marshal(map[string]any{"origins": origins})
	if err != nil {
		panic(err)
	}
	return Change{
		Op: "apply_primitive", Actor: "agent", Entry: "exposure", Darktable: "5.4.1",
		Values: map[string]float64{"ev": float64(i) / 7}, Annotations: annotations,
	}
}

// BenchmarkSnapshot publishes states of 55 KB, with and without durability.
func BenchmarkSnapshot(b *testing.B) {
	states := sessionStates(2000)
	for _, d := range []struct {
		name string
		Durability
	}{{"full", Full}, {"relaxed", Relaxed}} {
		b.Run(d.name, func(b *testing.B) {
			dir := b.TempDir()
			h, err := Open(dir, &Options{Durability: d.Durability})
			if err != nil {
				b.Fatal(err)
			}
			if _, err := h.Init(b.Context(), edittest.New(1, edittest.Full).State(), sessionChange(0)); err != nil {
				b.Fatal(err)
			}
			i := 0
			for b.Loop() {
				if _, _, err := h.Commit(b.Context(), states[i%len(states)], sessionChange(i)); err != nil {
					b.Fatal(err)
				}
				i++
			}
			b.ReportMetric(float64(sizeOf(b, dir))/float64(i), "disk-B/op")
		})
	}
}

// BenchmarkSnapshotBesideGit publishes each state in turn in a history and in
// git repositories, so that whatever else the machine does falls on all alike,
// and reports medians. Git's share is its plumbing with fsync on, a blob and a
// ref, which is less than a history keeps: with processes that stay, and with a
// process for each call.
func BenchmarkSnapshotBesideGit(b *testing.B) {
	states := sessionStates(1000)
	histories := map[string]*History{}
	for name, d := range map[string]Durability{"full": Full, "relaxed": Relaxed} {
		h, err := Open(b.TempDir(), &Options{Durability: d})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := h.Init(b.Context(), states[len(states)-1], Change{}); err != nil {
			b.Fatal(err)
		}
		histories[name] = h
	}
	stays, calls := newGit(b), newGit(b)
	objects, refs := stays.start(b, "hash-object", "-w", "--stdin-paths"), stays.start(b, "update-ref", "--stdin")
	path := filepath.Join(b.TempDir(), "state")
	i := 0
	publish := map[string]func(){
		"git-stays": func() {
			if err := os.WriteFile(path, states[i], 0o600); err != nil {
				b.Fatal(err)
			}
			id := objects.ask(b, path, 1)
			refs.ask(b, fmt.Sprintf("start\nupdate refs/snapshots/main %s\ncommit", id), 2)
		},
		"git-calls": func() {
			id := calls.run(b, states[i], "hash-object", "-w", "--stdin")
			calls.run(b, nil, "update-ref", "refs/snapshots/main", id)
		},
	}
	for name, h := range histories {
		publish[name] = func() {
			if _, _, err := h.Commit(b.Context(), states[i], sessionChange(i)); err != nil {
				b.Fatal(err)
			}
		}
	}
	inTurn(b, publish, func() { i = (i + 1) % len(states) })
}

// inTurn runs calls one after the other, so that whatever else the machine does
// falls on all alike, and reports medians. next runs after each round.
func inTurn(b *testing.B, calls map[string]func(), next func()) {
	b.Helper()
	took := map[string][]time.Duration{}
	for b.Loop() {
		for name, do := range calls {
			start := time.Now()
			do()
			took[name] = append(took[name], time.Since(start))
		}
		next()
	}
	for name, times := range took {
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds()), name+"-µs")
	}
}

// BenchmarkLog lists 20 records of histories of 100 and 10,000: as a program that
// has just opened the history, as one that asks again, and with git.
func BenchmarkLog(b *testing.B) {
	for _, records := range []int{100, 10_000} {
		dir := b.TempDir()
		long(b, storage.Disk(dir), records)
		b.Run(fmt.Sprint(records), func(b *testing.B) {
			g := newGit(b)
			var in bytes.Buffer
			for i := range records {
				fmt.Fprintf(&in, "commit refs/heads/main\ncommitter a <a@b> %d +0000\ndata 5\napply\nM 644 inline state\ndata 8\n%08d\n", i+1, i)
			}
			g.run(b, in.Bytes(), "fast-import", "--quiet")
			list := func(h *History) {
				if recs, total, err := h.Log(b.Context(), LogOptions{Limit: 20}); err != nil || len(recs) != 20 || total != records {
					b.Fatal(len(recs), total, err)
				}
			}
			stays := openFolder(b, dir)
			inTurn(b, map[string]func(){
				"opened": func() { list(openFolder(b, dir)) },
				"again":  func() { list(stays) },
				"git":    func() { g.run(b, nil, "log", "-n", "20", "--format=%H %P %at %s", "main") },
			}, func() {})
		})
		h := openFolder(b, dir)
		oldest, err := h.Resolve(b.Context(), "baseline")
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("%d/oldest-by-hash", records), func(b *testing.B) {
			for b.Loop() {
				if _, err := h.Resolve(b.Context(), oldest.ID.String()); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("%d/filtered", records), func(b *testing.B) {
			for b.Loop() {
				if _, _, err := h.Log(b.Context(), LogOptions{Limit: 20, Actor: "nobody"}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func openFolder(b *testing.B, dir string) *History {
	h, err := Open(dir, nil)
	if err != nil {
		b.Fatal(err)
	}
	return h
}

// BenchmarkCheckout goes to and fro between two states and reads them.
func BenchmarkCheckout(b *testing.B) {
	states := sessionStates(100)
	h := openFolder(b, b.TempDir())
	if _, err := h.Init(b.Context(), []byte("state 0"), Change{}); err != nil {
		b.Fatal(err)
	}
	for i, state := range states {
		if _, _, err := h.Commit(b.Context(), state, sessionChange(i)); err != nil {
			b.Fatal(err)
		}
	}
	g := newGit(b)
	ids := []string{g.run(b, states[99], "hash-object", "-w", "--stdin"), g.run(b, states[92], "hash-object", "-w", "--stdin")}
	i := 0
	inTurn(b, map[string]func(){
		"ours": func() {
			h.clearCaches()
			head, err := h.Checkout(b.Context(), fmt.Sprintf("main~%d", 1+i%2*7))
			if err != nil {
				b.Fatal(err)
			}
			if _, err := h.State(b.Context(), head.Record.State); err != nil {
				b.Fatal(err)
			}
		},
		"git": func() {
			g.run(b, nil, "update-ref", "refs/snapshots/here", ids[i%2])
			g.run(b, nil, "cat-file", "blob", ids[i%2])
		},
	}, func() { i++ })
}

func BenchmarkVerify(b *testing.B) {
	dir := b.TempDir()
	long(b, storage.Disk(dir), 2000)
	h := openFolder(b, dir)
	for b.Loop() {
		if found, err := h.Verify(b.Context(), nil); err != nil || len(found) > 0 {
			b.Fatal(found, err)
		}
	}
}

func sizeOf(b *testing.B, dir string) (size int64) {
	for _, name := range []string{journal.Name, journal.IndexName} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			b.Fatal(err)
		}
		size += info.Size()
	}
	return size
}

// git is a bare repository that syncs what it writes.
type git struct{ dir string }

func newGit(b *testing.B) git {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("there is no git here")
	}
	g := git{b.TempDir()}
	g.run(b, nil, "init", "--quiet", "--bare", "--initial-branch=main")
	return g
}

func (g git) command(b *testing.B, args ...string) *exec.Cmd {
	args = append([]string{"-C", g.dir, "-c", "core.fsync=all", "-c", "core.fsyncMethod=fsync"}, args...)
	return exec.CommandContext(b.Context(), "git", args...)
}

func (g git) run(b *testing.B, in []byte, args ...string) string {
	cmd := g.command(b, args...)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		b.Fatal(err)
	}
	return string(bytes.TrimSpace(out))
}

// gitProcess is a git process that takes commands.
type gitProcess struct {
	in  io.Writer
	out *bufio.Reader
}

func (g git) start(b *testing.B, args ...string) gitProcess {
	cmd := g.command(b, args...)
	in, err := cmd.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _, _ = in.Close(), cmd.Wait() })
	return gitProcess{in, bufio.NewReader(out)}
}

// ask sends a line, and returns the last of the lines of the answer.
func (r gitProcess) ask(b *testing.B, text string, lines int) string {
	if _, err := fmt.Fprintln(r.in, text); err != nil {
		b.Fatal(err)
	}
	var line string
	for range lines {
		var err error
		if line, err = r.out.ReadString('\n'); err != nil {
			b.Fatal(err)
		}
	}
	return string(bytes.TrimSpace([]byte(line)))
}
