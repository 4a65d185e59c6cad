// Package journal reads and writes the file that holds a history: frames with
// checksums, in each a transaction of packed texts and moves of refs. The index
// beside it is derived from it. Package versioning knows what the texts and the
// moves mean; its FORMAT.md specifies every byte.
package journal
