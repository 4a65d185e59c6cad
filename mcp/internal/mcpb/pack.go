package main

import (
	"archive/zip"
	"encoding/json"
	"io"
	"io/fs"
	"time"
)

// packed is the time of all files in a bundle: the first that a zip archive can have.
var packed = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// pack writes a bundle: a zip archive with the manifest, the program and the licence.
func pack(w io.Writer, m manifest, p program, licence []byte) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	archive := zip.NewWriter(w)
	for _, f := range []struct {
		name string
		data []byte
		mode fs.FileMode
	}{
		{"manifest.json", append(text, '\n'), 0o644},
		{"LICENSE", licence, 0o644},
		{p.file(), p.data, 0o755},
	} {
		header := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: packed}
		header.SetMode(f.mode)
		into, err := archive.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := into.Write(f.data); err != nil {
			return err
		}
	}
	return archive.Close()
}
