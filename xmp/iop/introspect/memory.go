package main

import (
	"errors"
	"unsafe"
)

// ptr is an address in darktable's static data, which never moves.
type ptr uintptr

func (p ptr) at() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

func (p ptr) int32() int32 { return *(*int32)(p.at()) }
func (p ptr) ptr() ptr     { return *(*ptr)(p.at()) }

// live is the memory of this process, into which a module was loaded.
type live struct{}

func (live) ReadAt(b []byte, at int64) (int, error) {
	if at == 0 {
		return 0, errors.New("there is nothing at address 0")
	}
	return copy(b, unsafe.Slice((*byte)(ptr(at).at()), len(b))), nil
}

// text is the C string that starts at p; "" for NULL.
func (p ptr) text() string {
	if p == 0 {
		return ""
	}
	n := uintptr(0)
	for *(*byte)(unsafe.Add(p.at(), n)) != 0 {
		n++
	}
	return string(unsafe.Slice((*byte)(p.at()), n))
}

// list walks a GList (data, next, previous).
func (p ptr) list(yield func(data ptr) bool) {
	for ; p != 0; p = (p + 8).ptr() {
		if !yield(p.ptr()) {
			return
		}
	}
}
