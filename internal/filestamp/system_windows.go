package filestamp

import (
	"io/fs"
	"syscall"
)

// system gives the time of a file's creation.
func system(info fs.FileInfo) (changed int64, inode uint64) {
	data, ok := info.Sys().(*syscall.Win32FileAttributeData)
	if !ok {
		return 0, 0
	}
	return data.CreationTime.Nanoseconds(), 0
}
