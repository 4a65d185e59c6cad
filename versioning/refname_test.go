package versioning

import (
	"os/exec"
	"strings"
	"testing"
)

// refNames are the cases of git's own t1402-check-ref-format, as branch names,
// and what else must be refused or be safe on every system.
var refNames = []struct {
	name string
	ok   bool
	ours bool // git accepts it
}{
	{"foo", true, false},
	{"foo/bar/baz", true, false},
	{"foo/bar", true, false},
	{"a", true, false},
	{"ßä/größe", true, false},
	{"foo.bar", true, false},
	{"foo@bar", true, false},
	{"@foo", true, false},
	{"foo{bar", true, false},
	{"heads/foo@bar", true, false},
	{"CON", true, false},
	{"aux.txt", true, false},
	{"WARM", true, false},
	{"foo.lock.x", true, false},
	{"a'b\"c$d", true, false},
	{"", false, false},
	{"/", false, false},
	{"/foo", false, false},
	{"foo/", false, false},
	{"foo//bar", false, false},
	{"///heads/foo", false, false},
	{"./foo", false, false},
	{".foo", false, false},
	{"foo/./bar", false, false},
	{"foo/bar/.", false, false},
	{"heads/foo..bar", false, false},
	{"../../etc/passwd", false, false},
	{"foo.", false, false},
	{"foo./bar.", false, false},
	{"heads/foo?bar", false, false},
	{"foo.lock", false, false},
	{"foo.lock/bar", false, false},
	{"foo/bar.lock", false, false},
	{"heads/v@{ation", false, false},
	{"heads/foo\\bar", false, false},
	{"heads/foo\tbar", false, false},
	{"heads/foo\x7fbar", false, false},
	{"heads/foo bar", false, false},
	{"foo*", false, false},
	{"foo[", false, false},
	{"foo:bar", false, false},
	{"foo^bar", false, false},
	{"foo~1", false, false},
	{"new\nline", false, false},
	{"-foo", false, false},
	{"HEAD", false, false},
	{"@", false, true},
	{"refs/heads/main", false, true},
	{strings.Repeat("a", 64), false, true},
	{strings.Repeat("x", 10_000), false, true},
	{"gro\u0308ße", false, true},
	{"evil\u202egpj", false, true},
	{"zero\u200bwidth", false, true},
	{"no\u00a0break", false, true},
	{"\xff", false, true},
}

func TestRefNames(t *testing.T) {
	t.Parallel()
	git, gitErr := exec.LookPath("git")
	for _, test := range refNames {
		err := CheckRefName(test.name)
		if (err == nil) != test.ok {
			t.Errorf("CheckRefName(%q) = %v, want ok %v", shorten(test.name), err, test.ok)
		}
		if err != nil {
			wantKind(t, err, BadRefName)
		}
		if gitErr != nil || test.ours || test.name == "HEAD" {
			continue
		}
		accepted := exec.CommandContext(t.Context(), git, "check-ref-format", "--branch", test.name).Run() == nil
		if accepted != test.ok {
			t.Errorf("git accepts %q: %v, the table: %v", test.name, accepted, test.ok)
		}
	}
}

func FuzzRefNamesAreWhatGitAccepts(f *testing.F) {
	for _, test := range refNames {
		f.Add(test.name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if CheckRefName(name) != nil {
			return
		}
		if strings.ContainsAny(name, "\x00\n\r\t ~^:?*[\\") || strings.Contains(name, "..") || strings.Contains(name, "//") {
			t.Errorf("%q is taken", name)
		}
	})
}
