// Package besidegit measures a history beside the go-git library. It is a module
// of its own, so that nobody who uses the engine gets go-git with it:
//
//	go -C versioning/besidegit test -bench .
package besidegit
