package transcript

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

// IDPattern is the regular expression that a transcript's name matches whole: when
// its session began, and 8 letters.
const IDPattern = `\d{8}T\d{6}\.\d{3}Z-[a-z2-7]{8}`

var validID = regexp.MustCompile(`\A` + IDPattern + `\z`)

// Transcript is what a transcript says of its session.
type Transcript struct {
	Header
	ID      string
	BegunAt time.Time
	Images  []string // that calls named
	Calls   int
	Ended   bool // false when the session still runs, or was killed
	Skipped int  // lines that a crash tore
}

// List names the transcripts of a workspace, newest first.
func List(w *workspace.Workspace) (ids []string, err error) {
	entries, err := os.ReadDir(w.Path(folder))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	for _, entry := range entries {
		id, ok := strings.CutSuffix(entry.Name(), ending)
		if ok && entry.Type().IsRegular() && validID.MatchString(id) {
			ids = append(ids, id)
		}
	}
	slices.Reverse(ids)
	return ids, nil
}

// Read reads a transcript whole.
func Read(ctx context.Context, w *workspace.Workspace, id string) (Transcript, []Call, error) {
	f, _, err := workspace.OpenFile(w.Path(folder), id+ending)
	if errors.Is(err, fs.ErrNotExist) {
		ids, _ := List(w)
		return Transcript{}, nil, fault.Missing("transcript", id, ids)
	}
	if err != nil {
		return Transcript{}, nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, mostBytes)
	about := Transcript{ID: id}
	var calls []Call
	for lines.Scan() {
		if err := ctx.Err(); err != nil {
			return about, nil, err
		}
		if call, ok := about.add(lines.Bytes()); ok {
			calls = append(calls, call)
		}
	}
	return about, calls, lines.Err()
}

// readLine is any line as it is read.
type readLine struct {
	Kind string    `json:"kind"`
	Time time.Time `json:"time"`
	Header
	Call
	footer
}

// add reads one line, and gives its call when it is one. A line that is none of a
// transcript is skipped.
func (t *Transcript) add(text []byte) (Call, bool) {
	var l readLine
	if json.Unmarshal(bytes.TrimSpace(text), &l) != nil {
		t.Skipped++
		return Call{}, false
	}
	switch l.Kind {
	case "begin":
		t.BegunAt, t.Header = l.Time, l.Header
	case "end":
		t.Ended = true
	case "call":
		t.Calls++
		if id := l.ImageID; id != "" && !slices.Contains(t.Images, id) {
			t.Images = append(t.Images, id)
		}
		l.At = l.Time
		return l.Call, true
	default:
		t.Skipped++
	}
	return Call{}, false
}
