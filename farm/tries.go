package farm

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/chemigram/chemigram/objects"
)

// mostTries is how often a picture that was asked for once may be begun.
const mostTries = 3

// errTries says that all tries of a job are used up.
var errTries = errors.New("all tries are used up")

// begin takes the next try of a job, from the one that a broker takes it for. Each is an
// object that is made once, so that no broker that forgets, and no worker that was thought
// dead, makes one more of them. It fails with errTries after the last.
func begin(ctx context.Context, s objects.Store, ask string, from int, worker string) (n int, err error) {
	note, err := json.Marshal(map[string]string{"worker": worker})
	if err != nil {
		return 0, err
	}
	for n := max(1, min(from, mostTries)); n <= mostTries; n++ {
		err := s.Create(ctx, tryObject(ask, n), strings.NewReader(string(note)))
		if !errors.Is(err, objects.Exists) {
			return n, err
		}
	}
	return 0, errTries
}

// explain gives the words of the last try that failed with some, or nil.
func explain(ctx context.Context, s objects.Store, ask string) (*failure, error) {
	for n := mostTries; n > 0; n-- {
		data, err := objects.Read(ctx, s, failureObject(ask, n), mostOutcome)
		if errors.Is(err, objects.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if o, err := decodeOutcome(data); err == nil && o.Failure != nil {
			return o.Failure, nil
		}
	}
	return nil, nil
}
