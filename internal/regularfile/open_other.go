//go:build !unix

package regularfile

const nonblocking = 0
