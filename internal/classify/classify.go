// Package classify gives the errors of all rooms the nine kinds of fault: the rooms
// have errors of their own, and know nothing of codes.
package classify

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/fserr"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// Fault gives any error a kind of the nine. A [*fault.Error] is itself.
func Fault(err error) *fault.Error {
	if f, ok := errors.AsType[*fault.Error](err); ok {
		return f
	}
	f := fromBelow(err)
	if fserr.NoSpace(err) {
		return fault.New(fault.State, "the disk is full: free some space and call again; nothing is lost (%s)", f.Message).
			With("reason", "disk_full")
	}
	return f
}

func fromBelow(err error) *fault.Error {
	if e, ok := errors.AsType[*render.Error](err); ok {
		return fromRender(e)
	}
	if e, ok := errors.AsType[*versioning.Error](err); ok {
		return fromVersioning(e)
	}
	if e, ok := errors.AsType[*vocab.Error](err); ok {
		return fromVocab(e)
	}
	if e, ok := errors.AsType[*mask.Error](err); ok {
		return fault.New(fault.Masking, "%s", e.Error()).With("part", e.Field)
	}
	if e, ok := errors.AsType[*xmp.Error](err); ok {
		switch e.Kind {
		case xmp.UnknownInstance:
			return fault.Unknown("module", e.Operation, nil)
		case xmp.NamesPath:
			return fault.New(fault.Permission, "%s", e.Error()).With("violation", "outside_roots")
		}
		return fault.New(fault.Synthesizer, "%s", e.Error())
	}
	if e, ok := errors.AsType[*iop.Error](err); ok {
		return fault.New(fault.Synthesizer, "%s", e.Error())
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fault.New(fault.State, "the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return fault.New(fault.State, "the call ran out of time")
	case errors.Is(err, fs.ErrPermission), fserr.ReadOnly(err):
		return fault.New(fault.Permission, "%v", err)
	}
	return fault.New(fault.State, "%v", err)
}

func fromRender(e *render.Error) *fault.Error {
	switch e.Kind {
	case render.Exists:
		return fault.New(fault.State, "%s", e.Message)
	case render.Unsupported:
		if e.Op != "find" {
			return fault.New(fault.NotImplemented, "%s", e.Message).
				With("capability", e.Message).With("requires", "a darktable that has it")
		}
	case render.BadInput, render.System:
		return fromFileSystem(e)
	}
	out := fault.New(fault.Darktable, "%s", e.Message)
	out.Permanent = e.Kind == render.Missing || e.Kind == render.Unsupported || e.Reason != ""
	out.Details = map[string]any{
		"reason": cmp.Or(string(e.Reason), string(e.Kind)),
		"stderr": e.Stderr, "exit_code": e.ExitCode, "command": strings.Join(e.Command, " "),
	}
	if e.Version != "" {
		return out.With("path", e.Path).With("version", e.Version)
	}
	if e.Reason == render.UnknownCamera {
		return out.With("camera", e.Camera).With("known_to", e.KnownTo)
	}
	return out
}

// fromFileSystem sets a file that is missing or may not be touched apart from other
// faults of the input.
func fromFileSystem(e *render.Error) *fault.Error {
	switch {
	case errors.Is(e, fs.ErrNotExist) && e.Path != "": // else it is a file of ours
		return fault.Unknown("file", e.Path, nil)
	case errors.Is(e, fs.ErrPermission), fserr.ReadOnly(e):
		return fault.New(fault.Permission, "%s", e.Error())
	case e.Kind == render.System:
		return fault.New(fault.State, "%s", e.Error())
	case e.Field != "":
		return fault.Invalid(fault.Pointer("", e.Field), "%s", e.Message)
	}
	return fault.New(fault.InvalidInput, "%s", e.Message)
}

// versioningCodes gives the code of each kind of a history's error.
var versioningCodes = map[versioning.Kind]fault.Kind{
	versioning.Invalid:        fault.InvalidInput,
	versioning.BadRefName:     fault.InvalidInput,
	versioning.NotInitialised: fault.State,
	versioning.Detached:       fault.Versioning,
	versioning.RefExists:      fault.Versioning,
	versioning.UnknownRef:     fault.NotFound,
	versioning.Ambiguous:      fault.Versioning,
	versioning.Conflict:       fault.Versioning,
	versioning.NothingToUndo:  fault.Versioning,
	versioning.NothingToRedo:  fault.Versioning,
	versioning.Missing:        fault.Versioning,
	versioning.Corrupt:        fault.Versioning,
	versioning.Locked:         fault.State,
	versioning.TooNew:         fault.State,
	versioning.ReadOnly:       fault.Permission,
	versioning.NoSpace:        fault.State,
	versioning.IO:             fault.State,
}

// refsMeant are the versions that are meant by words of other tools.
var refsMeant = map[string]string{
	"latest": "HEAD", "current": "HEAD", "now": "HEAD", "present": "HEAD", "tip": "HEAD",
	"master": "main", "trunk": "main",
	"original": "baseline", "initial": "baseline", "start": "baseline", "raw": "baseline", "before": "baseline", "unedited": "baseline",
}

func fromVersioning(e *versioning.Error) *fault.Error {
	switch e.Kind {
	case versioning.UnknownRef:
		if meant := refsMeant[strings.ToLower(e.Name)]; meant != "" && !slices.Contains(e.Matches, meant) {
			return fault.Unknown("ref", e.Name, append([]string{meant}, e.Matches...))
		}
		out := fault.Unknown("ref", e.Name, e.Matches)
		if len(e.Matches) == 0 {
			out.Message += ": " + e.Message
		}
		return out
	case versioning.Detached:
		return fault.New(fault.Versioning, "HEAD is detached: it names a snapshot and no branch, so an edit has nowhere to go. "+
			"Call branch with a new name, then checkout that name, and edit again").
			With("next", []string{"branch", "checkout"})
	case versioning.RefExists:
		return fault.New(fault.Versioning, "there is a ref %q already: choose another name (a tag never moves, a branch moves by editing it)", e.Name)
	}
	said := *e
	said.Op = "" // a method of Go, which no tool knows
	out := fault.New(versioningCodes[e.Kind], "%s", said.Error())
	if e.Kind == versioning.BadRefName {
		out = out.With("violations", []fault.Violation{{Pointer: "/name", Expected: out.Message, Got: strconv.Quote(fault.Shorten(e.Name))}})
	}
	if e.Kind == versioning.Missing || e.Kind == versioning.Corrupt {
		out.Permanent = true
	}
	if e.Holder != nil {
		return out.With("holder", e.Holder.String())
	}
	return out
}

func fromVocab(e *vocab.Error) *fault.Error {
	switch e.Kind {
	case vocab.Unknown:
		return fault.Unknown("primitive", e.Entry, e.Suggestions)
	case vocab.UnknownMask:
		return fault.Unknown("mask", e.Entry, e.Suggestions)
	case vocab.Unmaskable:
		return fault.New(fault.Masking, "%s: %s", e.Entry, e.Message).With("primitive", e.Entry).With("module", e.Key)
	case vocab.BadValue:
		out := fault.New(fault.InvalidInput, "%s: %s", fault.Text(e.Entry, e.Key), e.Message)
		return out.With("violations", []fault.Violation{{Pointer: e.Argument, Expected: e.Message}})
	case vocab.NotInUse:
		return fault.New(fault.State, "%s: %s", e.Entry, e.Message).With("module", e.Key)
	case vocab.Unavailable:
		return fault.New(fault.NotImplemented, "%s: %s", e.Entry, e.Message).
			With("capability", e.Entry).With("requires", e.Message)
	}
	return fault.New(fault.Synthesizer, "%s", e.Error())
}
