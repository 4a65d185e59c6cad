package mcp

import (
	"fmt"
	"maps"
	"slices"
	"sync"
)

const (
	// maxSubscribed is how many resources clients may have subscribed to, ever: the SDK
	// keeps each.
	maxSubscribed = 10_000
	// maxURI is how many bytes the URI of a resource may have.
	maxURI = 2 << 10
)

// subscriptions are the URIs that clients have ever subscribed to.
type subscriptions struct {
	mu   sync.Mutex
	uris map[string]bool
}

// add notes a subscription, or refuses it.
func (s *subscriptions) add(uri string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case len(uri) > maxURI:
		return fmt.Errorf("the URI has %d bytes; %d are the most", len(uri), maxURI)
	case s.uris[uri]:
		return nil
	case len(s.uris) >= maxSubscribed:
		return fmt.Errorf("there are subscriptions to %d resources: no more are taken", maxSubscribed)
	case s.uris == nil:
		s.uris = map[string]bool{}
	}
	s.uris[uri] = true
	return nil
}

// all are the URIs.
func (s *subscriptions) all() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Collect(maps.Keys(s.uris))
}
