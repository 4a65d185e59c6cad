package main

import (
	"math"
	"unsafe"
)

// ptr is an address in darktable's static data, which never moves.
type ptr uintptr

func (p ptr) at() unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&p)) }

func (p ptr) int32() int32     { return *(*int32)(p.at()) }
func (p ptr) uint32() uint32   { return *(*uint32)(p.at()) }
func (p ptr) uint16() uint16   { return *(*uint16)(p.at()) }
func (p ptr) int8() int8       { return *(*int8)(p.at()) }
func (p ptr) word() uint64     { return *(*uint64)(p.at()) }
func (p ptr) ptr() ptr         { return *(*ptr)(p.at()) }
func (p ptr) float32() float32 { return math.Float32frombits(p.uint32()) }

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
