package notebook

import (
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// textEdit is a change of a text, line by line: what stays, goes and comes. It
// gives both the text after it and the diff that shows it.
type textEdit struct {
	lines []editLine
	eol   string // of lines that are added
	// repeated are lines that were to be added and that the text has already.
	repeated []string
}

type editLine struct {
	kind rune // ' ' stays, '-' goes, '+' comes
	text string
	eol  string // how the line ends; empty for a last line that is not ended
}

// newTextEdit begins an edit of a text. Lines that are added end as most of its lines
// do.
func newTextEdit(old string) *textEdit {
	e := &textEdit{eol: "\n"}
	dos := 0
	for line := range strings.Lines(old) {
		text, ended := strings.CutSuffix(line, "\n")
		eol := line[len(text):]
		if unreturned, ok := strings.CutSuffix(text, "\r"); ok && ended {
			text, eol = unreturned, "\r\n"
			dos++
		}
		e.lines = append(e.lines, editLine{' ', text, eol})
	}
	if 2*dos > len(e.lines) {
		e.eol = "\r\n"
	}
	return e
}

// texts are the lines without their ends.
func (e *textEdit) texts() []string {
	texts := make([]string, len(e.lines))
	for i, line := range e.lines {
		texts[i] = line.text
	}
	return texts
}

// contentLines are the lines of what is to be added, without blank ones around
// them.
func contentLines(content string) []string {
	content = strings.ReplaceAll(content, "\r\n", "\n")
	lines := strings.Split(strings.ReplaceAll(content, "\r", "\n"), "\n")
	for len(lines) > 0 && strings.TrimSpace(lines[0]) == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.TrimSpace(lines[len(lines)-1]) == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// appendText adds a paragraph at a text's end.
func appendText(old, content string) *textEdit {
	e := newTextEdit(old)
	e.insert(e.trimmedEnd(len(e.lines)), contentLines(content), true)
	return e
}

// amendSection writes content into a section of a text. A bullet "- key: value"
// takes the place of the text's last bullet with the same key, wherever that
// is; everything else is added at the section's end, but for what the text says
// already. A section that is missing comes at the end of the text.
func amendSection(old, heading, content string) *textEdit {
	e := newTextEdit(old)
	lines, repeated := withoutRepeats(old, contentLines(content))
	e.repeated = repeated
	lines = e.replaceBullets(lines)
	if len(contentLines(strings.Join(lines, "\n"))) == 0 {
		return e
	}
	if end, found := e.sectionEnd(heading); found {
		at := e.trimmedEnd(end)
		_, _, both := bullet(lines[0])
		_, _, last := bullet(e.lines[at-1].text)
		e.insert(at, lines, !both || !last)
		return e
	}
	e.insert(e.trimmedEnd(len(e.lines)), append([]string{"## " + heading, ""}, lines...), true)
	return e
}

// replaceBullets puts bullets in the place of those with the same key, and
// gives the lines that found none.
func (e *textEdit) replaceBullets(content []string) []string {
	places := map[string]int{}
	for i, line := range e.lines {
		if key, _, ok := bullet(line.text); ok {
			places[folded(key)] = i
		}
	}
	instead := map[int]string{}
	var rest []string
	for _, line := range content {
		key, _, ok := bullet(line)
		if place, known := places[folded(key)]; ok && known {
			instead[place] = line
		} else {
			rest = append(rest, line)
		}
	}
	var next []editLine
	for i, line := range e.lines {
		if text, ok := instead[i]; ok && text != line.text {
			next = append(next, editLine{'-', line.text, line.eol}, editLine{'+', text, line.eol})
		} else {
			next = append(next, line)
		}
	}
	e.lines = next
	return contentLines(strings.Join(rest, "\n"))
}

// sectionEnd finds where the section under a heading of the second level ends.
func (e *textEdit) sectionEnd(heading string) (end int, found bool) {
	for i, line := range e.lines {
		title := strings.HasPrefix(line.text, "# ") || strings.HasPrefix(line.text, "## ")
		if found && title {
			return i, true
		}
		if level, text, _ := strings.Cut(line.text, " "); level == "##" && folded(text) == folded(heading) && line.kind != '-' {
			found = true
		}
	}
	return len(e.lines), found
}

// trimmedEnd is the end of the lines before a place, without blank ones.
func (e *textEdit) trimmedEnd(end int) int {
	for end > 0 && strings.TrimSpace(e.lines[end-1].text) == "" {
		end--
	}
	return end
}

// insert adds lines at a place, after a blank line when they stand apart.
func (e *textEdit) insert(at int, texts []string, apart bool) {
	if len(texts) == 0 {
		return
	}
	var added []editLine
	if apart && at > 0 {
		added = append(added, editLine{'+', "", e.eol})
	}
	for _, text := range texts {
		added = append(added, editLine{'+', text, e.eol})
	}
	if at > 0 && e.lines[at-1].eol == "" { // what comes after it needs its end
		e.lines[at-1].eol = e.eol
	}
	e.lines = append(e.lines[:at:at], append(added, e.lines[at:]...)...)
}

// changed reports whether the edit changes anything.
func (e *textEdit) changed() bool {
	for _, line := range e.lines {
		if line.kind != ' ' {
			return true
		}
	}
	return false
}

// result is the text after the edit: what stays is as it was, byte for byte.
func (e *textEdit) result() string {
	var out strings.Builder
	for _, line := range e.lines {
		if line.kind != '-' {
			out.WriteString(line.text + line.eol)
		}
	}
	return out.String()
}

// fromNothing begins the diff of a file that is new.
const fromNothing = "--- /dev/null\n"

// unified shows the edit as a unified diff with three lines of context. Lines
// that stay or go are shortened after 80 bytes, as they may be of any length.
func (e *textEdit) unified(name string, isNew bool) string {
	const context = 3
	near := make([]bool, len(e.lines)+1)
	for i, line := range e.lines {
		if line.kind != ' ' {
			for j := max(0, i-context); j < min(len(e.lines), i+context+1); j++ {
				near[j] = true
			}
		}
	}
	var out strings.Builder
	if isNew {
		out.WriteString(fromNothing)
	} else {
		fmt.Fprintf(&out, "--- a/%s\n", name)
	}
	fmt.Fprintf(&out, "+++ b/%s\n", name)
	before, after := 0, 0 // lines passed
	for i := 0; i < len(e.lines); {
		if !near[i] {
			before, after, i = before+1, after+1, i+1
			continue
		}
		var body strings.Builder
		gone, come := 0, 0
		for ; near[i]; i++ {
			line := e.lines[i]
			text := line.text
			if line.kind != '+' {
				gone++
				text = fault.Shorten(strings.ToValidUTF8(text, "\uFFFD"))
			}
			if line.kind != '-' {
				come++
			}
			body.WriteString(string(line.kind) + text + "\n")
		}
		fmt.Fprintf(&out, "@@ -%s +%s @@\n%s", hunk(before, gone), hunk(after, come), body.String())
		before, after = before+gone, after+come
	}
	return out.String()
}

// hunk is a range of lines as a unified diff writes it.
func hunk(passed, count int) string {
	switch count {
	case 0:
		return fmt.Sprintf("%d,0", passed)
	case 1:
		return fmt.Sprint(passed + 1)
	}
	return fmt.Sprintf("%d,%d", passed+1, count)
}
