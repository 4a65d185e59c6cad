// Package render is the door to darktable: find it, ask it for a raw's
// baseline, have it develop a sidecar.
package render

import (
	"context"
	"time"
)

// Darktable is an installed darktable, found and asked for its version.
type Darktable struct{}

// Options say where darktable is and where it may work.
type Options struct {
	// Path of darktable-cli. Default: the environment's DARKTABLE_CLI, then
	// PATH, then the usual places of macOS and Flatpak.
	Path string
	// Scratch is the folder for temporary files; default the system's.
	Scratch string
	// Processes bounds the darktables that run at once; default the number
	// of CPUs, at least 1.
	Processes int
}

// Find finds darktable and reads its version. It fails with an *Error of kind
// Missing or Unsupported.
func Find(ctx context.Context, opts *Options) (*Darktable, error) { panic("stub") }

// Path is the path of darktable-cli.
func (d *Darktable) Path() string { panic("stub") }

// Version is darktable's version as a release number, such as "5.4.1".
func (d *Darktable) Version() string { panic("stub") }

// Baseline asks darktable for its own default history for a raw: the XMP
// packet of a tiny export without an XMP argument.
func (d *Darktable) Baseline(ctx context.Context, raw string) ([]byte, error) { panic("stub") }

// Job is one picture to develop.
type Job struct {
	Raw     string
	Sidecar []byte // what xmp.Sidecar.Bytes gives
	Output  string // path that does not exist; its extension is the format
	Size    int    // longest edge in pixels, 0 for the full size
	// HighQuality processes at full resolution and scales at the end.
	HighQuality bool
	Quality     int    // 1..100 for JPEG and friends, 0 is 92
	BitDepth    int    // for PNG, TIFF: 8, 16, 32; 0 is 8
	ColorSpace  string // srgb (default), display-p3, adobe-rgb, rec2020, prophoto, linear-rec709, linear-rec2020
	Timeout     time.Duration
}

// Picture is what came out.
type Picture struct {
	Path          string
	Width, Height int
	Bytes         int64
	Format        string
	Duration      time.Duration
}

// Render develops one picture and checks it.
func (d *Darktable) Render(ctx context.Context, job Job) (Picture, error) { panic("stub") }
