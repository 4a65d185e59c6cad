package objects

import (
	"fmt"
	"strings"
)

// The longest name, and the longest part of one between slashes, in bytes: less than
// every store and file system has.
const (
	MaxName = 512
	maxPart = 220
)

// CheckName returns an error of kind Invalid when a name cannot be an object's, which
// says why. A name has parts between slashes. A part has lower-case letters, digits and
// the characters - _ = and ., the last neither at its beginning nor at its end, and is no
// name that Windows keeps for a device: so that a name means one file on every system,
// below the store's folder.
func CheckName(name string) error {
	if len(name) > MaxName {
		return &Error{Kind: Invalid, Name: name, Message: fmt.Sprintf("it is longer than %d bytes", MaxName)}
	}
	for part := range strings.SplitSeq(name, "/") {
		if why := partProblem(part); why != "" {
			return &Error{Kind: Invalid, Name: name, Message: why}
		}
	}
	return nil
}

// CheckPrefix is [CheckName] for what names begin with: "", a name, or a name and a
// slash.
func CheckPrefix(prefix string) error {
	if prefix == "" {
		return nil
	}
	return CheckName(strings.TrimSuffix(prefix, "/"))
}

func partProblem(part string) string {
	switch {
	case part == "":
		return "it has an empty part between slashes"
	case len(part) > maxPart:
		return fmt.Sprintf("a part of it is longer than %d bytes", maxPart)
	case part[0] == '.' || part[len(part)-1] == '.':
		return "a part of it begins or ends with a dot"
	}
	for i := range len(part) {
		c := part[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && !strings.ContainsRune("-_=.", rune(c)) {
			return "it has other characters than lower-case letters, digits, - _ = and ."
		}
	}
	if isDevice(part) {
		return "a part of it is the name of a device on Windows"
	}
	return ""
}

// isDevice reports whether Windows keeps a name for a device, whatever its ending.
func isDevice(part string) bool {
	stem, _, _ := strings.Cut(part, ".")
	switch stem {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(stem) == 4 && (stem[:3] == "com" || stem[:3] == "lpt") && stem[3] >= '0' && stem[3] <= '9'
}
