package render

import (
	"context"
	"fmt"
	"strings"
)

// maxMessage bounds a line that is meant for Chemigram.
const maxMessage = 512

// A messageReader finds a worker's messages in what darktable prints: the lines
// that start with "chemigram ".
type messageReader struct {
	w    *worker
	line []byte
}

func (r *messageReader) Write(p []byte) (int, error) {
	_, _ = r.w.printed.Write(p)
	for _, b := range p {
		if b != '\n' {
			if len(r.line) < maxMessage {
				r.line = append(r.line, b)
			}
			continue
		}
		if words := strings.Fields(string(r.line)); len(words) > 1 && words[0] == "chemigram" {
			select {
			case r.w.messages <- words[1:]:
			default: // more than were asked for
			}
		}
		r.line = r.line[:0]
	}
	return len(p), nil
}

// receive waits for a worker's next message, which should start with word, and
// gives the words after it.
func (w *worker) receive(ctx context.Context, word string) ([]string, error) {
	var message []string
	select {
	case message = <-w.messages:
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-w.ended:
		select {
		case message = <-w.messages: // sent before it ended
		default:
			return nil, w.failure("ended too early")
		}
	}
	if message[0] != word {
		return nil, w.failure(strings.Join(message, " "))
	}
	return message[1:], nil
}

// failure is the reason why a worker could not serve.
func (w *worker) failure(what string) error {
	return fmt.Errorf("a prepared worker %s; the last that darktable printed: %q", what, lastLine(w.printed.String()))
}

func lastLine(text string) string {
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}
