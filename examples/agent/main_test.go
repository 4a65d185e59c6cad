package main

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestAgentEditsAPicture(t *testing.T) {
	testutil.UseDarktable(t)
	if err := run(t.Context(), "", t.TempDir()); err != nil {
		t.Fatal(err)
	}
}
