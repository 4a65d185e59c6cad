package notebook

import (
	"slices"
	"strings"
)

// withoutRepeats gives the lines of a content that a text does not have yet, and
// those that it has. What counts is a statement as a whole: a bullet with what is
// indented below it, or a paragraph. Bullets with a key are none of them, as they
// take the place of the bullet with that key; neither is a content with headings or
// code, whose lines belong together.
func withoutRepeats(old string, content []string) (fresh, repeated []string) {
	if slices.ContainsFunc(content, isStructure) {
		return content, nil
	}
	known := map[string]bool{}
	for _, s := range statements(newTextEdit(old).texts()) {
		known[s.folded()] = true
	}
	for _, s := range statements(content) {
		switch key := s.folded(); {
		case key == "" || slices.ContainsFunc(s, isKeyed):
			fresh = append(fresh, s...)
		case known[key]:
			repeated = append(repeated, s...)
		default:
			known[key] = true
			fresh = append(fresh, s...)
		}
	}
	return contentLines(strings.Join(fresh, "\n")), repeated
}

// isStructure reports whether a line is a heading or a fence of code.
func isStructure(line string) bool {
	line = strings.TrimSpace(line)
	return strings.HasPrefix(line, "#") || strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~")
}

func isKeyed(line string) bool {
	_, _, ok := bullet(line)
	return ok
}

// A statement is lines that belong together.
type statement []string

// folded is the statement as it is compared: which bullet it has, case and blanks do
// not count.
func (s statement) folded() string {
	var out []string
	for _, line := range s {
		line = strings.TrimSpace(line)
		if isBullet(line) {
			line = "- " + line[2:]
		}
		out = append(out, folded(line))
	}
	return strings.Join(out, "\n")
}

// isBullet reports whether a line begins with a bullet that is not indented.
func isBullet(line string) bool {
	return len(line) > 1 && strings.ContainsRune("-*+", rune(line[0])) && line[1] == ' '
}

// statements takes lines apart. A blank line is a statement of its own, which is
// empty when folded.
func statements(lines []string) []statement {
	var all []statement
	open := false
	for _, line := range lines {
		blank := strings.TrimSpace(line) == ""
		if open && !blank && !isBullet(line) && !isStructure(line) {
			last := len(all) - 1
			all[last] = append(all[last], line)
			continue
		}
		all = append(all, statement{line})
		open = !blank && !isStructure(line)
	}
	return all
}
