// Package journal reads and writes the file that holds a history: frames with
// checksums, in each a transaction of packed texts and moves of refs. Beside it
// lies an index, which is derived. What the texts and the moves mean is not its
// business; FORMAT.md in package versioning gives every byte.
package journal
