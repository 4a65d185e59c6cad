package testutil

import (
	"testing"
	"time"
)

// WaitFor polls for what another process does, and fails the test after a minute.
func WaitFor(tb testing.TB, what string, happened func() bool) {
	tb.Helper()
	deadline := time.NewTimer(time.Minute)
	defer deadline.Stop()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for !happened() {
		select {
		case <-tick.C:
		case <-deadline.C:
			tb.Fatalf("waited a minute for %s", what)
		}
	}
}
