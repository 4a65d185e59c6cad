package chemigram

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
)

// A bound of a log holds as far as it says: a date is the whole day.
func TestALogOfADateIsTheWholeDay(t *testing.T) {
	for name, want := range map[Time]string{
		"2026-10-01":                       "2026-10-01T23:59:59.999999999Z",
		"2026-12-31":                       "2026-12-31T23:59:59.999999999Z",
		"2026-10-01T18:30":                 "2026-10-01T18:30:59.999999999Z",
		"2026-10-01T18:30Z":                "2026-10-01T18:30:59.999999999Z",
		"2026-10-01T18:30+02:00":           "2026-10-01T16:30:59.999999999Z",
		"2026-10-01 18:30:05":              "2026-10-01T18:30:05.999999999Z",
		"2026-10-01T18:30:05Z":             "2026-10-01T18:30:05.999999999Z",
		"2026-10-01T18:30:05+02:00":        "2026-10-01T16:30:05.999999999Z",
		"2026-10-01T18:30:05.25Z":          "2026-10-01T18:30:05.259999999Z",
		"2026-10-01T18:30:05.25-01:00":     "2026-10-01T19:30:05.259999999Z",
		"2026-10-01T18:30:05.123456789Z":   "2026-10-01T18:30:05.123456789Z",
		"2026-10-01T18:30:05.123456+00:00": "2026-10-01T18:30:05.123456999Z",
	} {
		if got := name.end().UTC().Format(time.RFC3339Nano); got != want {
			t.Errorf("%s ends at %s, want %s", name, got, want)
		}
	}
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	apply(t, e, "exposure", 0.5)
	all, err := e.Log(t.Context(), LogParams{ImageID: "a"})
	if err != nil || all.Total != 2 {
		t.Fatalf("%+v, %v", all, err)
	}
	stamp := all.Entries[0].Time
	made, err := time.Parse(time.RFC3339Nano, stamp)
	if err != nil {
		t.Fatal(err)
	}
	first, err := time.Parse(time.RFC3339Nano, all.Entries[1].Time)
	if err != nil || first.Format(time.DateOnly) != made.Format(time.DateOnly) {
		t.Skip("the day changed meanwhile")
	}
	day := Time(made.Format(time.DateOnly))
	before, after := Time(made.AddDate(0, 0, -1).Format(time.DateOnly)), Time(made.AddDate(0, 0, 1).Format(time.DateOnly))
	for _, c := range []struct {
		since, until Time
		want         int
	}{
		{day, day, 2},
		{"", day, 2},
		{day, "", 2},
		{"", before, 0},
		{after, "", 0},
		{before, after, 2},
		{Time(stamp), Time(stamp), 1},
		{Time(stamp[:len("2026-10-01T18:30")]), Time(stamp[:len("2026-10-01T18:30:05")]), 1 + b(first.Minute() == made.Minute())},
	} {
		got, err := e.Log(t.Context(), LogParams{ImageID: "a", Since: c.since, Until: c.until})
		if err != nil || got.Total != c.want {
			t.Errorf("since %q until %q: %d, %v, want %d", c.since, c.until, got.Total, err, c.want)
		}
	}
}

// A date that the calendar does not have is refused by whichever verb gets it: a list
// that it bounded would be empty, or not bounded, for no reason that anybody sees.
func TestADateThatDoesNotExistIsRefused(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	for _, never := range []Time{"2026-02-30", "2026-13-01", "2026-10-01T24:30", "2026-10-01T18:30:05Z+02", "2026-10-01 noon!"} {
		list := ListImagesParams{TakenSince: never}
		for pointer, call := range map[string]func() error{
			"/since":              func() error { _, err := e.Log(t.Context(), LogParams{ImageID: "a", Since: never}); return err },
			"/until":              func() error { _, err := e.Log(t.Context(), LogParams{ImageID: "a", Until: never}); return err },
			"/taken_since":        func() error { _, err := e.ListImages(t.Context(), list); return err },
			"/taken_until":        func() error { _, err := e.ListImages(t.Context(), ListImagesParams{TakenUntil: never}); return err },
			"/choose/taken_since": func() error { _, err := e.ExportBatch(t.Context(), ExportBatchParams{Choose: &list}); return err },
		} {
			err := call()
			if !errors.Is(err, ErrInvalidInput) || !strings.Contains(fmt.Sprint(err, AsError(err).Details), pointer) {
				t.Errorf("%q as %s gives %v, want an invalid_input", never, pointer, err)
			}
		}
	}
}

func b(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
