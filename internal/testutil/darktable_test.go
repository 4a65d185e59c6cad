package testutil

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// install puts a program into dir that answers --version as darktable-cli does,
// and returns its path.
func install(t *testing.T, dir, answer string) string {
	t.Helper()
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(dir, "darktable-cli")
	if err := os.WriteFile(path, []byte("#!/bin/sh\necho '"+answer+"'\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestFindDarktables(t *testing.T) {
	const (
		v42 = "this is darktable-cli 4.2.1"
		v54 = "darktable 5.4.1"
		v56 = "darktable 5.6.0+12~gabcdef"
	)
	tests := map[string]struct {
		system, prepared string
		want             []string
		wantMissing      []string // a part of each reason
	}{
		"an old system one and the prepared one": {
			system: v42, prepared: v54, want: []string{"4.2.1", "5.4.1"},
		},
		"a new system one is enough": {
			system: v54, want: []string{"5.4.1"},
		},
		"a newer system one is enough, though there is a prepared one": {
			system: v56, prepared: v54, want: []string{"5.6.0+12~gabcdef"},
		},
		"only an old system one": {
			system: v42, want: []string{"4.2.1"}, wantMissing: []string{"5.4 is not prepared"},
		},
		"only the prepared one": {
			prepared: v54, want: []string{"5.4.1"}, wantMissing: []string{"the system has no darktable"},
		},
		"a system one that is too old": {
			system: "this is darktable-cli 3.8.1", prepared: v54, want: []string{"5.4.1"}, wantMissing: []string{"4.2 or newer"},
		},
		"a system one that is none": {
			system: "hello", prepared: v54, want: []string{"5.4.1"}, wantMissing: []string{"names no version"},
		},
		"none": {
			wantMissing: []string{"the system has no darktable", "5.4 is not prepared"},
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Setenv("CHEMIGRAM_TEST_DARKTABLES", "")
			t.Setenv("CHEMIGRAM_CACHE", dir)
			t.Setenv("DARKTABLE_CLI", filepath.Join(dir, "absent"))
			if test.system != "" {
				t.Setenv("DARKTABLE_CLI", install(t, filepath.Join(dir, "system"), test.system))
			}
			if test.prepared != "" {
				install(t, filepath.Join(dir, "darktable-5.4"), test.prepared)
			}
			checkFound(t, findDarktables(), test.want, test.wantMissing)
		})
	}
}

func TestAListOfDarktablesReplacesTheOthers(t *testing.T) {
	dir := t.TempDir()
	paths := []string{
		install(t, filepath.Join(dir, "new"), "darktable 5.10.0"),
		filepath.Join(dir, "absent"),
		install(t, filepath.Join(dir, "old"), "darktable 5.4.1"),
	}
	t.Setenv("CHEMIGRAM_TEST_DARKTABLES", strings.Join(paths, string(filepath.ListSeparator)))
	checkFound(t, findDarktables(), []string{"5.4.1", "5.10.0"}, []string{"absent"})
}

// checkFound compares versions, and looks for the wanted parts in the reasons.
func checkFound(t *testing.T, got darktables, want, wantMissing []string) {
	t.Helper()
	var names []string
	for _, dt := range got.found {
		names = append(names, dt.Name)
	}
	if diff := cmp.Diff(want, names); diff != "" {
		t.Errorf("found (-want +got):\n%s", diff)
	}
	matches := slices.EqualFunc(got.missing, wantMissing, strings.Contains)
	if !matches {
		t.Errorf("missing %q, want reasons with %q", got.missing, wantMissing)
	}
}

func TestDarktablesReportTheirVersionAgain(t *testing.T) {
	EachDarktable(t, func(t *testing.T, dt Darktable) {
		release := AcquireDarktable(t)
		defer release()
		again, err := probe(dt.CLI)
		if err != nil {
			t.Fatal(err)
		}
		if again != dt {
			t.Errorf("asked again it is %v, not %v", again, dt)
		}
		if newest := AnyDarktable(t); newest.compare(dt) < 0 {
			t.Errorf("AnyDarktable is %s, older than %s", newest.Name, dt.Name)
		}
	})
}

func TestASeedDrawsOneDarktable(t *testing.T) {
	t.Parallel()
	all := []Darktable{{Name: "4.2.1"}, {Name: "5.4.1"}}
	if got := drawn(all, "", "TestA"); len(got) != 2 {
		t.Errorf("without a seed: %v", got)
	}
	count := map[string]int{}
	for i := range 200 {
		got := drawn(all, "7", fmt.Sprint("Test", i))
		if again := drawn(all, "7", fmt.Sprint("Test", i)); len(got) != 1 || again[0] != got[0] {
			t.Fatalf("drawn %v, then %v", got, again)
		}
		count[got[0].Name]++
	}
	if count["4.2.1"] < 60 || count["5.4.1"] < 60 {
		t.Errorf("of 200 tests: %v", count)
	}
}
