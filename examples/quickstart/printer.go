package main

import (
	"fmt"
	"io"
	"time"
)

// printer prints what the program does.
type printer struct{ w io.Writer }

func (p printer) line(format string, args ...any) {
	fmt.Fprintf(p.w, format+"\n", args...)
}

// timed calls f and prints how long it took, and a dot for every second until then.
func (p printer) timed(what string, f func() error) error {
	done := make(chan error, 1)
	start := time.Now()
	go func() { done <- f() }()

	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	fmt.Fprint(p.w, what)
	for {
		select {
		case err := <-done:
			fmt.Fprintf(p.w, " (%.1f s)\n", time.Since(start).Seconds())
			return err
		case <-tick.C:
			fmt.Fprint(p.w, ".")
		}
	}
}
