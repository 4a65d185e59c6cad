// Package versioning keeps one image's history: every state that an edit ever
// had, what made it, and the branches and tags that name it, on disk or in
// memory. It stores opaque bytes and knows nothing of what they mean.
//
// # Terms
//
// A state is bytes, named by their SHA-256. A [Record] is one immutable event
// with a state and parents, named by the SHA-256 of its own bytes; records
// form a directed acyclic graph. A [Ref] is a branch, which moves, or a tag,
// which does not. HEAD names a branch, or a record when it is detached.
//
// # Promises
//
// A method that changes the history publishes all that it does or nothing, and
// when it has returned without error a power cut does not take it back (see
// [Durability]). Goroutines and processes may share a history: writers take
// turns ([History.Lock]), readers never wait and never see half a change. What
// is read is checked against its hash. The cost of a method does not depend on
// the length of the history, except where its comment says so. Only
// [History.Prune] loses anything, and it moves it to trash first.
//
// FORMAT.md beside this file specifies the layout on disk, byte by byte, and the
// order of writes that the promises rest on. The package internal/journal reads
// and writes that format.
package versioning
