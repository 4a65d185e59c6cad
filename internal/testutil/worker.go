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

// Work is what a [Worker] does. It writes lines to standard output as it goes; its
// error goes to standard error.
type Work func(args []string) error

// taskEnv makes the test binary a worker; its value is a task as JSON.
const taskEnv = "CHEMIGRAM_TEST_WORK"

// task names the Work of a worker, and gives its arguments.
type task struct {
	Work string   `json:"work"`
	Args []string `json:"args"`
}

// RunTests is for TestMain. It runs the tests, or, in a process that
// [StartWorker] started, one of the works; and returns the exit code.
func RunTests(m *testing.M, works map[string]Work) int {
	text := os.Getenv(taskEnv)
	if text == "" {
		return m.Run()
	}
	var todo task
	err := json.Unmarshal([]byte(text), &todo)
	if err == nil {
		err = works[todo.Work](todo.Args)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return exitFailed
	}
	return 0
}

// exitFailed is the exit code of a worker whose Work returned an error.
const exitFailed = 3

// Worker is a process of the test binary that does one [Work] and can be killed.
type Worker struct {
	cmd    *exec.Cmd
	out    *bufio.Scanner
	killed atomic.Bool
}

// StartWorker starts a process that does the work of that name. It is killed at the
// end of the test.
func StartWorker(tb testing.TB, work string, args ...string) *Worker {
	tb.Helper()
	todo, err := json.Marshal(task{work, args})
	if err != nil {
		tb.Fatal(err)
	}
	cmd := ThisProgram(tb, []string{taskEnv + "=" + string(todo)})
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

// Lines yields the lines that the worker writes, until it ends. After an early stop,
// another call yields the lines that follow. A line is valid until the next one.
func (w *Worker) Lines() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		for w.out.Scan() {
			if !yield(w.out.Bytes()) {
				return
			}
		}
	}
}

// Kill ends the worker at once (SIGKILL), as a power cut would.
func (w *Worker) Kill() {
	w.killed.Store(true)
	_ = w.cmd.Process.Kill() // it may have ended by itself
}

// Wait waits for the worker to end. All its lines have to be read before. It returns
// an error when the work failed, and none when the worker was killed.
func (w *Worker) Wait() error {
	err := w.cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && w.killed.Load() && exit.ExitCode() != exitFailed {
		return nil
	}
	return err
}

// Messages yields the lines of a worker, decoded from JSON, until it ends. A worker
// that was killed may leave a part of a line, which is left out.
func Messages[T any](w *Worker) iter.Seq[T] {
	return func(yield func(T) bool) {
		for line := range w.Lines() {
			var message T
			if json.Unmarshal(line, &message) != nil || !yield(message) {
				return
			}
		}
	}
}

// AllMessages waits until workers that run in parallel have ended, and returns their
// messages in the order of arrival. A worker whose work failed fails the test.
func AllMessages[T any](tb testing.TB, workers ...*Worker) (all []T) {
	tb.Helper()
	var mu sync.Mutex
	var group sync.WaitGroup
	for i, w := range workers {
		group.Go(func() {
			for message := range Messages[T](w) {
				mu.Lock()
				all = append(all, message)
				mu.Unlock()
			}
			if err := w.Wait(); err != nil {
				tb.Errorf("worker %d: %v", i, err)
			}
		})
	}
	group.Wait()
	return all
}
