// Package objectstest tests stores of objects: Conform is what every objects.Store
// passes; Memory and Faulty are stores for tests of what is built on them.
package objectstest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/chemigram/chemigram/objects"
)

// Conform tests a store. open gives an empty one each time.
func Conform(t *testing.T, open func(t *testing.T) objects.Store) {
	t.Helper()
	for name, test := range map[string]func(*testing.T, objects.Store){
		"an object is what was made":        whatWasMade,
		"the first object stays":            theFirstStays,
		"of many at once one makes it":      oneOfMany,
		"lists are by name, in pages":       lists,
		"what is not there":                 missing,
		"names that no object can have":     badNames,
		"a cancelled call":                  cancelled,
		"content that fails leaves nothing": failingContent,
		"the probe":                         probe,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, open(t))
		})
	}
}

func whatWasMade(t *testing.T, s objects.Store) {
	ctx := t.Context()
	for i, content := range [][]byte{{}, []byte("x"), bytes.Repeat([]byte("0123456789abcdef"), 1<<16)} {
		name := fmt.Sprintf("a/b-%d", i)
		r := bytes.NewReader(content)
		_, _ = r.Seek(0, io.SeekEnd) // it is read from its beginning
		if err := s.Create(ctx, name, r); err != nil {
			t.Fatal(err)
		}
		got, err := objects.Read(ctx, s, name, 1<<20)
		if err != nil || !bytes.Equal(got, content) {
			t.Errorf("%d bytes came back as %d, %v", len(content), len(got), err)
		}
	}
	if _, err := objects.Read(ctx, s, "a/b-2", 1<<19); !errors.Is(err, objects.Damaged) {
		t.Errorf("an object larger than it may be: %v", err)
	}
}

func theFirstStays(t *testing.T, s objects.Store) {
	ctx := t.Context()
	create(t, s, "refs/x/0000000001", "first")
	for range 3 {
		if err := s.Create(ctx, "refs/x/0000000001", strings.NewReader("second")); !errors.Is(err, objects.Exists) {
			t.Errorf("made twice: %v", err)
		}
	}
	if got, err := objects.Read(ctx, s, "refs/x/0000000001", 100); err != nil || string(got) != "first" {
		t.Errorf("%q, %v", got, err)
	}
}

func oneOfMany(t *testing.T, s objects.Store) {
	const many = 8
	for round := range 5 {
		name := fmt.Sprintf("refs/%d", round)
		var winner atomic.Pointer[string]
		var all sync.WaitGroup
		for i := range many {
			all.Go(func() {
				content := fmt.Sprintf("by %d", i)
				err := s.Create(t.Context(), name, strings.NewReader(content))
				if err == nil && !winner.CompareAndSwap(nil, &content) {
					t.Error("two have made it")
				}
				if err != nil && !errors.Is(err, objects.Exists) {
					t.Error(err)
				}
			})
		}
		all.Wait()
		got, err := objects.Read(t.Context(), s, name, 100)
		if winner.Load() == nil || err != nil || string(got) != *winner.Load() {
			t.Errorf("%q, %v is there, and not what the winner made", got, err)
		}
	}
}

func lists(t *testing.T, s objects.Store) {
	const many = 1030
	want := []string{"a", "a-b", "a.b/c", "ab/c"}
	for i := range many {
		want = append(want, fmt.Sprintf("refs/x/h-main/%04d", i))
	}
	for _, name := range want {
		create(t, s, name, name)
	}
	slices.Sort(want)
	for _, prefix := range []string{"", "a", "a.b/", "refs/x/", "refs/x/h-main/00", "refs/x/h-main/0042", "z"} {
		var got []string
		for page, pages := "", 0; ; pages++ {
			list, next, err := s.List(t.Context(), prefix, page)
			if err != nil || len(list) > objects.MaxPage || pages > 10 {
				t.Fatalf("page %d has %d objects: %v", pages, len(list), err)
			}
			for _, o := range list {
				if got = append(got, o.Name); o.Size != int64(len(o.Name)) || o.Modified.IsZero() {
					t.Errorf("%+v", o)
				}
			}
			if page = next; next == "" {
				break
			}
		}
		var fits []string
		for _, name := range want {
			if strings.HasPrefix(name, prefix) {
				fits = append(fits, name)
			}
		}
		if !slices.Equal(got, fits) {
			t.Errorf("%q lists %d names, want %d", prefix, len(got), len(fits))
		}
	}
}

