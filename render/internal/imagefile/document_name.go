package imagefile

// NameDocument writes a name into the DocumentName of a TIFF, cut to the length
// of the one that is there. A file without one, or that is no TIFF, stays as it
// is.
func NameDocument(path, name string) error {
	return editInPlace(path, func(b block, size int64) error {
		d, first, err := openDirectories(b, size)
		if err != nil {
			return nil //nolint:nilerr // it is no TIFF
		}
		at, room, ok := d.text(first, tagDocumentName)
		if !ok {
			return nil
		}
		text := make([]byte, room)
		copy(text[:room-1], name)
		_, err = d.WriteAt(text, at)
		return err
	})
}
