package versioning

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const (
	headsPrefix = "refs/heads/"
	tagsPrefix  = "refs/tags/"
	maxRefName  = 244 // bytes; a path component holds 255 on most systems, and git adds ".lock" and more
)

// CheckRefName returns an error of kind BadRefName when a name cannot be a branch
// or a tag, which says why.
//
// It refuses what git check-ref-format refuses, so that a history can be given
// to git. It also refuses what people would take for something else: HEAD,
// names that begin with "-" or "refs/", 64 hex digits, text that is not in
// Unicode's composed form (NFC), and invisible or direction-changing
// characters. Names that differ only by case are two names: no file is named
// after a ref.
func CheckRefName(name string) error {
	if why := refNameProblem(name); why != "" {
		return fail("", BadRefName, name, "%s", why)
	}
	return nil
}

func refNameProblem(name string) string {
	switch {
	case name == "":
		return "a name is needed"
	case len(name) > maxRefName:
		return "it is longer than 244 bytes"
	case !utf8.ValidString(name):
		return "it is not valid UTF-8"
	case name == "@" || name == headRef:
		return "the name is taken for HEAD"
	case strings.HasPrefix(name, "-"):
		return `it begins with "-"`
	case strings.HasPrefix(name, "refs/"):
		return `it begins with "refs/"; give the name without its prefix`
	case strings.HasSuffix(name, "."):
		return "it ends with a dot"
	case strings.Contains(name, ".."):
		return "it has two dots in a row"
	case strings.Contains(name, "@{"):
		return `it has "@{"`
	case len(name) == 64 && isHex(name):
		return "it looks like a hash"
	case !norm.NFC.IsNormalString(name):
		return "it is not in Unicode's composed form (NFC); write " + norm.NFC.String(name)
	}
	return cmp.Or(runeProblem(name), partProblem(name))
}

// runeProblem says what is wrong with a name's characters.
func runeProblem(name string) string {
	for _, r := range name {
		if strings.ContainsRune(" ~^:?*[\\", r) {
			return "it has a character of these: space ~ ^ : ? * [ \\"
		}
		if unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Zl, unicode.Zp, unicode.Zs) {
			return "it has an invisible or control character"
		}
	}
	return ""
}

// partProblem says what is wrong with what lies between a name's slashes.
func partProblem(name string) string {
	for part := range strings.SplitSeq(name, "/") {
		switch {
		case part == "":
			return "it has an empty part between slashes"
		case strings.HasPrefix(part, "."):
			return "a part of it begins with a dot"
		case strings.HasSuffix(part, ".lock"):
			return `a part of it ends with ".lock"`
		}
	}
	return ""
}
