package objects

import "errors"

// WithoutLinks makes a folder one of a file system that has no links.
func WithoutLinks(f *Folder) *Folder {
	f.link = func(string, string) error { return errors.ErrUnsupported }
	return f
}
