// Package fserr recognises errors of the file system for which package io/fs has
// no values: a full disk, and a file system that is mounted read-only.
package fserr
