// Package filestamp tells by its metadata whether a file is the one that was seen
// before.
package filestamp

import (
	"io/fs"
	"time"
)

// Stamp is what a file system says of a file's content without reading it. Two
// stamps can be compared with ==. A file that was replaced or written to has
// another one, even when its time of modification was set back, wherever the file
// system notes when a file was changed.
type Stamp struct {
	Size int64 `json:"size"`
	// Modified and Changed are in nanoseconds since 1970. Programs set the first
	// as they like, the system alone sets the second: whenever content, name or
	// rights change. Windows has the time of the file's creation there.
	Modified int64 `json:"modified"`
	Changed  int64 `json:"changed"`
	// Inode is the file's number on its disk; 0 where there is none.
	Inode uint64 `json:"inode"`
}

// Of gives the stamp of a file.
func Of(info fs.FileInfo) Stamp {
	s := Stamp{Size: info.Size(), Modified: info.ModTime().UnixNano()}
	s.Changed, s.Inode = system(info)
	return s
}

// coarse and fine are the steps in which times are written down: 2 s on FAT, 1 s
// on other old file systems, and a tick of the kernel's clock on those of today.
const (
	coarse = 2 * time.Second
	fine   = 50 * time.Millisecond
)

// IsSettled reports whether a file that has this stamp at a time would get another
// one if it were written to from then on. It would not when it was changed so
// shortly before that the clock of its file system shows the same.
func (s Stamp) IsSettled(at time.Time) bool {
	return isPast(s.Modified, at) && isPast(s.Changed, at)
}

// isPast reports whether a file's time is at least a step of its clock away.
func isPast(nanoseconds int64, at time.Time) bool {
	step := fine
	if nanoseconds%int64(time.Second) == 0 {
		step = coarse
	}
	return at.Sub(time.Unix(0, nanoseconds)).Abs() > step
}
