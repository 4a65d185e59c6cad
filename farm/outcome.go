package farm

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chemigram/chemigram/render"
)

// mostOutcome is how many bytes an outcome may have, and mostWords each text of it.
const (
	mostOutcome = 64 << 10
	mostWords   = 2000
)

// outcome is what a worker says of a job that it gives back: in a wake-up, and in the
// object of a try that failed. It is never believed further than to look into the store,
// but for the words of a failure.
type outcome struct {
	// Made: the picture is in the store.
	Made bool `json:"made,omitempty"`
	// NoRaw: the raw is not in the store.
	NoRaw bool `json:"no_raw,omitempty"`
	// Unable: the workers cannot do it, for another reason than darktable's.
	Unable string `json:"unable,omitempty"`
	// Failure is darktable's, after the last try.
	Failure *failure `json:"failure,omitempty"`
}

// failure is an error of render as it travels.
type failure struct {
	Kind     render.Kind   `json:"kind"`
	Message  string        `json:"message"`
	Stderr   string        `json:"stderr,omitempty"`
	ExitCode int           `json:"exit_code,omitempty"`
	Reason   render.Reason `json:"reason,omitempty"`
	Camera   string        `json:"camera,omitempty"`
	KnownTo  string        `json:"known_to,omitempty"`
	Worker   string        `json:"worker,omitempty"`
}

// ofJob are the kinds of failures that belong to a job. The others are a worker's: another
// machine may do better.
var ofJob = []render.Kind{render.Failed, render.NoOutput, render.BadOutput, render.TimedOut, render.Unsupported, render.BadInput}

// newFailure tells an error of darktable.
func newFailure(err error, worker string) *failure {
	f := &failure{Kind: render.System, Message: err.Error(), ExitCode: -1, Worker: worker}
	if e, ok := errors.AsType[*render.Error](err); ok {
		f.Kind, f.Message, f.Stderr, f.ExitCode = e.Kind, e.Message, e.Stderr, e.ExitCode
		f.Reason, f.Camera, f.KnownTo = e.Reason, e.Camera, e.KnownTo
	}
	f.clean()
	return f
}

// clean makes texts of what may be none, and bounds them.
func (f *failure) clean() {
	for _, text := range []*string{&f.Message, &f.Stderr, &f.Camera, &f.KnownTo, &f.Worker} {
		*text = words(*text, mostWords)
	}
	f.Reason = render.Reason(words(string(f.Reason), 100))
}

// words gives the end of a text, without what controls a terminal.
func words(text string, most int) string {
	text = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, strings.ToValidUTF8(text, "\uFFFD"))
	if over := len(text) - most; over > 0 {
		for !utf8.RuneStart(text[over]) {
			over++
		}
		text = text[over:]
	}
	return text
}

// isOfJob reports whether the failure is the job's own.
func (f *failure) isOfJob() bool { return slices.Contains(ofJob, f.Kind) }

// err is the failure as an error of a raw's rendering.
func (f *failure) err(raw string) error {
	return &render.Error{
		Op: "render", Kind: f.Kind, Message: fmt.Sprintf("%s (the last of %d tries, by the worker %s)", f.Message, mostTries, f.Worker), Path: raw,
		ExitCode: f.ExitCode, Stderr: f.Stderr, Reason: f.Reason, Camera: f.Camera, KnownTo: f.KnownTo,
	}
}

// decodeOutcome reads an outcome.
func decodeOutcome(data []byte) (o outcome, err error) {
	if len(data) > mostOutcome {
		return o, fmt.Errorf("the outcome has %d bytes, more than the %d that are read", len(data), mostOutcome)
	}
	if err := json.Unmarshal(data, &o); err != nil {
		return outcome{}, err
	}
	o.Unable = words(o.Unable, mostWords)
	if o.Failure != nil {
		o.Failure.clean()
		if !o.Failure.isOfJob() {
			o.Failure.Kind = render.System
		}
	}
	return o, nil
}

func (o outcome) encode() []byte {
	data, err := json.Marshal(o)
	if err != nil {
		panic(err) // it has texts and numbers alone
	}
	return data
}
