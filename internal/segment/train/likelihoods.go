package main

import (
	"encoding/gob"
	"errors"
	"io/fs"
	"os"
)

// writeLikelihoods keeps the likelihoods of examples in a file, unless it has no name.
func writeLikelihoods(name string, likely [][][]float64) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	if err := gob.NewEncoder(f).Encode(likely); err != nil {
		return err
	}
	return f.Close()
}

// readLikelihoods reads what writeLikelihoods kept of so many examples; nil when there
// is nothing.
func readLikelihoods(name string, examples int) (likely [][][]float64, err error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	if err := gob.NewDecoder(f).Decode(&likely); err != nil {
		return nil, err
	}
	if len(likely) != examples {
		return nil, errors.New("the likelihoods are of other examples")
	}
	return likely, nil
}
