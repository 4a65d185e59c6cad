package testutil

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
	"testing"
)

// Work is what a [Worker] does. It says on standard output, a line at a time,
// what has happened; its error goes to standard error.
type Work func(args []string) error

// workEnv makes the test program a worker; its value is a workOrder as JSON.
const workEnv = "CHEMIGRAM_TEST_WORK"

type workOrder struct {
	Work string   `json:"work"`
	Args []string `json:"args"`
}

// RunTests is for TestMain. It runs the tests, or, in a process that
// [StartWorker] started, one of the works; and gives what to exit with.
func RunTests(m *testing.M, works map[string]Work) int {
	text := os.Getenv(workEnv)
	if text == "" {
		return m.Run()
	}
	var order workOrder
	err := json.Unmarshal([]byte(text), &order)
	if err == nil {
		err = works[order.Work](order.Args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return gaveUp
	}
	return 0
}

// gaveUp is how a worker exits whose work failed.
const gaveUp = 3

// Worker is this test program in a process of its own, to be killed.
type Worker struct {
	cmd    *exec.Cmd
	out    *bufio.Scanner
	killed atomic.Bool
}

// StartWorker starts a worker, which the end of the test kills.
func StartWorker(tb testing.TB, work string, args ...string) *Worker {
	tb.Helper()
	order, err := json.Marshal(workOrder{work, args})
	if err != nil {
		tb.Fatal(err)
	}
	cmd := exec.CommandContext(tb.Context(), os.Args[0])
	cmd.Env = append(os.Environ(), workEnv+"="+string(order))
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		tb.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		tb.Fatal(err)
	}
	w := &Worker{cmd: cmd, out: bufio.NewScanner(out)}
	w.out.Buffer(nil, 1<<20)
	return w
}

// Lines are the lines that the worker says, until it ends. Whoever stops early
// may go on with another call. A line is good until the next one.
func (w *Worker) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w.out.Scan() {
			if !yield(w.out.Bytes()) {
				return
			}
		}
	}
}

// Kill ends the worker as a power cut would: it has no say in it.
func (w *Worker) Kill() {
	w.killed.Store(true)
	_ = w.cmd.Process.Kill() // it may have ended by itself
}

// Wait waits for the worker's end, after all its lines were read. That it was
// killed is no error; that its work failed is.
func (w *Worker) Wait() error {
	err := w.cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && w.killed.Load() && exit.ExitCode() != gaveUp {
		return nil
	}
	return err
}

// Told decodes the lines of a worker, which are JSON, until it ends. A worker
// that was killed may leave half a line, which is left out.
func Told[T any](w *Worker) iter.Seq[T] {
	return func(yield func(T) bool) {
		for line := range w.Lines() {
			var said T
			if json.Unmarshal(line, &said) != nil || !yield(said) {
				return
			}
		}
	}
}

// AllTold is what workers say that run side by side, in the order in which it
// arrives, when all of them have ended. One whose work failed fails the test.
func AllTold[T any](tb testing.TB, workers ...*Worker) (all []T) {
	tb.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	for i, w := range workers {
		group.Go(func() {
			for one := range Told[T](w) {
				mu.Lock()
				all = append(all, one)
				mu.Unlock()
			}
			if err := w.Wait(); err != nil {
				tb.Errorf("process %d: %v", i, err)
			}
		})
	}
	group.Wait()
	return all
}
