package transcript

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
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
	Images  []string // that calls named, the first 1000
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

// Read reads a transcript, and hands over its calls one by one, so that no more of them
// are in memory than each keeps. An error that each returns ends it. A line that is longer
// than any that is written is skipped, and so is what lies behind the size that a
// transcript has at most.
func Read(ctx context.Context, w *workspace.Workspace, id string, each func(Call) error) (Transcript, error) {
	f, _, err := workspace.OpenFile(w.Path(folder), id+ending)
	if errors.Is(err, fs.ErrNotExist) {
		ids, _ := List(w)
		return Transcript{}, fault.Missing("transcript", id, ids)
	}
	if err != nil {
		return Transcript{}, err
	}
	defer f.Close()
	about := Transcript{ID: id}
	// The last call may begin just before the size that ends a transcript.
	for line, err := range workspace.Lines(io.LimitReader(f, mostBytes+2*mostLine), mostLine) {
		if stop := ctx.Err(); stop != nil {
			return about, stop
		}
		if errors.Is(err, workspace.ErrLongLine) {
			about.Skipped++
			continue
		}
		if err != nil {
			return about, err
		}
		if call, ok := about.add(line); ok && each != nil {
			if err := each(call); err != nil {
				return about, err
			}
		}
	}
	return about, nil
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
		if id := l.ImageID; id != "" && len(t.Images) < mostImages && !slices.Contains(t.Images, id) {
			t.Images = append(t.Images, id)
		}
		l.At = l.Time
		return l.Call, true
	default:
		t.Skipped++
	}
	return Call{}, false
}
