//go:build !linux

package render

// freeMemory is not known here; the bound on the number of workers must do.
func freeMemory() int64 { return workerMemory }
