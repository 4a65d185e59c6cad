package versioning

import (
	"path"
	"strings"
)

func isTemp(name string) bool { return strings.HasSuffix(name, tempSuffix) }

// joinName gives the name of a file in a folder below the history's.
func joinName(dir, name string) string { return path.Join(dir, name) }

// readStart reads the first bytes of a file.
func readStart(dir folder, name string, n int64) ([]byte, error) {
	f, err := dir.open(name, false)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return readRange(f, 0, n)
}
