// Package demo has what the example programs share: how they run, and the raw file
// that they work on by default.
package demo
