package xmp_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/xmp"
	"github.com/chemigram/chemigram/xmp/iop"
)

var (
	entryNumber = regexp.MustCompile(`darktable:num="\d+" `)
	formatText  = regexp.MustCompile(`xmp_version="\d+"`)
	endText     = regexp.MustCompile(`darktable:history_end="\d+"`)
)

// exposures is a history that ends with two entries of one instance: the last of
// them that is active decides how bright the picture is.
type exposures struct {
	before        string // the sidecar with all but them
	count         int    // of the entries in it
	first, second string
}

func newExposures(t *testing.T, b *developer) exposures {
	t.Helper()
	target, err := iop.ReleaseFor(b.dt.Name)
	if err != nil {
		t.Fatal(err)
	}
	base, err := b.baseline().Compact(target)
	if err != nil {
		t.Fatal(err)
	}
	entry, _ := base.Find("exposure", "")
	lines := make([]string, 2)
	for i := range lines {
		entry = brighter(entry, "")
		next, err := base.With(target, xmp.Put{Entry: entry})
		if err != nil {
			t.Fatal(err)
		}
		lines[i] = exposureLine(next)
	}
	e := exposures{first: lines[0], second: lines[1]}
	e.before = strings.Replace(string(base.Canonical()), exposureLine(base), "", 1)
	e.before = entryNumber.ReplaceAllStringFunc(e.before, func(string) string {
		e.count++
		return fmt.Sprintf(`darktable:num="%d" `, e.count-1)
	})
	return e
}

func exposureLine(s *xmp.Sidecar) string {
	for line := range strings.Lines(string(s.Canonical())) {
		if strings.Contains(line, `operation="exposure"`) {
			return line
		}
	}
	return ""
}

// sidecar writes the history as a format of darktable's does. The numbers of the
// two entries, and history_end, count from the entries before them.
func (e exposures) sidecar(format, first, second, end int) string {
	number := func(line string, n int) string {
		return entryNumber.ReplaceAllString(line, fmt.Sprintf(`darktable:num="%d" `, e.count+n))
	}
	const after = "    </rdf:Seq>\n   </darktable:history>"
	s := strings.Replace(e.before, after, number(e.first, first)+number(e.second, second)+after, 1)
	s = formatText.ReplaceAllString(s, fmt.Sprintf(`xmp_version="%d"`, format))
	return endText.ReplaceAllString(s, fmt.Sprintf(`darktable:history_end="%d"`, e.count+end))
}

// What is active in a sidecar of any format, and in which order, is what darktable
// makes of it.
func TestEveryFormatsHistoryIsReadAsDarktableReadsIt(t *testing.T) {
	t.Parallel()
	testutil.EachDarktable(t, func(t *testing.T, dt testutil.Darktable) {
		b := newDeveloper(t, dt)
		e := newExposures(t, b)
		brightness := map[bool]float64{ // with the second entry, or only the first
			false: mean(b.develop([]byte(e.sidecar(5, 0, 1, 1))), 0, 1),
			true:  mean(b.develop([]byte(e.sidecar(5, 0, 1, 2))), 0, 1),
		}
		if brightness[true] < brightness[false]+0.05 {
			t.Fatalf("the entries are no stop apart: %v", brightness)
		}
		withoutNumbers := func(s string) string { return entryNumber.ReplaceAllString(s, "") }
		for name, in := range map[string]string{
			"format 2":                       withoutNumbers(e.sidecar(2, 0, 1, 2)),
			"format 2, the last one undone":  withoutNumbers(e.sidecar(2, 0, 1, 1)),
			"format 2 with numbers":          e.sidecar(2, 1, 0, 2),
			"format 3 without numbers":       withoutNumbers(e.sidecar(3, 0, 1, 2)),
			"format 5, a gap and one undone": e.sidecar(5, 5, 6, 6),
		} {
			s := mustParse(t, []byte(in))
			found, _ := s.Find("exposure", "")
			first, _ := mustParse(t, []byte(e.sidecar(5, 0, 1, 1))).Find("exposure", "")
			want, is := brightness[!bytes.Equal(found.Params, first.Params)], mean(b.develop([]byte(in)), 0, 1)
			if is < want-0.01 || is > want+0.01 {
				t.Errorf("%s: darktable's picture has a mean of %.3f, the history that was read has %.3f", name, is, want)
			}
			if again := mean(b.develop(s.Bytes()), 0, 1); again < is-0.001 || again > is+0.001 {
				t.Errorf("%s: written again it has a mean of %.3f, was %.3f", name, again, is)
			}
		}
	})
}
