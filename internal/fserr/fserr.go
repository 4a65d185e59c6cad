// Package fserr tells a file system's errors apart that package io/fs has no
// names for.
package fserr
