//go:build unix

package chemigram

import "golang.org/x/sys/unix"

// freeBytes is what the disk of a folder has left for this user.
func freeBytes(dir string) int64 {
	var stat unix.Statfs_t
	if err := unix.Statfs(dir, &stat); err != nil {
		return 0
	}
	return int64(stat.Bavail) * int64(stat.Bsize) //nolint:unconvert // the types differ between systems
}
