package journal

import "fmt"

// TextReader unpacks one section of several transactions, without unpacking
// again what they differ from.
type TextReader struct {
	journal *Journal
	section Section
	texts   map[uint64][]byte
	bytes   int // of all texts
}

// Texts returns a reader of a section.
func (j *Journal) Texts(s Section) *TextReader { return &TextReader{journal: j, section: s} }

// Text returns the text of a transaction. Nobody may write to it.
func (r *TextReader) Text(seq uint64) ([]byte, error) { return r.text(seq, maxDepth) }

// text is Text for a text of at most that depth. The depth falls from each text to
// what it differs from, so that a chain has an end.
func (r *TextReader) text(seq, deepest uint64) ([]byte, error) {
	if text, ok := r.texts[seq]; ok {
		return text, nil
	}
	t, err := r.journal.read(seq, decodeTexts)
	if err != nil {
		return nil, err
	}
	p := t.text(r.section)
	if p == nil || p.base >= seq || p.depth > deepest || p.base != 0 && p.depth == 0 {
		return nil, corrupt("transaction %d has no such text", seq)
	}
	var base []byte
	if p.base != 0 {
		if base, err = r.text(p.base, p.depth-1); err != nil {
			return nil, err
		}
	}
	text, err := p.unpack(base, r.section.most())
	if err != nil {
		return nil, &Error{Kind: Corrupt, File: Name, Message: fmt.Sprintf("transaction %d cannot be unpacked", seq), Err: err}
	}
	r.keep(seq, text)
	return text, nil
}

// keep remembers a text for those that differ from it.
func (r *TextReader) keep(seq uint64, text []byte) {
	const most = 64
	if r.texts == nil || len(r.texts) >= most || r.bytes+len(text) > maxCached {
		r.texts, r.bytes = map[uint64][]byte{}, 0
	}
	r.texts[seq] = text
	r.bytes += len(text)
}
