package journal

import "sort"

// rowList holds the rows of transactions that follow one another. Transactions of
// which nothing is there share one row, however many they are.
type rowList struct {
	runs []rowRun
	last uint64 // the newest transaction; 0 when there is none
}

// rowRun is the row of the transactions from first up to the next run.
type rowRun struct {
	first uint64
	row   Row
}

// add adds the row of the transactions after the last one, up to and including
// transaction last.
func (l *rowList) add(first, last uint64, r Row) {
	l.runs, l.last = append(l.runs, rowRun{first, r}), last
}

// at returns the row of a transaction, which is one of the list's.
func (l *rowList) at(seq uint64) *Row {
	i := seq - l.runs[0].first
	if uint64(len(l.runs)) != l.last-l.runs[0].first+1 { // some share a row
		i = uint64(sort.Search(len(l.runs), func(i int) bool { return l.runs[i].first > seq })) - 1
	}
	return &l.runs[i].row
}

// empty reports whether there is no transaction in the list.
func (l *rowList) empty() bool { return len(l.runs) == 0 }

// appendTo appends the rows as the index has them.
func (l *rowList) appendTo(b []byte) []byte {
	for i, run := range l.runs {
		end := l.last + 1
		if i+1 < len(l.runs) {
			end = l.runs[i+1].first
		}
		for seq := run.first; seq < end; seq++ {
			b = run.row.append(b)
		}
	}
	return b
}
