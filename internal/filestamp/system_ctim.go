//go:build linux || openbsd || dragonfly || solaris

package filestamp

import (
	"io/fs"
	"syscall"
)

// system gives the time of the last change and the number of a file.
func system(info fs.FileInfo) (changed int64, inode uint64) {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0
	}
	return int64(stat.Ctim.Sec)*1e9 + int64(stat.Ctim.Nsec), uint64(stat.Ino) //nolint:unconvert // the types differ between systems
}
