package studio

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/chemigram/chemigram"
)

const (
	// watchInterval is how often a page's image and its part of the list are looked at.
	watchInterval = 300 * time.Millisecond
	// aliveInterval is how often a connection without news is written to, so that one that
	// has gone is noticed; writeTime is how long that may take.
	aliveInterval = 15 * time.Second
	writeTime     = 10 * time.Second
	// maxWatched is how many images of the list a page watches.
	maxWatched = 100
)

// watched is what a page looks at.
type watched struct {
	image         chemigram.ImageID
	offset, limit int
}

// events tells a page, as server-sent events, how its image and its part of the list of
// images are: at once, and whenever that changes, whoever changed it. It looks at what is
// on the disk, since another process tells nothing. Each event says how things are now,
// and not what happened, so that a page that was away has missed nothing.
//
//	event: list    {"total", "offset", "images": [as list_images gives them]}
//	event: image   {"image_id", "head": the newest entry of log, "refs", "problem"}
func (s *Studio) events(w http.ResponseWriter, req *http.Request) {
	select {
	case s.listeners <- struct{}{}:
		defer func() { <-s.listeners }()
	default:
		w.Header().Set("Retry-After", "5")
		refuse(w, http.StatusServiceUnavailable, fmt.Sprintf("%d pages wait for changes: close one", maxListeners))
		return
	}
	at := watched{image: imageOf(req.URL.Query())}
	at.offset, _ = strconv.Atoi(req.URL.Query().Get("offset"))
	at.limit, _ = strconv.Atoi(req.URL.Query().Get("limit"))
	at.offset, at.limit = max(at.offset, 0), min(max(at.limit, 1), maxWatched)

	w.Header().Set("Content-Type", "text/event-stream")
	ctx, cancel := s.until(req.Context())
	defer cancel()
	out := eventWriter{w: w, last: map[string][]byte{}}
	ticker := time.NewTicker(watchInterval)
	defer ticker.Stop()
	for out.err == nil {
		s.look(ctx, at, &out)
		out.stayAlive()
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

// look sends what a page watches, where it has changed.
func (s *Studio) look(ctx context.Context, at watched, out *eventWriter) {
	list, err := s.engine.ListImages(ctx, chemigram.ListImagesParams{Offset: chemigram.Offset(at.offset), Limit: chemigram.Limit(at.limit)})
	if err == nil {
		out.send("list", map[string]any{"total": list.Total, "offset": at.offset, "images": list.Images})
	}
	if at.image == "" || ctx.Err() != nil {
		return
	}
	news := map[string]any{"image_id": at.image}
	log, err := s.engine.Log(ctx, chemigram.LogParams{ImageID: at.image, Limit: 1})
	switch {
	case ctx.Err() != nil:
		return
	case err != nil:
		news["problem"] = chemigram.AsError(err).Message
	case len(log.Entries) > 0:
		news["head"], news["refs"] = log.Entries[0], log.Refs
	}
	out.send("image", news)
}

// eventWriter writes events that are not as they were.
type eventWriter struct {
	w       http.ResponseWriter
	last    map[string][]byte
	written time.Time
	err     error
}

func (o *eventWriter) send(event string, data any) {
	text, err := json.Marshal(data)
	if err != nil || bytes.Equal(text, o.last[event]) {
		return
	}
	o.last[event] = text
	o.write("event: " + event + "\ndata: " + string(text) + "\n\n")
}

func (o *eventWriter) stayAlive() {
	if time.Since(o.written) > aliveInterval {
		o.write(": \n\n")
	}
}

func (o *eventWriter) write(text string) {
	if o.err != nil {
		return
	}
	control := http.NewResponseController(o.w)
	_ = control.SetWriteDeadline(time.Now().Add(writeTime)) // a recorder of a test knows none
	if _, o.err = o.w.Write([]byte(text)); o.err == nil {
		o.err = control.Flush()
	}
	_ = control.SetWriteDeadline(time.Time{})
	o.written = time.Now()
}
