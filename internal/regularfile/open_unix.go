//go:build unix

package regularfile

import "syscall"

// nonblocking makes open return at once, whatever lies there. It does nothing to a file.
const nonblocking = syscall.O_NONBLOCK
