package notebook

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
)

const (
	// mostGapLog is how much of the log is read: of a longer one the newest
	// part counts.
	mostGapLog = 16 << 20
	// recentGapLog is how much of it is read for the newest gaps.
	recentGapLog = 1 << 20

	mostGapText  = 4000 // bytes of each text of a gap
	mostGapNames = 50   // names of vocabulary_used
	mostExamples = 5    // images and workarounds of a ranked gap
)

// Gap is one time that the vocabulary lacked a move: a line of gaps.jsonl.
type Gap struct {
	Time              string   `json:"time"`
	ImageID           string   `json:"image_id"`
	Actor             string   `json:"actor"`
	Description       string   `json:"description"`
	Workaround        string   `json:"workaround"`
	Intent            string   `json:"intent,omitempty"`
	MissingCapability string   `json:"missing_capability,omitempty"`
	VocabularyUsed    []string `json:"vocabulary_used,omitempty"`
	Satisfaction      *int     `json:"satisfaction,omitempty"` // -1, 0 or 1
}

// Check finds what a gap may not have, by the names of its JSON.
func (g Gap) Check() error {
	found := slices.Concat(
		checkText("/description", g.Description, mostGapText),
		checkText("/workaround", g.Workaround, mostGapText),
		checkText("/intent", g.Intent, mostGapText),
		checkText("/missing_capability", g.MissingCapability, mostGapText),
	)
	if n := len(g.VocabularyUsed); n > mostGapNames {
		return fault.Violated(append(found, fault.Violation{
			Pointer: "/vocabulary_used", Expected: fmt.Sprintf("at most %d names", mostGapNames), Got: fmt.Sprintf("%d names", n),
		}))
	}
	for i, name := range g.VocabularyUsed {
		found = append(found, checkText(fmt.Sprintf("/vocabulary_used/%d", i), name, 128)...)
	}
	return fault.Violated(found)
}

// stopWords are words that two gaps may have in common by chance.
var stopWords = strings.Fields(`a an and are as at be by can for from i in is it its
	need needs of on or some that the there this to want wants was were with`)

// words are what makes two gaps the same: the words of the missing capability,
// or of the description when that is not given, in lower case, each once and
// sorted, without stop words and without a plural's s.
func (g Gap) words() []string {
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

// ID names the gap by its words, so that it is the same in every workspace and each
// time that it is met.
func (g Gap) ID() string {
	sum := sha256.Sum256([]byte(strings.Join(g.words(), " ")))
	return hex.EncodeToString(sum[:6])
}

// decodeGaps reads lines of the log, oldest first, and counts those that are
// no gap: a line may be torn by a crash.
func decodeGaps(data []byte) (gaps []Gap, skipped int) {
	for line := range bytes.Lines(data) {
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		var gap Gap
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
func (n *Notebook) readGaps(most int64) (gaps []Gap, skipped int, older int64, err error) {
	f, size, err := workspace.OpenFile(n.workspace.Root(), workspace.GapLog)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, 0, 0, nil
	}
	if err != nil {
		return nil, 0, 0, err
	}
	defer f.Close()
	from := max(0, size-most)
	data, err := workspace.ReadRange(f, from, most)
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

// LogGap adds a gap to the log, of the actor of the call and durably, and gives how
// often it has been met, this time included. Writers take turns.
func (n *Notebook) LogGap(ctx context.Context, gap Gap) (count int, err error) {
	gap.Actor = n.workspace.Actor(ctx)
	line, err := json.Marshal(gap)
	if err != nil {
		return 0, err
	}
	unlock, err := n.workspace.Lock(ctx, n.GapLog()+".lock")
	if err != nil {
		return 0, err
	}
	defer unlock()
	gaps, _, _, err := n.readGaps(mostGapLog)
	if err != nil {
		return 0, err
	}
	id := gap.ID()
	for _, other := range gaps {
		if other.ID() == id {
			count++
		}
	}
	return count + 1, n.workspace.AppendLine(workspace.GapLog, line)
}

// GapLog is the path of the log of gaps.
func (n *Notebook) GapLog() string { return n.workspace.Path(workspace.GapLog) }

// RecentGaps gives the newest gaps of the log, at most so many, newest first.
func (n *Notebook) RecentGaps(most int) ([]Gap, error) {
	gaps, _, _, err := n.readGaps(recentGapLog)
	gaps = gaps[max(0, len(gaps)-most):]
	slices.Reverse(gaps)
	return gaps, err
}

// GapLogState is what the log of gaps says.
type GapLogState struct {
	Gaps    []RankedGap // those that were met most often first
	Skipped int         // lines that are damaged
	Older   int64       // bytes before the newest 16 MiB, which do not count
}

// RankedGap is a gap with all the times that it was met.
type RankedGap struct {
	Gap                      // of the last time
	Count           int      // how often it was met
	Words           []string // that it has in common with no other
	Workarounds     []string // up to 5 different ones, newest first
	ImageIDs        []string // up to 5, newest first
	SatisfactionSum int      // the sum over all times that it was said
	FirstMet        string
}

// RankGaps puts the times that are the same gap together. What was met most often
// is first, then what was worked around worst, then what was met last.
func (n *Notebook) RankGaps() (GapLogState, error) {
	gaps, skipped, older, err := n.readGaps(mostGapLog)
	return GapLogState{Gaps: rankGaps(gaps), Skipped: skipped, Older: older}, err
}

func rankGaps(gaps []Gap) []RankedGap {
	places := map[string]int{}
	var ranked []RankedGap
	for _, gap := range slices.Backward(gaps) { // newest first
		id := gap.ID()
		place, known := places[id]
		if !known {
			place = len(ranked)
			places[id] = place
			ranked = append(ranked, RankedGap{Gap: gap, Words: gap.words()})
		}
		r := &ranked[place]
		r.Count++
		r.FirstMet = gap.Time
		if gap.Satisfaction != nil {
			r.SatisfactionSum += *gap.Satisfaction
		}
		if len(r.Workarounds) < mostExamples && !slices.Contains(r.Workarounds, gap.Workaround) {
			r.Workarounds = append(r.Workarounds, gap.Workaround)
		}
		if len(r.ImageIDs) < mostExamples && !slices.Contains(r.ImageIDs, gap.ImageID) {
			r.ImageIDs = append(r.ImageIDs, gap.ImageID)
		}
	}
	slices.SortStableFunc(ranked, func(a, b RankedGap) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.SatisfactionSum, b.SatisfactionSum))
	})
	return ranked
}
