package chemigram

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chemigram/chemigram/internal/lists"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/versioning"
)

// LogParams are the parameters of Log.
type LogParams struct {
	// ImageID names the image.
	ImageID ImageID `json:"image_id"`
	// Ref is where the log starts. Default: HEAD.
	Ref RefOrHash `json:"ref,omitempty"`
	// Limit is how many snapshots to give.
	Limit Limit `json:"limit,omitempty" default:"20"`
	// Offset is how many snapshots to skip.
	Offset Offset `json:"offset,omitempty"`
	// Since leaves out what is older; without a zone it is in UTC.
	Since Time `json:"since,omitempty"`
	// Until leaves out what is newer; a date is the whole day.
	Until Time `json:"until,omitempty"`
	// Op chooses snapshots that this verb made, such as apply_primitive.
	Op string `json:"op,omitempty"`
	// Actor chooses snapshots that this actor made.
	Actor string `json:"actor,omitempty"`
}

// LogResult is a page of the history, newest first.
type LogResult struct {
	// Entries of this page.
	Entries []LogEntry `json:"entries"`
	// Total number of snapshots that the filters choose, from here back to the
	// baseline.
	Total int `json:"total"`
	// Refs are all branches and tags of the image, in full, wherever they are.
	Refs []string `json:"refs"`
	// Problems tell of damage that this page was read around; repair mends what it can.
	Problems []string `json:"problems,omitempty"`
}

// LogEntry is one snapshot of the history.
type LogEntry struct {
	// Hash of its look.
	Hash string `json:"hash"`
	// Event is the snapshot itself, which has a time and parents.
	Event string `json:"event,omitempty"`
	// Parents are the events before it.
	Parents []string `json:"parents,omitempty"`
	// Time of the snapshot, as ISO 8601 in UTC; empty when damage took it.
	Time string `json:"time"`
	// Op is the verb that made it.
	Op string `json:"op"`
	// Label that it was given; may be empty.
	Label string `json:"label,omitempty"`
	// Actor who made it.
	Actor string `json:"actor"`
	// Ref lists the branches and tags that name it, in full.
	Ref []string `json:"ref,omitempty"`
	// Entry is the move that was applied; may be empty.
	Entry string `json:"entry,omitempty"`
	// Values of the move's parameters, by name.
	Values map[string]float64 `json:"values,omitempty"`
	// Damaged is true when the snapshot or its look cannot be read.
	Damaged bool `json:"damaged,omitempty"`
}

// Log lists the snapshots that led to a version, newest first.
func (e *Engine) Log(ctx context.Context, p LogParams) (_ LogResult, err error) {
	defer e.seal(&err, "log", p.ImageID)
	img, err := e.imageToRead(&p, p.ImageID)
	if err != nil {
		return LogResult{}, err
	}
	records, total, err := img.History.Log(ctx, versioning.LogOptions{
		From: string(p.Ref), Limit: int(p.Limit), Offset: int(p.Offset),
		Since: p.Since.time(), Until: p.Until.end(), Op: p.Op, Actor: p.Actor,
	})
	if err != nil {
		return LogResult{}, err
	}
	refs, complete, err := refsOf(ctx, img)
	if err != nil {
		return LogResult{}, err
	}
	names := map[versioning.Hash][]string{}
	res := LogResult{Entries: make([]LogEntry, 0, len(records)), Total: total, Refs: make([]string, 0, len(refs))}
	if !complete {
		res.Problems = append(res.Problems, "a branch or a tag may be missing here: repair tells which are left")
	}
	for _, ref := range refs {
		names[ref.Record] = append(names[ref.Record], ref.Name)
		res.Refs = append(res.Refs, ref.Name)
		if ref.Unsure {
			res.Problems = append(res.Problems, "what moved "+ref.Name+" last may be damaged: repair says where it is")
		}
	}
	for _, record := range records {
		if res.Entries = append(res.Entries, logEntry(record, names[record.ID])); record.Damaged {
			res.Problems = append(res.Problems, "snapshot "+record.ID.String()[:8]+" is damaged: verify says what is lost")
		}
	}
	return res, nil
}

// refsOf lists the refs of an image; they are not complete where damage may hide one.
func refsOf(ctx context.Context, img *workspace.Image) (refs []versioning.Ref, complete bool, err error) {
	refs, err = img.History.Refs(ctx)
	if errors.Is(err, versioning.Corrupt) {
		return refs, false, nil
	}
	return refs, err == nil, err
}

func logEntry(record versioning.Record, refs []string) LogEntry {
	entry := LogEntry{
		Hash: record.State.String(), Event: record.ID.String(), Parents: []string{},
		Time: record.Time.UTC().Format(time.RFC3339Nano), Op: record.Op, Label: record.Label,
		Actor: record.Actor, Ref: lists.NotNil(refs), Entry: record.Entry, Values: record.Values,
		Damaged: record.Damaged,
	}
	if record.Damaged {
		entry.leaveOutUnknown(record)
	}
	for _, parent := range record.Parents {
		entry.Parents = append(entry.Parents, parent.String())
	}
	if entry.Values == nil {
		entry.Values = map[string]float64{}
	}
	return entry
}

// leaveOutUnknown makes empty what is not known of a record that is damaged.
func (l *LogEntry) leaveOutUnknown(record versioning.Record) {
	if record.Time.IsZero() {
		l.Time = ""
	}
	if record.State == (versioning.Hash{}) {
		l.Hash = ""
	}
	if record.ID == (versioning.Hash{}) {
		l.Event = ""
	}
}

// Time is a moment as ISO 8601: a date such as 2026-10-01, or a date and time
// with a zone such as 2026-10-01T18:30:00Z.
type Time string

var timeLayouts = []string{time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04", time.DateOnly}

func parseTime(s string) (time.Time, bool) {
	s = strings.Replace(s, " ", "T", 1)
	for _, layout := range timeLayouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t, true
		}
	}
	return time.Time{}, false
}

// end is the last moment of what a time names: of a day, a minute or a second; or the
// zero time when none was given.
func (t Time) end() time.Time {
	begin := t.time()
	if begin.IsZero() {
		return begin
	}
	_, clock, _ := strings.Cut(strings.Replace(string(t), " ", "T", 1), "T")
	seconds, fraction, _ := strings.Cut(strings.TrimRight(clock, "Z"), ".")
	unit := time.Second
	switch digits := len(fraction) - len(strings.TrimLeft(fraction, "0123456789")); {
	case clock == "":
		return begin.AddDate(0, 0, 1).Add(-1)
	case len(seconds) == len("18:30") || seconds[len("18:30")] != ':':
		unit = time.Minute
	default:
		for range min(digits, 9) {
			unit /= 10
		}
	}
	return begin.Add(unit - 1)
}

// exists is false for a date that the calendar does not have.
func (t Time) exists() bool {
	_, ok := parseTime(string(t))
	return ok
}

// time is the moment, or the zero time when none was given.
func (t Time) time() time.Time {
	parsed, _ := parseTime(string(t))
	return parsed
}
