package versioning

import "fmt"

// Fault says what kind of thing Verify found.
type Fault string

// The faults. The set is closed.
const (
	// DamagedHeader: the first line of the journal.
	DamagedHeader Fault = "damaged_header"
	// DamagedTransaction: bytes of the journal that should be a transaction.
	DamagedTransaction Fault = "damaged_transaction"
	// DamagedState: a state that cannot be read, or not as it was written.
	DamagedState Fault = "damaged_state"
	// DamagedRecord: a record that cannot be read, or not as it was written, or
	// that contradicts the journal.
	DamagedRecord Fault = "damaged_record"
	// DanglingRef: a ref whose record or state is not there.
	DanglingRef Fault = "dangling_ref"
	// DamagedIndex: the index contradicts the journal.
	DamagedIndex Fault = "damaged_index"
	// DamagedBaseline: the second copy of the first transaction.
	DamagedBaseline Fault = "damaged_baseline"
	// TornTail: what a writer that died did not finish. Nothing was published.
	TornTail Fault = "torn_tail"
	// TempFile: a file that a writer that died did not finish.
	TempFile Fault = "temp_file"
	// UnknownFile: a file that is not part of the format.
	UnknownFile Fault = "unknown_file"
	// DamagedTrash: a journal in trash.
	DamagedTrash Fault = "damaged_trash"
)

// Finding is one thing that is wrong.
type Finding struct {
	Fault    Fault
	File     string // in the history's folder
	Offset   int64  // the byte where it begins
	Name     string // the record, state or ref, where it is known
	Detail   string // what is wrong, and what is lost by it
	Advice   string // what to do
	Repaired bool   // by this Verify
}

// String describes the finding in one line.
func (f Finding) String() string {
	return fmt.Sprintf("%s: %s at byte %d: %s %s; %s", f.Fault, f.File, f.Offset, f.Name, f.Detail, f.Advice)
}
