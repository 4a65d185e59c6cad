// Package transcript writes a session as lines and reads it back.
//
// A transcript is a JSON Lines file of its own in the workspace's folder
// "transcripts": a header, a line for each call and a footer.
package transcript

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chemigram/chemigram/internal/owned"
	"github.com/chemigram/chemigram/internal/redact"
	"github.com/chemigram/chemigram/internal/workspace"
)

const (
	// folder of the workspace that has the transcripts.
	folder = "transcripts"
	ending = ".jsonl"
	// mostBytes bounds a transcript. What comes after it is counted in the footer,
	// and not written.
	mostBytes = 32 << 20
	// mostParams and mostResult bound what a line carries of a call.
	mostParams, mostResult = 64 << 10, 8 << 10
	// mostLine bounds a line that is read: JSON's escapes make a text up to six times as
	// long, and there is a message beside parameters and result.
	mostLine = 1 << 20
	// mostImages bounds the images that a transcript is said to name.
	mostImages = 1000
)

// Header is the beginning of a transcript: what the session works with, and whose it
// is.
type Header struct {
	Engine    string   `json:"engine"`
	Darktable string   `json:"darktable"`
	Packs     []string `json:"packs"`
	Actor     string   `json:"actor"`
}

// Call is a line: one call of a session.
type Call struct {
	N               int            `json:"n"`
	Verb            string         `json:"verb"`
	ImageID         string         `json:"image_id,omitempty"`
	Params          map[string]any `json:"params"`
	Outcome         string         `json:"outcome"`
	Message         string         `json:"message,omitempty"`
	DurationSeconds float64        `json:"duration_seconds"`
	StateBefore     string         `json:"state_before,omitempty"`
	StateAfter      string         `json:"state_after,omitempty"`
	EventAfter      string         `json:"event_after,omitempty"`
	Result          map[string]any `json:"result,omitempty"`
	Cut             bool           `json:"cut,omitempty"`    // parameters or result were too long
	Hidden          bool           `json:"hidden,omitempty"` // something looked like a secret

	At time.Time `json:"-"` // when the call had ended, as it was read
}

// footer ends a transcript.
type footer struct {
	Calls    int            `json:"calls"`
	Unsaid   int            `json:"unsaid"` // calls that are not written
	Outcomes map[string]int `json:"outcomes"`
}

// line is a line to write. Its kind says which of the parts it has: begin, call or
// end.
type line struct {
	Kind string    `json:"kind"`
	Time time.Time `json:"time"`
	*Header
	*Call
	*footer
}

// Writer writes a transcript. Each line is written at once and whole, so that a
// crash can tear the last one alone. It is safe for concurrent use.
type Writer struct {
	id string

	mu       sync.Mutex
	file     *os.File // nil when the session has ended
	release  func()   // of the lock that says that it has not
	size     int64
	calls    int
	unsaid   int
	outcomes map[string]int
}

// Begin begins a transcript in a workspace. Its actor is the header's, or that of the
// call. Older transcripts are removed when there are more than [Trim] keeps.
func Begin(ctx context.Context, w *workspace.Workspace, header Header, keep int64) (_ *Writer, err error) {
	header.Actor = redact.Text(cmp.Or(header.Actor, w.Actor(ctx)))
	out := &Writer{outcomes: map[string]int{}}
	out.id = time.Now().UTC().Format("20060102T150405.000Z") + "-" + strings.ToLower(rand.Text()[:8])
	dir, err := w.MakeFolder(folder)
	if err != nil {
		return nil, err
	}
	if out.release, err = owned.Lock(filepath.Join(dir, out.id+lockEnding)); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			out.release()
		}
	}()
	if out.file, err = w.Create(folder, out.id+ending); err != nil {
		return nil, err
	}
	// The first line survives a power cut; the others are as safe as the system makes
	// them until the session ends.
	if err := errors.Join(out.write(line{Kind: "begin", Header: &header}), workspace.Sync(out.file)); err != nil {
		return nil, errors.Join(err, out.file.Close())
	}
	Trim(w, keep)
	return out, nil
}

// ID names the transcript.
func (w *Writer) ID() string { return w.id }

// NewCall begins a call. params are the verb's parameters as JSON.
func NewCall(verb string, params json.RawMessage) *Call {
	call := &Call{Verb: verb, Params: map[string]any{}}
	if len(params) > mostParams || json.Unmarshal(params, &call.Params) != nil {
		call.Cut = len(params) > 0
	}
	call.ImageID, _ = call.Params["image_id"].(string)
	return call
}

// SetResult notes what the verb gave, when it is short.
func (c *Call) SetResult(result any) {
	said, err := json.Marshal(result)
	if err != nil || len(said) > mostResult || json.Unmarshal(said, &c.Result) != nil {
		c.Cut = true
	}
	if id, ok := c.Result["image_id"].(string); ok && c.ImageID == "" {
		c.ImageID = id
	}
}

// Note writes a call. What looks like a secret is written as "[hidden]", but for the
// names in an edit that succeeded: the history has these anyhow, and a replay needs
// them.
func (w *Writer) Note(call *Call, edited bool) error {
	call.redact(edited)
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	w.calls++
	w.outcomes[call.Outcome]++
	call.N = w.calls
	if w.size > mostBytes {
		w.unsaid++
		return nil
	}
	return w.write(line{Kind: "call", Call: call})
}

// freeTexts are the parameters of edits that name nothing of the workspace.
var freeTexts = []string{"label", "path", "reason"}

func (c *Call) redact(edited bool) {
	params := c.Params
	if edited {
		params = maps.Clone(params)
		maps.DeleteFunc(params, func(name string, _ any) bool { return !slices.Contains(freeTexts, name) })
	}
	_, inParams := redact.Value(params)
	maps.Copy(c.Params, params)
	_, inResult := redact.Value(c.Result)
	c.Message = redact.Text(c.Message)
	c.Hidden = inParams || inResult
}

// HiddenLabel gives the snapshot whose label the call hides, and "" when it hides none.
func (c Call) HiddenLabel() (snapshot string) {
	if label, _ := c.Params["label"].(string); !strings.Contains(label, redact.Mark) {
		return ""
	}
	if c.EventAfter != "" {
		return c.EventAfter
	}
	for _, name := range []string{"hash", "snapshot_hash"} { // of older transcripts
		if snapshot, _ = c.Result[name].(string); snapshot != "" {
			break
		}
	}
	return snapshot
}

// write appends a line with one write.
func (w *Writer) write(l line) error {
	l.Time = time.Now().UTC()
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(l); err != nil {
		return err
	}
	n, err := w.file.Write(text.Bytes())
	w.size += int64(n)
	return err
}

// End writes the footer. To end a transcript again does nothing.
func (w *Writer) End() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.file == nil {
		return nil
	}
	foot := footer{Calls: w.calls, Unsaid: w.unsaid, Outcomes: maps.Clone(w.outcomes)}
	err := errors.Join(w.write(line{Kind: "end", footer: &foot}), workspace.Sync(w.file), w.file.Close())
	w.file = nil
	w.release()
	return err
}
