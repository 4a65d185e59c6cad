package render

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

// outputLimit is how much of a process's output is kept for an [Error].
const outputLimit = 2000

// lineLimit is how much of a line is passed on, from its end.
const lineLimit = 1 << 16

// An output keeps the last bytes that a process has printed, so that one that
// prints without end costs no memory.
type output struct {
	mu   sync.Mutex
	kept []byte

	onLine func(line string) // is called with each whole line, when not nil
	line   []byte            // the one that has not ended yet, or its last part
}

// Write never fails and never blocks.
func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	n := len(p)
	o.splitLines(p)
	if len(p) > outputLimit {
		p = p[len(p)-outputLimit:]
	}
	if over := len(o.kept) + len(p) - outputLimit; over > 0 {
		o.kept = append(o.kept[:0], o.kept[over:]...)
	}
	o.kept = append(o.kept, p...)
	return n, nil
}

// splitLines passes whole lines on.
func (o *output) splitLines(p []byte) {
	if o.onLine == nil {
		return
	}
	for part := range bytes.Lines(p) {
		o.line = append(o.line, part...)
		if over := len(o.line) - lineLimit; over > 0 {
			o.line = append(o.line[:0], o.line[over:]...)
		}
		if bytes.HasSuffix(part, []byte("\n")) {
			o.onLine(strings.TrimRight(string(o.line), "\r\n"))
			o.line = o.line[:0]
		}
	}
}

// String gives what was kept, as valid text and without blank ends.
func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	b := o.kept
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
}
