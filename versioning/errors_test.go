package versioning

import (
	"errors"
	"fmt"
	"io"
	"testing"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
)

func TestAnErrorIsAskedForItsKind(t *testing.T) {
	t.Parallel()
	err := fmt.Errorf("editing: %w", fail("Commit", Locked, "", "another writer held the history"))
	for _, target := range []error{Locked, &Error{Kind: Locked}} {
		if !errors.Is(err, target) {
			t.Errorf("%v is not %#v", err, target)
		}
	}
	for _, target := range []error{Missing, &Error{Kind: Missing}, &Error{Kind: Locked, Op: "Undo"}, &Error{Kind: Locked, Name: "x"}, io.EOF} {
		if errors.Is(err, target) {
			t.Errorf("%v is %#v", err, target)
		}
	}
	if got := KindOf(err); got != Locked {
		t.Errorf("its kind is %q", got)
	}
}

func TestErrorTexts(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 21, 10, 0, 0, 0, time.UTC)
	for want, err := range map[string]error{
		`Branch: ref exists "warm": choose another name`: fail("Branch", RefExists, "warm", "choose another name"),
		`Resolve: ambiguous "abcd": give more digits: 1, 2`: &Error{
			Op: "Resolve", Kind: Ambiguous, Name: "abcd", Message: "give more digits", Matches: []string{"1", "2"},
		},
		`Undo: locked: held by process 7 on here since 2026-11-21T10:00:00Z for "edit"`: &Error{
			Op: "Undo", Kind: Locked, Holder: &Holder{PID: 7, Host: "here", Since: since, Verb: "edit"},
		},
		`Head: io "journal": unexpected EOF`: withOp("Head", journal.FileError(journal.Name, io.ErrUnexpectedEOF)),
	} {
		if err.Error() != want {
			t.Errorf("%s\nwant %s", err, want)
		}
	}
}

// The journal's kinds become those of this package unchanged.
func TestTheKindsOfAJournal(t *testing.T) {
	t.Parallel()
	for ours, its := range map[Kind]Kind{
		Invalid: journal.Invalid, NotInitialised: journal.NotInitialised, Missing: journal.Missing, Corrupt: journal.Corrupt,
		TooNew: journal.TooNew, ReadOnly: journal.ReadOnly, NoSpace: journal.NoSpace, IO: journal.IO,
	} {
		if ours != its {
			t.Errorf("%q is %q in a journal", ours, its)
		}
	}
}
