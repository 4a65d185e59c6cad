package versioning

// readTable finds where the refs stand: from the newest checkpoint, or from
// what this process knew before, onwards.
func (v *view) readTable() error {
	if v.last == 0 {
		return fail("", Corrupt, journalName, "it has no transaction")
	}
	tail, err := v.row(v.last)
	if err != nil {
		return err
	}
	from := tail.checkpoint
	known := v.history.known.Load()
	if known != nil && known.journal == v.header.ID && known.last <= v.last && known.last >= from {
		if known.last == v.last {
			v.table = known.table
			return nil
		}
		v.table, from = known.table.clone(), known.last+1
	}
	first, err := v.row(from)
	if err != nil {
		return err
	}
	b, err := readRange(v.journal, first.offset, v.end-first.offset)
	if err != nil {
		return fail("", Corrupt, journalName, "the transactions from %d on cannot be read: %v", from, err)
	}
	for seq := from; seq <= v.last; seq++ {
		got, payload, n, ok := decodeFrame(b)
		if !ok || got != seq {
			return fail("", Corrupt, journalName, "transaction %d is damaged, and it may have moved a ref; Verify says what is lost, and Repair restores the refs", seq)
		}
		t, err := decodeTransaction(payload)
		if err != nil {
			return &Error{Kind: Corrupt, Name: journalName, Err: err}
		}
		if t.table != nil {
			v.table = t.table.clone()
		} else if v.table != nil {
			v.table.apply(seq, t.moves)
		}
		b = b[n:]
	}
	if v.table == nil {
		return fail("", Corrupt, journalName, "it has no checkpoint")
	}
	if len(v.extra) == 0 {
		// What the index does not list may still be taken back by its writer.
		v.history.known.Store(&knownTable{v.header.ID, v.last, v.table})
	}
	return nil
}

// knownTable is a table that a history remembers. It is not written to.
type knownTable struct {
	journal string
	last    uint64
	table   *table
}
