package farm

import (
	"context"
	"errors"
	"io"
	"strconv"

	"github.com/chemigram/chemigram/objects"
)

// Objects in the store:
//
//	raws/AB/SHA256          a raw
//	results/AB/KEY          a picture; see record
//	tries/ASK/N             that a worker has begun to develop what was asked for, N = 1, 2, 3
//	tries/ASK/N.failed      why it did not become a picture
func rawObject(digest string) string { return "raws/" + digest[:2] + "/" + digest }

func resultObject(key string) string { return "results/" + key[:2] + "/" + key }

func triesOf(ask string) string { return "tries/" + ask + "/" }

func tryObject(ask string, n int) string { return triesOf(ask) + strconv.Itoa(n) }

func failureObject(ask string, n int) string { return tryObject(ask, n) + ".failed" }

// getTold opens an object of which somebody else has said that it is there. A network disk
// may remember for half a minute that it was not, until its folder is listed.
func getTold(ctx context.Context, s objects.Store, name string) (io.ReadCloser, error) {
	from, err := s.Get(ctx, name)
	if !errors.Is(err, objects.NotFound) {
		return from, err
	}
	if list, _, listErr := s.List(ctx, name, ""); listErr != nil || len(list) == 0 {
		return nil, err
	}
	return s.Get(ctx, name)
}

// Subjects:
//
//	chemigram.jobs.DARKTABLE.CLASS.KEY   a job; they are a stream, with one job for a key
//	chemigram.done.KEY                   what became of a job: a wake-up
//	chemigram.workers.DARKTABLE          asks for the workers of a darktable
const (
	streamName    = "CHEMIGRAM_JOBS"
	jobsPrefix    = "chemigram.jobs."
	donePrefix    = "chemigram.done."
	workersPrefix = "chemigram.workers."
)

// A class says how urgent a job is. Workers have room of their own for each.
type class string

const (
	single class = "single" // somebody waits for this one picture
	batch  class = "batch"
)

func (c class) subject(darktable, key string) string {
	return jobsPrefix + darktable + "." + string(c) + "." + key
}

// consumer is the name of the queue's reader for the workers of a darktable.
func (c class) consumer(darktable string) string { return string(c) + "-" + darktable[:32] }
