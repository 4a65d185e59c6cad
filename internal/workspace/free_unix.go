//go:build unix

package workspace

import "golang.org/x/sys/unix"

// FreeBytes is what the disk of a folder has left for this user.
func FreeBytes(dir string) int64 {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0
	}
	return int64(stat.Bavail) * int64(stat.Bsize) //nolint:unconvert // the types differ between systems
}