func missing(t *testing.T, s objects.Store) {
	ctx := t.Context()
	if _, err := s.Get(ctx, "refs/none"); !errors.Is(err, objects.NotFound) {
		t.Errorf("Get: %v", err)
	}
	if err := s.Delete(ctx, "refs/none"); err != nil {
		t.Errorf("Delete: %v", err)
	}
	create(t, s, "refs/x", "one")
	if err := s.Delete(ctx, "refs/x"); err != nil {
		t.Error(err)
	}
	if _, err := s.Get(ctx, "refs/x"); !errors.Is(err, objects.NotFound) {
		t.Errorf("Get after Delete: %v", err)
	}
	create(t, s, "refs/x", "two")
	if list, next, err := s.List(ctx, "refs/", ""); len(list) != 1 || next != "" || err != nil {
		t.Errorf("%v, %q, %v", list, next, err)
	}
}

// BadNames are names that no object can have.
func BadNames() []string {
	return []string{
		"", "/", "/etc/passwd", "a/", "a//b", "..", "../a", "a/../b", "a/..", ".", "./a", ".tmp-1", "a/.object", "a.", "a./b", "A", "a\\b", `..\a`,
		"c:/a", "con", "con.txt", "a/nul", "com1.x", "lpt9", "a b", "a\x00b", "a\nb", "ä", "a*", "a?", strings.Repeat("a", 300), strings.Repeat("a/", 300) + "a",
	}
}

func badNames(t *testing.T, s objects.Store) {
	ctx := t.Context()
	for _, name := range BadNames() {
		if _, err := s.Get(ctx, name); !errors.Is(err, objects.Invalid) {
			t.Errorf("Get(%q): %v", name, err)
		}
		if err := s.Create(ctx, name, strings.NewReader("x")); !errors.Is(err, objects.Invalid) {
			t.Errorf("Create(%q): %v", name, err)
		}
		if err := s.Delete(ctx, name); !errors.Is(err, objects.Invalid) {
			t.Errorf("Delete(%q): %v", name, err)
		}
		if name != "" && name != "a/" {
			if _, _, err := s.List(ctx, name, ""); !errors.Is(err, objects.Invalid) {
				t.Errorf("List(%q): %v", name, err)
			}
		}
	}
	if list, _, err := s.List(ctx, "", ""); len(list) != 0 || err != nil {
		t.Errorf("%v, %v is there", list, err)
	}
}

func cancelled(t *testing.T, s objects.Store) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, getErr := s.Get(ctx, "a")
	_, _, listErr := s.List(ctx, "", "")
	for _, err := range []error{getErr, listErr, s.Create(ctx, "a", strings.NewReader("x")), s.Delete(ctx, "a")} {
		if !errors.Is(err, context.Canceled) {
			t.Errorf("a cancelled call: %v", err)
		}
	}
	if _, err := s.Get(t.Context(), "a"); !errors.Is(err, objects.NotFound) {
		t.Errorf("a cancelled call made something: %v", err)
	}
}

// broken is content that fails in the middle.
type broken struct{ *strings.Reader }

func (b broken) Read(p []byte) (int, error) {
	if b.Len() < 500 {
		return 0, errNetwork
	}
	return b.Reader.Read(p[:min(len(p), 100)])
}

func failingContent(t *testing.T, s objects.Store) {
	if err := s.Create(t.Context(), "a/b", broken{strings.NewReader(strings.Repeat("x", 1000))}); err == nil || errors.Is(err, objects.Exists) {
		t.Errorf("content that fails: %v", err)
	}
	if _, err := s.Get(t.Context(), "a/b"); !errors.Is(err, objects.NotFound) {
		t.Errorf("there is a piece of it: %v", err)
	}
	if list, _, err := s.List(t.Context(), "", ""); len(list) != 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	create(t, s, "a/b", "whole")
}

func probe(t *testing.T, s objects.Store) {
	if err := objects.Probe(t.Context(), s); err != nil {
		t.Error(err)
	}
	if list, _, err := s.List(t.Context(), "", ""); len(list) != 0 || err != nil {
		t.Errorf("the probe leaves %v, %v", list, err)
	}
}

func create(t *testing.T, s objects.Store, name, content string) {
	t.Helper()
	if err := s.Create(t.Context(), name, strings.NewReader(content)); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}
