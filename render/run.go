package render

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"time"
)

// killDelay is the time between asking a process group to end and killing it.
const killDelay = 500 * time.Millisecond

// An invocation is one start of darktable-cli.
type invocation struct {
	op      string
	path    string  // the file concerned, for errors
	request request // for a slot; the owner's default is path
	tmp     *scratch
	args    []string
	reads   []string // what a sandboxed darktable must be able to read
	timeout time.Duration
	onStart func()            // is called when the slot is free; or nil
	onLine  func(line string) // is called with what darktable prints, at once; or nil
}

// run waits for a free slot, starts darktable-cli and waits for its end. It
// gives the end of what darktable printed.
func (d *Darktable) run(ctx context.Context, r invocation) (string, error) {
	began := time.Now()
	if r.request.owner == nil {
		r.request.owner, r.request.memory = r.path, memoryFor(r.path)
	}
	slot, err := d.schedule.acquire(ctx, r.request)
	if err != nil {
		return "", interrupted(ctx, r, nil, "", began, err)
	}
	defer slot.release()
	if r.onStart != nil {
		r.onStart()
	}
	ctx, cancel := withLimit(ctx, r.timeout)
	defer cancel()

	argv := d.launcher.argv(r.args, r.reads, r.tmp.path())
	printed := output{onLine: r.onLine}
	cmd := exec.CommandContext(ctx, argv[0], argv[1:]...)
	cmd.Env = append(environment(os.Environ(), r.tmp), slot.environment()...)
	cmd.Dir = r.tmp.path()
	cmd.Stdout, cmd.Stderr = &printed, &printed
	err = runGroup(cmd)

	switch {
	case err == nil:
		return printed.String(), nil
	case ctx.Err() != nil:
		return "", interrupted(ctx, r, argv, printed.String(), began, err)
	}
	failure := &Error{Op: r.op, Kind: Failed, Path: r.path, Command: argv, ExitCode: -1, Stderr: printed.String(), Err: err}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		failure.ExitCode = exit.ExitCode()
		failure.Message = "darktable gave up"
	} else {
		failure.Kind, failure.Message = System, "cannot run darktable"
	}
	return "", failure
}

// withLimit gives a context that ends after a time; after 0 it has its own deadline, or
// DefaultTimeout.
func withLimit(ctx context.Context, after time.Duration) (context.Context, context.CancelFunc) {
	if _, has := ctx.Deadline(); has && after == 0 {
		return context.WithCancel(ctx)
	}
	return context.WithTimeout(ctx, cmp.Or(after, DefaultTimeout))
}

// interrupted is the error of a run that ended with its context.
func interrupted(ctx context.Context, r invocation, argv []string, printed string, began time.Time, err error) error {
	e := &Error{Op: r.op, Kind: Canceled, Path: r.path, Command: argv, ExitCode: -1, Stderr: printed, Err: ctx.Err()}
	end := "the caller gave up"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e.Kind = TimedOut
		end = fmt.Sprintf("its time was over after %v", time.Since(began).Round(time.Millisecond))
	}
	if argv == nil {
		e.Message = "darktable was not started, because as many as may run at once, or as memory allows, were running until " + end
	} else {
		e.Message = "darktable was ended because " + end
	}
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		e.ExitCode = exit.ExitCode()
	}
	return e
}

// runGroup runs cmd in a process group of its own, which ends with it: when
// the context of cmd ends, when the process itself does, and on Linux when this
// program dies.
func runGroup(cmd *exec.Cmd) error {
	var kill *time.Timer
	cmd.Cancel = func() error {
		kill = time.AfterFunc(killDelay, func() { killGroup(cmd.Process.Pid) })
		return terminateGroup(cmd.Process.Pid)
	}
	// A child that outlives darktable can hold its output open.
	cmd.WaitDelay = killDelay + time.Second
	setGroup(cmd)
	release, err := guard(cmd)
	if err != nil {
		return err
	}
	defer release()

	done := make(chan error, 1)
	go func() {
		// Linux ends the process when the thread that started it ends, so
		// that thread must have nothing else to do.
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		done <- cmd.Run()
	}()
	err = <-done
	if kill != nil {
		kill.Stop()
	}
	if cmd.Process != nil {
		killGroup(cmd.Process.Pid)
	}
	if errors.Is(err, exec.ErrWaitDelay) {
		return nil // it ended with status 0; a child of it held its output open
	}
	return err
}
