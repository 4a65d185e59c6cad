package render

import (
	"bytes"
	"strings"
	"sync"
	"unicode/utf8"
)

// tailLimit is how much of a process's output is kept for an [Error].
const tailLimit = 2000

// lineLimit is how much of a line is told, from its end.
const lineLimit = 1 << 16

// A tail keeps the last bytes written to it, so that a process that floods its
// output costs no memory.
type tail struct {
	mu   sync.Mutex
	kept []byte

	heard func(line string) // is told each whole line, when not nil
	line  []byte            // the one that has not ended yet, or its last part
}

// Write never fails and never blocks.
func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	n := len(p)
	t.tell(p)
	if len(p) > tailLimit {
		p = p[len(p)-tailLimit:]
	}
	if over := len(t.kept) + len(p) - tailLimit; over > 0 {
		t.kept = append(t.kept[:0], t.kept[over:]...)
	}
	t.kept = append(t.kept, p...)
	return n, nil
}

// tell cuts what was written into lines.
func (t *tail) tell(p []byte) {
	if t.heard == nil {
		return
	}
	for part := range bytes.Lines(p) {
		t.line = append(t.line, part...)
		if over := len(t.line) - lineLimit; over > 0 {
			t.line = append(t.line[:0], t.line[over:]...)
		}
		if bytes.HasSuffix(part, []byte("\n")) {
			t.heard(strings.TrimRight(string(t.line), "\r\n"))
			t.line = t.line[:0]
		}
	}
}

// String gives what was kept, as valid text and without blank ends.
func (t *tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	b := t.kept
	for len(b) > 0 && !utf8.RuneStart(b[0]) {
		b = b[1:]
	}
	return strings.TrimSpace(strings.ToValidUTF8(string(b), "\uFFFD"))
}
