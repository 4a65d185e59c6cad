package versioning

import (
	"bytes"
	"encoding/hex"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// The example in FORMAT.md is a history of format 1, and stays readable.
func TestTheExampleOfTheFormatReads(t *testing.T) {
	t.Parallel()
	text := string(must[[]byte](t)(os.ReadFile("FORMAT.md")))
	_, text, _ = strings.Cut(text, "## An example")
	_, text, _ = strings.Cut(text, "```\n")
	text, _, found := strings.Cut(text, "\n```")
	if !found {
		t.Fatal("FORMAT.md has no example")
	}
	var want []byte
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) == "*" {
			continue
		}
		at := must[int64](t)(strconv.ParseInt(line[:8], 16, 64))
		row := must[[]byte](t)(hex.DecodeString(strings.ReplaceAll(line[8:58], " ", "")))
		for int64(len(want)) < at {
			want = append(want, want[len(want)-16:]...)
		}
		want = append(want, row...)
	}
	m := storage.NewMemory()
	m.Put(journal.Name, want)
	h := must[*History](t)(open(m, &Options{ReadOnly: true}))
	wantClean(t, h)
	rec := must[Record](t)(h.Resolve(t.Context(), "refs/tags/v1"))
	if got := states(t, h, []Record{rec}); got != "a look" || rec.Op != "ingest" || rec.Actor != "agent" {
		t.Errorf("it reads as %q, %+v", got, rec)
	}
	if head := must[Head](t)(h.Head(t.Context())); head.Ref != mainRef || head.Record.ID != rec.ID {
		t.Errorf("HEAD is %+v", head)
	}
	var again bytes.Buffer
	must[int64](t)(h.Export(t.Context(), &again))
	if !bytes.Equal(again.Bytes(), want) {
		t.Error("as a bundle it has other bytes")
	}
}
