package versioning

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"sync"
	"time"

	"github.com/chemigram/chemigram/versioning/internal/journal"
	"github.com/chemigram/chemigram/versioning/internal/storage"
)

// The limits of a pack. A writer keeps to them, and a reader refuses what does not.
const (
	// MaxPackRecords is how many records a pack may have.
	MaxPackRecords = 4096
	// MaxPack is how many bytes a pack may have.
	MaxPack = 64 << 20
	// maxPackTexts is how many bytes its records and states may have, unpacked.
	maxPackTexts = 512 << 20

	// A writer begins another pack after so many bytes, packed or not.
	fullPack      = 4 << 20
	fullPackTexts = maxPackTexts - 2*(journal.MaxText+journal.MaxRecord)
)

// packMagic is what the first line of a pack begins with; FORMAT.md says what follows.
const packMagic = "chemigram pack 1"

// SaltPack makes a pack that has the same records, and other bytes: a salt is up to 63
// letters and digits, which mean nothing.
func SaltPack(pack []byte, salt string) []byte {
	body, ok := packBody(pack)
	if !ok {
		return pack
	}
	return slices.Concat([]byte(packMagic+" "+salt+"\n"), body)
}

// packBody is what follows the first line of a pack.
func packBody(pack []byte) (body []byte, ok bool) {
	line, body, found := bytes.Cut(pack, []byte("\n"))
	return body, found && packLine.Match(line)
}

var packLine = regexp.MustCompile(`\A` + packMagic + `( [0-9A-Za-z]{1,63})?\z`)

// PackedRecord is a record as it travels from one history to another.
type PackedRecord struct {
	Record Record
	// Text is the record as it is stored: its SHA-256 is the record's ID.
	Text []byte
	// State is the bytes of the record's state: their SHA-256 is Record.State.
	State []byte
}

// Pack writes records with their states as one piece that Receive takes: as many of
// them as fit, from the first on, and says how many. Each has to come after its parents.
// The same records in the same order make the same bytes.
func (h *History) Pack(ctx context.Context, ids []Hash) (pack []byte, packed int, err error) {
	const op = "Pack"
	v, err := h.reader(ctx)
	if err != nil {
		return nil, 0, withOp(op, err)
	}
	defer v.Close()
	at := v.seqsOf(ids)
	w := newPackWriter()
	defer w.close()
	for _, id := range ids {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		if w.isFull() {
			break
		}
		seq, ok := at[id]
		if !ok {
			return nil, 0, fail(op, Missing, id.String(), "no record of this hash is here")
		}
		if err := w.add(v, seq); err != nil {
			return nil, 0, withOp(op, err)
		}
	}
	pack, err = w.bytes()
	return pack, int(w.last), withOp(op, err)
}

// seqsOf finds the transactions of records, in one pass over the index.
func (v *view) seqsOf(ids []Hash) map[Hash]uint64 {
	wanted := make(map[Hash]bool, len(ids))
	for _, id := range ids {
		wanted[id] = true
	}
	at := make(map[Hash]uint64, len(ids))
	for seq := v.Last(); seq > 0 && len(at) < len(wanted); seq-- {
		if r, err := v.Row(seq); err == nil && r.Has(journal.HasRecord) && wanted[r.ID] {
			at[r.ID] = seq
		}
	}
	return at
}

// packWriter makes a pack: a journal in memory, without moves and numbers of parents.
type packWriter struct {
	files           *storage.Memory
	journal         *journal.Journal
	records, states *journal.TextReader
	bySeq           map[uint64]uint64 // transaction of a record in the history → in the pack
	byState         map[Hash]uint64   // the one in the pack that holds a state
	last            uint64
	unpacked        int
}

func newPackWriter() *packWriter {
	return &packWriter{files: storage.NewMemory(), journal: new(journal.Journal), bySeq: map[uint64]uint64{}, byState: map[Hash]uint64{}}
}

func (w *packWriter) close() { w.journal.Close() }

func (w *packWriter) isFull() bool {
	return w.last >= MaxPackRecords || w.journal.End() > fullPack || w.unpacked > fullPackTexts
}

// add adds the record of a transaction of a history, with its state.
func (w *packWriter) add(v *view, seq uint64) error {
	rec, err := v.record(seq)
	if err != nil {
		return err
	}
	text, err := v.records.Text(seq)
	if err != nil {
		return err
	}
	row, err := v.Row(seq)
	if err != nil {
		return err
	}
	next := w.last + 1
	near := w.last
	if p, ok := w.bySeq[row.Parents[0]]; ok {
		near = p
	}
	made := &journal.Record{ID: rec.ID, StateSeq: next, Ancestors: 1}
	made.Text = w.journal.Pack(journal.RecordText, text, near, w.text(journal.RecordText))
	t := journal.Transaction{Record: made}
	w.unpacked += len(text)
	if held, ok := w.byState[rec.State]; ok {
		made.StateSeq = held
	} else {
		state, err := v.state(row.StateSeq)
		if err != nil {
			return err
		}
		if near > 0 {
			near = w.stateNear(near)
		}
		t.State = &journal.State{Hash: rec.State, Text: w.journal.Pack(journal.StateText, state, near, w.text(journal.StateText))}
		w.byState[rec.State] = next
		w.unpacked += len(state)
	}
	if err := w.append(t); err != nil {
		return err
	}
	w.last = next
	w.bySeq[seq] = next
	return nil
}

