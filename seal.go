package chemigram

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/chemigram/chemigram/internal/fserr"
	"github.com/chemigram/chemigram/render"
	"github.com/chemigram/chemigram/versioning"
	"github.com/chemigram/chemigram/vocab"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
	"github.com/chemigram/chemigram/xmp/mask"
)

// seal makes whatever a verb returns an *Error of the verb: the packages below
// have errors of their own, and know nothing of codes.
func seal(err *error, op string, id ImageID) {
	if *err == nil {
		return
	}
	sealed := *translate(*err)
	if sealed.Op == "" {
		sealed.Op, sealed.ImageID = op, id
	}
	*err = &sealed
}

func translate(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	out := translateBelow(err)
	if fserr.NoSpace(err) {
		out = fail(ErrState, "the disk is full: free some space and call again; nothing is lost (%s)", out.Message).
			with("reason", "disk_full")
	}
	out.Err = err
	return out
}

func translateBelow(err error) *Error {
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
		return fail(ErrMasking, "%s", e.Error()).with("part", e.Field)
	}
	if e, ok := errors.AsType[*xmp.Error](err); ok {
		if e.Kind == xmp.UnknownInstance {
			return notFound("module", e.Operation, nil)
		}
		return fail(ErrSynthesizer, "%s", e.Error())
	}
	if e, ok := errors.AsType[*iop.Error](err); ok {
		return fail(ErrSynthesizer, "%s", e.Error())
	}
	switch {
	case errors.Is(err, context.Canceled):
		return fail(ErrState, "the call was cancelled")
	case errors.Is(err, context.DeadlineExceeded):
		return fail(ErrState, "the call ran out of time")
	case errors.Is(err, fs.ErrPermission), fserr.ReadOnly(err):
		return fail(ErrPermission, "%v", err)
	}
	return fail(ErrState, "%v", err)
}

func fromRender(e *render.Error) *Error {
	switch e.Kind {
	case render.Exists:
		return fail(ErrState, "%s", e.Message)
	case render.Unsupported:
		if e.Op != "find" {
			return fail(ErrNotImplemented, "%s", e.Message).
				with("capability", e.Message).with("requires", "a darktable that has it")
		}
	case render.BadInput, render.System:
		return fromFileSystem(e)
	}
	out := fail(ErrDarktable, "%s", e.Message)
	out.Recoverable = e.Kind != render.Missing && e.Kind != render.Unsupported
	out.Details = Details{
		"reason": strings.ReplaceAll(e.Kind.String(), " ", "_"),
		"stderr": e.Stderr, "exit_code": e.ExitCode, "command": strings.Join(e.Command, " "),
	}
	return out
}

// fromFileSystem tells a file that is missing or may not be touched from other
// faults of the input.
func fromFileSystem(e *render.Error) *Error {
	switch {
	case errors.Is(e, fs.ErrNotExist):
		return notFound("file", e.Path, nil)
	case errors.Is(e, fs.ErrPermission), fserr.ReadOnly(e):
		return fail(ErrPermission, "%s", e.Error())
	case e.Kind == render.System:
		return fail(ErrState, "%s", e.Error())
	}
	return fail(ErrInvalidInput, "%s", e.Message)
}

// versioningCodes gives the code of each kind of a history's error.
var versioningCodes = map[versioning.Kind]Code{
	versioning.Invalid:        ErrInvalidInput,
	versioning.BadRefName:     ErrInvalidInput,
	versioning.NotInitialised: ErrState,
	versioning.Detached:       ErrVersioning,
	versioning.RefExists:      ErrVersioning,
	versioning.UnknownRef:     ErrNotFound,
	versioning.Ambiguous:      ErrVersioning,
	versioning.Conflict:       ErrVersioning,
	versioning.NothingToUndo:  ErrVersioning,
	versioning.NothingToRedo:  ErrVersioning,
	versioning.Missing:        ErrVersioning,
	versioning.Corrupt:        ErrVersioning,
	versioning.Locked:         ErrState,
	versioning.TooNew:         ErrState,
	versioning.ReadOnly:       ErrPermission,
	versioning.NoSpace:        ErrState,
	versioning.IO:             ErrState,
}

func fromVersioning(e *versioning.Error) *Error {
	switch e.Kind {
	case versioning.UnknownRef:
		return notFound("ref", e.Name, e.Matches)
	case versioning.Detached:
		return fail(ErrVersioning, "HEAD is detached: it names a snapshot and no branch, so an edit has nowhere to go. "+
			"Call branch with a new name, then checkout that name, and edit again").
			with("next", []string{"branch", "checkout"})
	case versioning.RefExists:
		return fail(ErrVersioning, "there is a ref %q already: choose another name (a tag never moves, a branch moves by editing it)", e.Name)
	}
	out := fail(versioningCodes[e.Kind], "%s", strings.TrimPrefix(e.Error(), "versioning: "))
	if e.Kind == versioning.Missing || e.Kind == versioning.Corrupt {
		out.Recoverable = false
	}
	if e.Holder != nil {
		out = out.with("holder", e.Holder.String())
	}
	return out
}

func fromVocab(e *vocab.Error) *Error {
	switch e.Kind {
	case vocab.Unknown:
		return notFound("primitive", e.Entry, e.Suggestions)
	case vocab.UnknownMask:
		return notFound("mask", e.Entry, e.Suggestions)
	case vocab.Unmaskable:
		return fail(ErrMasking, "%s: %s", e.Entry, e.Message).with("primitive", e.Entry).with("module", e.Key)
	case vocab.BadValue:
		where, pointer := e.Entry, "/value"
		if e.Key != "" {
			where, pointer = e.Entry+": "+e.Key, "/values/"+e.Key
		}
		return fail(ErrInvalidInput, "%s: %s", where, e.Message).
			with("violations", []Violation{{Pointer: pointer, Expected: e.Message}})
	case vocab.NotInUse:
		return fail(ErrState, "%s: %s", e.Entry, e.Message).with("module", e.Key)
	case vocab.Unavailable:
		return fail(ErrNotImplemented, "%s: %s", e.Entry, e.Message).
			with("capability", e.Entry).with("requires", e.Message)
	}
	return fail(ErrSynthesizer, "%s", strings.TrimPrefix(e.Error(), "vocab: "))
}

// unavailable is the error for a move that the installed darktable cannot do.
func unavailable(entry *vocab.Entry, reason string) error {
	return fail(ErrNotImplemented, "%s is not available: %s", entry.Name, reason).
		with("capability", entry.Name).with("requires", reason)
}

// missingModule is the error for a module, or an instance of one, that the
// edit does not have.
func missingModule(sidecar *xmp.Sidecar, module, instance string, one bool) error {
	name := module
	if one {
		name = fmt.Sprintf("%s:%s", module, instance)
	}
	var have []string
	for _, entry := range sidecar.History() {
		if entry.Operation == module {
			have = append(have, strings.TrimSuffix(module+":"+instanceName(entry), ":"))
		} else {
			have = append(have, entry.Operation)
		}
	}
	return missing("module", name, have)
}
