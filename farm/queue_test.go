package farm

import (
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go/jetstream"
)

// BenchmarkQueue puts a job into the queue of a broker in this process, takes it and has it
// done, in one goroutine.
func BenchmarkQueue(b *testing.B) {
	r := openFarm(b, openFolder(b, b.TempDir()), Options{})
	js, stream, err := r.queue(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	j := sound()
	consumer, err := stream.CreateConsumer(b.Context(), jetstream.ConsumerConfig{
		Durable: batch.consumer(j.Darktable), FilterSubject: batch.subject(j.Darktable, "*"), AckPolicy: jetstream.AckExplicitPolicy,
	})
	if err != nil {
		b.Fatal(err)
	}
	message, err := j.encode()
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(message)))
	for b.Loop() {
		if _, err := js.Publish(b.Context(), batch.subject(j.Darktable, j.key()), message); err != nil {
			b.Fatal(err)
		}
		taken, err := consumer.Fetch(1)
		if err != nil {
			b.Fatal(err)
		}
		for m := range taken.Messages() {
			if err := m.DoubleAck(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkIdleWorker counts the messages of a worker that waits for twenty seconds.
func BenchmarkIdleWorker(b *testing.B) {
	r := openFarm(b, openFolder(b, b.TempDir()), Options{})
	startWorker(b, r, fakeCLI(b), WorkerOptions{Prepared: -1})
	for b.Loop() {
		before, err := r.broker.server.Varz(&server.VarzOptions{})
		if err != nil {
			b.Fatal(err)
		}
		pauseFor(b.Context(), 20*time.Second)
		after, err := r.broker.server.Varz(&server.VarzOptions{})
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(after.InMsgs+after.OutMsgs-before.InMsgs-before.OutMsgs)/20, "messages/s")
	}
}
