package journal

// What a journal claims is bounded by the bytes that it has: a journal may come from
// outside.
const (
	// MaxText is the size in bytes above which a text is refused, and above which
	// a length in a file is taken for damage.
	MaxText = 32 << 20

	// MaxRecord is the same for the JSON of a record.
	MaxRecord = 1 << 20

	// maxPayload is above what any transaction takes; a greater length is damage.
	maxPayload = MaxText + 16<<20

	// maxGone is how many transactions may be missing from a journal that prune or
	// repair has written: a sequence number says how many came before it, and
	// nothing else does.
	maxGone = 1 << 20

	// MaxTransactions is how many transactions a journal that comes from outside may
	// have: each takes some hundred bytes of memory.
	MaxTransactions = 1 << 19

	// maxCached is how many bytes of texts a TextReader keeps, beside the newest.
	maxCached = 8 << 20

	// inflation is above how much DEFLATE makes of a byte, at most 1,032.
	inflation = 1040
)

// isPlausible reports whether a transaction may have a sequence number when its
// frame ends at a byte of the journal.
func isPlausible(seq uint64, end int64) bool {
	return seq <= maxGone+uint64(end)/frameHeaderSize
}

// worthIndexing reports whether an index of so many transactions is small beside the
// journal, or small: after most were taken out it need not be.
func worthIndexing(transactions uint64, journal int64) bool {
	return int64(transactions) <= (16*journal+1<<20)/rowSize
}
