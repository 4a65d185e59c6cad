package fserr

import (
	"errors"

	"golang.org/x/sys/windows"
)

// NoSpace reports whether err says that the disk or the quota is full.
func NoSpace(err error) bool {
	return errors.Is(err, windows.ERROR_DISK_FULL) || errors.Is(err, windows.ERROR_HANDLE_DISK_FULL)
}

// ReadOnly reports whether err says that the file system is mounted read-only.
func ReadOnly(err error) bool { return errors.Is(err, windows.ERROR_WRITE_PROTECT) }
