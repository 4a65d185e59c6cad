// Package parallel shares work among the processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Do calls work for 0 to n-1, on all processors, and returns when all calls have.
func Do(n int, work func(i int)) {
	var next atomic.Int64
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		group.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				work(i)
			}
		})
	}
	group.Wait()
}
