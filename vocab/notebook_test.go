package vocab_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/chemigram/chemigram/vocab"
)

// A notebook keeps findings in the user's cache folder, so that a second run
// proves only what has changed. What was found with other measures, other
// scenes or another darktable lies elsewhere.
type notebook struct{ dir string }

// newNotebook opens the notebook of a studio; none where there is no cache
// folder, and none under CI.
func newNotebook(t *testing.T, s *studio) vocab.Memo {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil || os.Getenv("CI") == "true" {
		return nil
	}
	h := sha256.New()
	fmt.Fprintln(h, s.dt.Version())
	for _, name := range slices.Sorted(maps.Keys(photographs)) {
		data, err := photographs[name].raw()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(data))
	}
	for _, pattern := range []string{"verify*.go", "claim.go", "studio_test.go", "measure/*.go"} {
		sources, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range sources {
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %x\n", path, sha256.Sum256(data))
		}
	}
	root := filepath.Join(cache, "chemigram", "proofs")
	n := &notebook{dir: filepath.Join(root, fmt.Sprintf("%x", h.Sum(nil)[:8]))}
	if os.MkdirAll(n.dir, 0o700) != nil {
		return nil
	}
	forget(root)
	return n
}

// forget removes what no run has added to for a month.
func forget(root string) {
	entries, err := os.ReadDir(root)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && time.Since(info.ModTime()) > 30*24*time.Hour {
			_ = os.RemoveAll(filepath.Join(root, e.Name()))
		}
	}
}

func (n *notebook) path(key [32]byte) string {
	return filepath.Join(n.dir, fmt.Sprintf("%x.json", key))
}

func (n *notebook) Recall(key [32]byte) (found []vocab.Finding, ok bool) {
	data, err := os.ReadFile(n.path(key))
	return found, err == nil && json.Unmarshal(data, &found) == nil && len(found) > 0
}

// Keep writes a page whole or not at all. What cannot be kept is proven again.
func (n *notebook) Keep(key [32]byte, found []vocab.Finding) {
	data, err := json.Marshal(found)
	if err != nil {
		return // not a number
	}
	f, err := os.CreateTemp(n.dir, "")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), n.path(key)) != nil {
		_ = os.Remove(f.Name())
	}
}
