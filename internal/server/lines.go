package server

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// maxLineBytes is the length of the longest request over stdio. A longer one ends the
// server, so that the limit is far beyond that of any argument, which gets an error.
const maxLineBytes = 64 << 20

// A messageReader reads a client's messages, one on each line. A line that is none,
// which would end the transport, is answered with an error and left out.
type messageReader struct {
	lines   *bufio.Reader
	answers io.Writer
	logger  *slog.Logger
	rest    []byte // of the line that is being read
	batches bool   // the client's revision of the protocol has them
}

func (r *messageReader) Read(p []byte) (int, error) {
	for len(r.rest) == 0 {
		line, err := r.line()
		if len(bytes.TrimSpace(line)) > 0 {
			if fault := r.check(line); fault != nil {
				r.logger.Warn("a line on stdin is no message", "error", fault.Message)
				err = errors.Join(err, r.refuse(line, fault))
			} else {
				r.rest = line
			}
		}
		if err != nil && len(r.rest) == 0 {
			return 0, err
		}
	}
	n := copy(p, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

// Close does nothing: stdin ends by itself.
func (r *messageReader) Close() error { return nil }

// line reads one, with its end. With an error there is what came before it.
func (r *messageReader) line() (line []byte, err error) {
	for {
		part, err := r.lines.ReadSlice('\n')
		line = append(line, part...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
		if len(line) > maxLineBytes {
			return nil, fmt.Errorf("a line on stdin has more than %d MiB", maxLineBytes>>20)
		}
	}
}

// check gives what is wrong with a line, or nil. It accepts what the transport does.
func (r *messageReader) check(line []byte) *jsonrpc.Error {
	if !json.Valid(line) {
		return &jsonrpc.Error{Code: jsonrpc.CodeParseError, Message: "the line is no JSON; want one message on each line"}
	}
	var parts []json.RawMessage
	if json.Unmarshal(line, &parts) != nil {
		return r.checkMessage(line)
	}
	if !r.batches || len(parts) == 0 {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "the line is a list; want one message on each line"}
	}
	seen := map[string]bool{}
	for _, part := range parts {
		if fault := r.checkMessage(part); fault != nil {
			return fault
		}
		id := string(requestID(part))
		if id != "" && seen[id] {
			return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: "two requests of a batch have one id; want an id for each"}
		}
		seen[id] = true
	}
	return nil
}

func (r *messageReader) checkMessage(text []byte) *jsonrpc.Error {
	message, err := jsonrpc.DecodeMessage(text)
	if err != nil {
		return &jsonrpc.Error{Code: jsonrpc.CodeInvalidRequest, Message: fmt.Sprintf("the line is no message of JSON-RPC 2.0: %v", err)}
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.Method == "initialize" {
		var params struct {
			ProtocolVersion string `json:"protocolVersion"`
		}
		_ = json.Unmarshal(request.Params, &params) // what is wrong with them is answered elsewhere
		r.batches = params.ProtocolVersion == "2024-11-05" || params.ProtocolVersion == "2025-03-26"
	}
	return nil
}

// refuse answers a line that is no message, by its id when it has one.
func (r *messageReader) refuse(line []byte, fault *jsonrpc.Error) error {
	answer, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": requestID(line), "error": fault})
	if err != nil {
		return err
	}
	_, err = r.answers.Write(append(answer, '\n'))
	return err
}

// requestID is the id of a text that is meant as a request: a string or number, or nil.
func requestID(text []byte) json.RawMessage {
	var request struct {
		ID     json.RawMessage `json:"id"`
		Method json.RawMessage `json:"method"`
	}
	if json.Unmarshal(text, &request) != nil || request.Method == nil || len(request.ID) == 0 {
		return nil
	}
	if first := request.ID[0]; first != '"' && first != '-' && (first < '0' || first > '9') {
		return nil
	}
	return request.ID
}

// A messageWriter writes each message whole, whoever writes it.
type messageWriter struct {
	mu sync.Mutex
	io.Writer
}

func (w *messageWriter) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.Writer.Write(p)
}

// Close does nothing: stdout ends with the program.
func (w *messageWriter) Close() error { return nil }
