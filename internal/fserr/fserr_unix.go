//go:build unix

package fserr

import (
	"errors"
	"syscall"
)

// NoSpace reports whether err says that the disk or the quota is full.
func NoSpace(err error) bool {
	return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT)
}

// ReadOnly reports whether err says that the file system is mounted read-only.
func ReadOnly(err error) bool { return errors.Is(err, syscall.EROFS) }
