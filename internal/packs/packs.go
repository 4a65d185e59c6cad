// Package packs loads the packs of an engine's vocabulary.
package packs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"github.com/chemigram/chemigram/vocab"
)

// builtin is the vocabulary of the embedded packs alone. It cannot change, so
// that every engine without other packs has the same.
var builtin = sync.OnceValues(func() (*vocab.Vocabulary, error) {
	sources, err := vocab.Builtin()
	if err != nil {
		return nil, err
	}
	words, failures := vocab.Load(sources...)
	return words, errors.Join(failures...)
})

// Load reads the embedded packs, the user's own, and those in the folders. shipped has the
// embedded ones alone. What of the others cannot be loaded is left out, and in failures.
func Load(folders []string) (words, shipped *vocab.Vocabulary, failures []error, err error) {
	if shipped, err = builtin(); err != nil {
		return nil, nil, nil, err
	}
	if own := ownPack(); own != "" {
		folders = append([]string{own}, folders...)
	}
	if len(folders) == 0 {
		return shipped, shipped, nil, nil
	}
	sources, err := vocab.Builtin()
	if err != nil {
		return nil, nil, nil, err
	}
	for _, folder := range folders {
		sources = append(sources, vocab.Dir(folder))
	}
	words, failures = vocab.Load(sources...)
	return words, shipped, failures, nil
}

// ownPack is the folder of the user's own pack, when there is one.
func ownPack() string {
	config, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	dir := filepath.Join(config, "chemigram", "vocabulary")
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return ""
	}
	return dir
}
