// Package enginetest tests the whole engine from outside: through its public API,
// in long runs of many verbs.
//
// Random walks hold an Engine to a model of it that is simple enough to be seen to
// be right: maps of values, a list of snapshots, a stack for undo. The soak calls
// every verb from several goroutines and processes at once, with a real darktable.
// The package has tests only.
package enginetest
