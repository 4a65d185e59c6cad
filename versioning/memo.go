package versioning

import "fmt"

// memo unpacks the texts of transactions in turn without unpacking what they
// differ from each time.
type memo struct {
	v     *view
	of    section
	texts map[uint64][]byte
}

func newMemo(v *view, of section) *memo { return &memo{v, of, map[uint64][]byte{}} }

func (m *memo) text(seq uint64) ([]byte, error) {
	if text, ok := m.texts[seq]; ok {
		return text, nil
	}
	t, err := m.v.read(seq, decodeTexts)
	if err != nil {
		return nil, err
	}
	p := m.of(t)
	if p == nil || p.base >= seq || p.depth > maxDepth {
		return nil, fail("", Corrupt, journalName, "transaction %d has no such text", seq)
	}
	var base []byte
	if p.base != 0 {
		if base, err = m.text(p.base); err != nil {
			return nil, err
		}
	}
	text, err := p.unpack(base)
	if err != nil {
		return nil, &Error{Kind: Corrupt, Name: journalName, Detail: fmt.Sprintf("transaction %d cannot be unpacked", seq), Err: err}
	}
	const most = 64
	if len(m.texts) >= most {
		clear(m.texts)
	}
	m.texts[seq] = text
	return text, nil
}
