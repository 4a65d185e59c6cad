package mcp

import (
	"strconv"
	"strings"
	"testing"
)

func TestSubscriptionsAreBounded(t *testing.T) {
	t.Parallel()
	var s subscriptions
	if err := s.add("chemigram://images/" + strings.Repeat("x", 1_000_000)); err == nil || len(err.Error()) > 200 {
		t.Errorf("a million letters: %v", err)
	}
	for i := range maxSubscribed {
		if err := s.add(strconv.Itoa(i)); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.add("one more"); err == nil {
		t.Error("there is no bound")
	}
	if err := s.add("7"); err != nil || len(s.all()) != maxSubscribed {
		t.Errorf("one that is known: %v, %d are kept", err, len(s.all()))
	}
}
