package main

import (
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestTheProgramRuns(t *testing.T) {
	testutil.UseDarktable(t)
	if err := run(t.Context()); err != nil {
		t.Fatal(err)
	}
}
