package chemigram

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"unicode"
)

const (
	gapLog = "gaps.jsonl"
	// mostGapLog is how much of the log is read: of a longer one the newest
	// part counts.
	mostGapLog = 16 << 20
	// recentGapLog is how much of it read_context reads.
	recentGapLog = 1 << 20
)

// gapLine is one line of gaps.jsonl.
type gapLine struct {
	Time              string        `json:"time"`
	ImageID           ImageID       `json:"image_id"`
	Actor             string        `json:"actor"`
	Description       string        `json:"description"`
	Workaround        string        `json:"workaround"`
	Intent            string        `json:"intent,omitempty"`
	MissingCapability string        `json:"missing_capability,omitempty"`
	VocabularyUsed    []string      `json:"vocabulary_used,omitempty"`
	Satisfaction      *Satisfaction `json:"satisfaction,omitempty"`
}

// stopWords are words that do not tell gaps apart.
var stopWords = strings.Fields(`a an and are as at be by can for from i in is it its
	need needs of on or some that the there this to want wants was were with`)

// words are what tells a gap from others: the words of the missing capability,
// or of the description when that is not given, in lower case, each once and
// sorted, without stop words and without a plural's s.
func (g gapLine) words() []string {
	said := g.MissingCapability
	if strings.TrimSpace(said) == "" {
		said = g.Description
	}
	all := strings.FieldsFunc(strings.ToLower(said), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r)
	})
	words := slices.DeleteFunc(slices.Clone(all), func(w string) bool { return slices.Contains(stopWords, w) })
	if len(words) == 0 {
		words = all
	}
	for i, word := range words {
		if len(word) > 3 && strings.HasSuffix(word, "s") && !strings.HasSuffix(word, "ss") {
			words[i] = word[:len(word)-1]
		}
	}
	if len(words) == 0 {
		words = []string{strings.TrimSpace(said)}
	}
	slices.Sort(words)
	return slices.Compact(words)
}

// gapID names a gap by its words, so that it is the same in every workspace.
func gapID(words []string) string {
	sum := sha256.Sum256([]byte(strings.Join(words, " ")))
	return hex.EncodeToString(sum[:6])
}

// decodeGaps reads lines of the log, oldest first, and counts those that are
// no gap: a line may be torn by a crash.
func decodeGaps(data []byte) (gaps []gapLine, skipped int) {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var gap gapLine
		if err := json.Unmarshal(line, &gap); err != nil || gap.Description == "" {
			skipped++
			continue
		}
		gaps = append(gaps, gap)
	}
	return gaps, skipped
}

// readGaps reads the newest part of the log, at most a number of bytes. older is
// how many bytes before it are left out.
func (w *workspace) readGaps(most int64) (gaps []gapLine, skipped int, older int64, err error) {
	f, size, err := openText(w.root, gapLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, 0, nil
	}
	if err != nil {
		return nil, 0, 0, err
	}
	defer f.Close()
	from := max(0, size-most)
	data, err := readRange(f, from, most)
	if err != nil {
		return nil, 0, 0, err
	}
	if from > 0 {
		cut := bytes.IndexByte(data, '\n') + 1
		data, from = data[cut:], from+int64(cut)
	}
	gaps, skipped = decodeGaps(data)
	return gaps, skipped, from, nil
}

// appendGap adds a line to the log, durably, and tells how often the gap has
// been met. Writers take turns; a line that a dead one left half written is
// closed, so that it spoils no other.
func (e *Engine) appendGap(ctx context.Context, gap gapLine) (count int, err error) {
	line, err := json.Marshal(gap)
	if err != nil {
		return 0, err
	}
	unlock, err := e.lockFile(ctx, e.workspace.path(gapLog+".lock"))
	if err != nil {
		return 0, err
	}
	defer unlock()
	gaps, _, _, err := e.workspace.readGaps(mostGapLog)
	if err != nil {
		return 0, err
	}
	id := gapID(gap.words())
	for _, other := range gaps {
		if gapID(other.words()) == id {
			count++
		}
	}
	return count + 1, e.workspace.appendLine(gapLog, line)
}

// appendLine adds a line to a file of the workspace with one write. The caller
// holds the file's lock.
func (w *workspace) appendLine(name string, line []byte) (err error) {
	root, err := os.OpenRoot(w.root)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := notALink(w.root, name); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_APPEND, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	whole := append(slices.Clone(line), '\n')
	last := make([]byte, 1)
	if size > 0 {
		if _, err := f.ReadAt(last, size-1); err != nil {
			return err
		}
		if last[0] != '\n' {
			whole = append([]byte{'\n'}, whole...)
		}
	}
	if _, err := f.Write(whole); err != nil {
		return errors.Join(err, f.Truncate(size))
	}
	return f.Sync()
}
