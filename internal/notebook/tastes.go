package notebook

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

// defaultTaste is the taste that holds for every picture.
const defaultTaste = "_default"

const (
	mostTastes    = 16  // read for one brief
	mostConflicts = 100 // reported
	mostKeyRunes  = 64  // of a bullet's key
)

// Taste is one file of what the photographer likes.
type Taste struct {
	// Name of the taste: _default, which holds for every picture, or a genre
	// that the brief names.
	Name string
	// Content of its file.
	Content string
}

// Conflict is a key for which tastes give different values.
type Conflict struct {
	// Key of the bullet "- key: value", as the first taste writes it.
	Key string
	// Statements are each taste's value, the default's first, then in the order of
	// the brief.
	Statements []Statement
}

// Statement is the value that a taste gives a key.
type Statement struct{ Taste, Value string }

// tastesDir is the folder of the tastes. It need not exist.
func (n *Notebook) tastesDir() (string, error) {
	if n.tastes != "" {
		return filepath.Abs(n.tastes)
	}
	config, err := os.UserConfigDir()
	if err != nil {
		return "", fault.New(fault.State, "there is no config folder (%v): name a folder of tastes", err)
	}
	return filepath.Join(config, "chemigram", "tastes"), nil
}

// tasteName makes the name of a taste of what was said: in lower case, blanks
// become hyphens, and a final .md is dropped. A name has letters, digits,
// hyphens and underscores, at most 64 and not a hyphen first, so that it is a
// file name everywhere and never a path.
func tasteName(said string) (string, bool) {
	if len(said) > 1024 || !utf8.ValidString(said) || strings.ContainsFunc(said, unicode.IsControl) {
		return "", false
	}
	name := strings.ToLower(norm.NFC.String(strings.TrimSpace(said)))
	name = strings.Join(strings.Fields(strings.TrimSuffix(name, ".md")), "-")
	allowed := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_' }
	ok := name != "" && name[0] != '-' && utf8.RuneCountInString(name) <= 64 &&
		strings.IndexFunc(name, func(r rune) bool { return !allowed(r) }) < 0 && !workspace.IsDevice(name)
	return name, ok
}

// tasteFile finds the file of a taste: NAME.md, or the file whose name is the
// same but for case and blanks, such as "Black and White.md".
func tasteFile(dir, name string) string {
	file := name + ".md"
	if _, err := os.Lstat(filepath.Join(dir, file)); err == nil {
		return file
	}
	folder, err := os.Open(dir)
	if err != nil {
		return file
	}
	defer folder.Close()
	const most = 10_000
	have, _ := folder.Readdirnames(most)
	slices.Sort(have)
	for _, other := range have {
		if same, ok := tasteName(other); ok && same == name && strings.EqualFold(filepath.Ext(other), ".md") {
			return other
		}
	}
	return file
}

// namedTastes reads the line "Tastes: portrait, black and white" of a brief, as
// plain text, a bullet or in bold. Of several such lines all count.
func namedTastes(brief string) []string {
	var names []string
	for line := range strings.Lines(brief) {
		key, list, found := strings.Cut(strings.TrimLeft(line, " \t-*+>#"), ":")
		if !found || !strings.EqualFold(strings.Trim(key, " \t*"), "tastes") {
			continue
		}
		for name := range strings.FieldsFuncSeq(list, func(r rune) bool { return r == ',' || r == ';' }) {
			if name = strings.Trim(name, " \t\r\n*`\"."); name != "" && !slices.Contains(names, name) {
				names = append(names, name)
			}
			if len(names) > headBytes+tailBytes {
				return names
			}
		}
	}
	return names
}

// Tastes reads the default taste and those that a brief names. Remarks are what is
// wrong with them.
func (n *Notebook) Tastes(brief string) (tastes []Taste, remarks []string) {
	dir, err := n.tastesDir()
	if err != nil {
		return nil, []string{err.Error()}
	}
	names := []string{defaultTaste}
	asked := namedTastes(brief)
	for i, said := range asked {
		if len(names) > mostTastes || len(remarks) > mostTastes {
			remarks = append(remarks, fmt.Sprintf("the brief names %d tastes; those after the first %d are left out", len(asked), i))
			break
		}
		name, ok := tasteName(said)
		if !ok {
			remarks = append(remarks, fmt.Sprintf("the brief's taste %q is left out: %s", fault.Shorten(said), tasteRule))
		} else if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		text, remark := ReadText(dir, tasteFile(dir, name))
		tastes = append(tastes, Taste{Name: name, Content: text})
		if remark != "" {
			remarks = append(remarks, "tastes: "+remark)
		}
	}
	return tastes, remarks
}

const tasteRule = "a taste's name has letters, digits, blanks, '-' and '_', at most 64, and is no path and no device"

// bullet reads a line "- key: value"; * and + are bullets, too, and either part
// may be in bold. The colon is followed by a blank, which sets a key apart from a
// link or a ratio.
func bullet(line string) (key, value string, ok bool) {
	line = strings.TrimSpace(line)
	if len(line) < 2 || !strings.ContainsRune("-*+", rune(line[0])) || line[1] != ' ' {
		return "", "", false
	}
	key, value, ok = strings.Cut(line[2:], ":")
	value = strings.TrimPrefix(value, "**")
	if !ok || !strings.HasPrefix(value, " ") && !strings.HasPrefix(value, "\t") {
		return "", "", false
	}
	key, value = strings.Trim(key, " \t*`"), strings.TrimSpace(value)
	return key, value, key != "" && value != "" && utf8.RuneCountInString(key) <= mostKeyRunes
}

// folded is a text as it is compared: case and the width of blanks do not
// count.
func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Conflicts finds the keys for which tastes give different values. When one
// file gives a key twice, its last value counts. more is how many beyond the first
// hundred are left out.
func Conflicts(tastes []Taste) (found []Conflict, more int) {
	var order []string
	byKey := map[string]*Conflict{}
	for _, taste := range tastes {
		for line := range strings.Lines(taste.Content) {
			key, value, ok := bullet(line)
			if !ok {
				continue
			}
			c := byKey[folded(key)]
			if c == nil {
				c = &Conflict{Key: key}
				byKey[folded(key)] = c
				order = append(order, folded(key))
			}
			if n := len(c.Statements); n > 0 && c.Statements[n-1].Taste == taste.Name {
				c.Statements = c.Statements[:n-1]
			}
			c.Statements = append(c.Statements, Statement{Taste: taste.Name, Value: value})
		}
	}
	for _, key := range order {
		c := byKey[key]
		differs := func(s Statement) bool { return folded(s.Value) != folded(c.Statements[0].Value) }
		if !slices.ContainsFunc(c.Statements, differs) {
			continue
		}
		if len(found) == mostConflicts {
			more++
			continue
		}
		found = append(found, *c)
	}
	return found, more
}
