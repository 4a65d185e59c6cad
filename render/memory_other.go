//go:build !linux

package render

import "math"

// freeMemory is not known here; the bound on the number of workers must do.
func freeMemory() int64 { return math.MaxInt64 }