// stateNear is the transaction of the pack that holds the state of another.
func (w *packWriter) stateNear(seq uint64) uint64 {
	r, err := w.journal.Row(seq)
	if err != nil {
		return 0
	}
	return r.StateSeq
}

// text gives the texts that are in the pack already.
func (w *packWriter) text(s journal.Section) func(uint64) ([]byte, error) {
	if s == journal.RecordText {
		return w.records.Text
	}
	return w.states.Text
}

func (w *packWriter) append(t journal.Transaction) error {
	if w.last > 0 {
		return w.journal.Append(t)
	}
	content, err := journal.New(time.Unix(0, 0), t)
	if err != nil {
		return err
	}
	w.files.Put(journal.Name, content)
	if w.journal, err = journal.Open(w.files, journal.Options{Writable: true}); err != nil {
		return err
	}
	w.records, w.states = w.journal.Texts(journal.RecordText), w.journal.Texts(journal.StateText)
	return nil
}

// bytes is the pack: the journal without its header, which is another each time.
func (w *packWriter) bytes() ([]byte, error) {
	if w.last == 0 {
		return nil, fail("", Invalid, "pack", "there is no record to pack")
	}
	whole, err := io.ReadAll(w.journal.Content())
	if err != nil {
		return nil, journal.FileError(journal.Name, err)
	}
	return append([]byte(packMagic+"\n"), whole[len(packHeader()):]...), nil
}

// packHeader is what makes a journal of a pack's transactions.
var packHeader = sync.OnceValue(func() []byte {
	content, err := journal.New(time.Unix(0, 0), journal.Transaction{})
	if err != nil {
		panic(err) // an empty transaction
	}
	frame := bytes.Index(content, []byte("CgT1")) // the header is JSON, hexadecimal digits and blanks
	return content[:frame:frame]
})

// ReadPack reads the records of a pack, each with its state, and checks both against
// their hashes. What it claims is bounded. After an error there is nothing more.
func ReadPack(ctx context.Context, pack []byte) iter.Seq2[PackedRecord, error] {
	const op = "ReadPack"
	return func(yield func(PackedRecord, error) bool) {
		j, err := openPack(pack)
		if err != nil {
			yield(PackedRecord{}, withOp(op, err))
			return
		}
		defer j.Close()
		r := packReader{journal: j, records: j.Texts(journal.RecordText), states: j.Texts(journal.StateText)}
		for seq := uint64(1); seq <= j.Last(); seq++ {
			rec, err := r.read(seq)
			if err == nil {
				err = ctx.Err()
			}
			if err != nil {
				yield(PackedRecord{}, withOp(op, err))
				return
			}
			if !yield(rec, nil) {
				return
			}
		}
	}
}

// openPack makes a journal of a pack.
func openPack(pack []byte) (*journal.Journal, error) {
	body, ok := packBody(pack)
	if !ok || len(pack) > MaxPack {
		return nil, fail("", Corrupt, "pack", "it does not begin as packs do, or has more than %d bytes", MaxPack)
	}
	content := slices.Concat(packHeader(), body)
	files := storage.Sections{journal.Name: io.NewSectionReader(bytes.NewReader(content), 0, int64(len(content)))}
	_, frames, err := wholeFrames(files, journal.Name)
	if err != nil {
		return nil, err
	}
	if frames == 0 || frames > MaxPackRecords {
		return nil, fail("", Corrupt, "pack", "it has %d records; a pack has 1 to %d", frames, MaxPackRecords)
	}
	j, _, err := journal.Scan(files)
	if err != nil {
		return nil, err
	}
	if j.Last() != uint64(frames) {
		j.Close()
		return nil, fail("", Corrupt, "pack", "its transactions are not numbered from 1 on")
	}
	return j, nil
}

// packReader reads the records of a pack in their order.
type packReader struct {
	journal         *journal.Journal
	records, states *journal.TextReader
	unpacked        int
}

func (r *packReader) read(seq uint64) (p PackedRecord, err error) {
	bad := func(format string, args ...any) (PackedRecord, error) {
		return PackedRecord{}, fail("", Corrupt, "pack", "record %d of it %s", seq, fmt.Sprintf(format, args...))
	}
	t, err := r.journal.Transaction(seq)
	if err != nil {
		return p, err
	}
	if t.Record == nil || t.Moves != nil || t.Checkpoint != nil || t.Record.StateSeq > seq || t.Record.StateSeq == 0 {
		return bad("is none, or more than one")
	}
	if p.Text, err = r.records.Text(seq); err != nil {
		return p, err
	}
	if p.Record, err = parseRecord(p.Text); err != nil {
		return p, err
	}
	if p.Record.ID != t.Record.ID {
		return bad("is not the one that its name says")
	}
	if len(p.Record.Parents) > 2 {
		return bad("has %d parents; at most two", len(p.Record.Parents))
	}
	if p.State, err = r.states.Text(t.Record.StateSeq); err != nil {
		return p, err
	}
	if sha256.Sum256(p.State) != p.Record.State {
		return bad("has another state than it says")
	}
	if r.unpacked += len(p.Text) + len(p.State); r.unpacked > maxPackTexts {
		return bad("is more than the %d bytes that a pack may have", maxPackTexts)
	}
	return p, nil
}
