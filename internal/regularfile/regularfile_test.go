package regularfile

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestAFileIsReadUpToALimit(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte("0123456789"), 0o600); err != nil {
		t.Fatal(err)
	}
	if data, err := Read(path, 10); err != nil || string(data) != "0123456789" {
		t.Errorf("%q, %v", data, err)
	}
	if _, err := Read(path, 9); err == nil || !strings.Contains(err.Error(), "10 bytes, more than the 9") {
		t.Errorf("%v, want the size and the limit", err)
	}
	if _, _, err := Open(path + "x"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing file: %v", err)
	}
}

func TestAFileThatChangesIsNotCopied(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := Copy(t.Context(), &out, strings.NewReader("abc"), 3); err != nil || out.String() != "abc" {
		t.Errorf("%q, %v", out.String(), err)
	}
	if err := Copy(t.Context(), io.Discard, strings.NewReader("abcd"), 3); !errors.Is(err, ErrGrows) {
		t.Errorf("one that grows: %v", err)
	}
	if err := Copy(t.Context(), io.Discard, strings.NewReader("ab"), 3); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("one that shrinks: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := Copy(ctx, io.Discard, strings.NewReader("abc"), 3); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
