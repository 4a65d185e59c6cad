package main

import (
	"fmt"
	"io"
	"time"
)

// teller says what happens, in lines that a person reads.
type teller struct{ w io.Writer }

func (t teller) line(format string, args ...any) {
	fmt.Fprintf(t.w, format+"\n", args...)
}

// step runs something and says how long it took; while it takes longer than a
// second, it says that too.
func (t teller) step(what string, do func() error) error {
	done := make(chan error, 1)
	start := time.Now()
	go func() { done <- do() }()

	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	fmt.Fprint(t.w, what)
	for {
		select {
		case err := <-done:
			fmt.Fprintf(t.w, " (%.1f s)\n", time.Since(start).Seconds())
			return err
		case <-tick.C:
			fmt.Fprint(t.w, ".")
		}
	}
}
