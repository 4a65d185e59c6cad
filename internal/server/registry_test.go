package server

import (
	"encoding/json"
	"os"
	"regexp"
	"testing"
)

// The rules are those of the registry's schema of 2025-12-11.
func TestTheRegistryEntryIsValid(t *testing.T) {
	t.Parallel()
	data, err := os.ReadFile("../../server.json")
	if err != nil {
		t.Fatal(err)
	}
	var entry struct{ Name, Title, Description, Version string }
	if err := json.Unmarshal(data, &entry); err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$`).MatchString(entry.Name) || len(entry.Name) > 200 {
		t.Errorf("the name %q is not REVERSED.DOMAIN/NAME", entry.Name)
	}
	for _, text := range []string{entry.Title, entry.Description} {
		if n := len(text); n == 0 || n > 100 {
			t.Errorf("%q has %d characters, want 1 to 100", text, n)
		}
	}
	if !regexp.MustCompile(`^\d+\.\d+\.\d+$`).MatchString(entry.Version) {
		t.Errorf("the version %q is not an exact version", entry.Version)
	}
}
