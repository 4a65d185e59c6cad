package journal

import "fmt"

// TextReader unpacks one section of several transactions, without unpacking
// again what they differ from.
type TextReader struct {
	journal *Journal
	section Section
	texts   map[uint64][]byte
}

// Texts returns a reader of a section.
func (j *Journal) Texts(s Section) *TextReader { return &TextReader{journal: j, section: s} }

// Text returns the text of a transaction. Nobody may write to it.
func (r *TextReader) Text(seq uint64) ([]byte, error) {
	if text, ok := r.texts[seq]; ok {
		return text, nil
	}
	t, err := r.journal.read(seq, decodeTexts)
	if err != nil {
		return nil, err
	}
	p := t.text(r.section)
	if p == nil || p.base >= seq || p.depth > maxDepth {
		return nil, corrupt("transaction %d has no such text", seq)
	}
	var base []byte
	if p.base != 0 {
		if base, err = r.Text(p.base); err != nil {
			return nil, err
		}
	}
	text, err := p.unpack(base)
	if err != nil {
		return nil, &Error{Kind: Corrupt, File: Name, Message: fmt.Sprintf("transaction %d cannot be unpacked", seq), Err: err}
	}
	const most = 64
	if r.texts == nil || len(r.texts) >= most {
		r.texts = map[uint64][]byte{}
	}
	r.texts[seq] = text
	return text, nil
}
