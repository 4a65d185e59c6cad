package prove_test

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/vocab/prove"
)

// fileMemo keeps findings in the user's cache folder, so that a second run proves
// only what has changed. What was found with other checks, other measures, other
// scenes or another darktable is in another folder.
type fileMemo struct{ dir string }

// newMemo opens the memo of a renderer; none where there is no cache folder, and
// none under CI.
func newMemo(t *testing.T, r *renderer) prove.Memo {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil || os.Getenv("CI") == "true" {
		return nil
	}
	h := sha256.New()
	fmt.Fprintln(h, r.dt.Identity())
	for _, name := range slices.Sorted(maps.Keys(photographs)) {
		data, err := photographs[name].raw()
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(h, "%s %x\n", name, sha256.Sum256(data))
	}
	for _, pattern := range []string{"*.go", "../claim.go", "../measure/*.go", "../../internal/colour/*.go"} {
		sources, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range sources {
			if strings.HasSuffix(path, "_test.go") && path != "renderer_test.go" {
				continue
			}
			data, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(h, "%s %x\n", path, sha256.Sum256(data))
		}
	}
	root := filepath.Join(cache, "chemigram", "proofs")
	m := &fileMemo{dir: filepath.Join(root, fmt.Sprintf("%x", h.Sum(nil)[:8]))}
	if os.MkdirAll(m.dir, 0o700) != nil {
		return nil
	}
	prune(root)
	return m
}

// prune removes folders that no run has added to for a month.
func prune(root string) {
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

func (m *fileMemo) path(key [32]byte) string {
	return filepath.Join(m.dir, fmt.Sprintf("%x.json", key))
}

func (m *fileMemo) Recall(key [32]byte) (found []prove.Finding, ok bool) {
	data, err := os.ReadFile(m.path(key))
	return found, err == nil && json.Unmarshal(data, &found) == nil && len(found) > 0
}

// Keep writes a file whole or not at all. What cannot be kept is proven again.
func (m *fileMemo) Keep(key [32]byte, found []prove.Finding) {
	data, err := json.Marshal(found)
	if err != nil {
		return // not a number
	}
	f, err := os.CreateTemp(m.dir, "")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), m.path(key)) != nil {
		_ = os.Remove(f.Name())
	}
}
