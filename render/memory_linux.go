package render

import (
	"fmt"
	"os"
	"strings"
)

// freeMemory is how many bytes a program can take without pushing out others.
func freeMemory() int64 {
	data, err := os.ReadFile("/proc/meminfo")
	if err != nil {
		return workerMemory
	}
	_, rest, _ := strings.Cut(string(data), "MemAvailable:")
	var kilobytes int64
	if _, err := fmt.Sscan(rest, &kilobytes); err != nil {
		return workerMemory
	}
	return kilobytes << 10
}
