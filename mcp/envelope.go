package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/chemigram/chemigram"
)

// envelope is the answer of every tool.
type envelope struct {
	Success bool     `json:"success"`
	Data    any      `json:"data"`
	Error   *failure `json:"error"`
}

// failure is an error of the engine, in an envelope.
type failure struct {
	Code        chemigram.Code    `json:"code"`
	Message     string            `json:"message"`
	Details     chemigram.Details `json:"details"`
	Recoverable bool              `json:"recoverable"`
}

// encode returns the envelope as JSON, without escapes of HTML.
func (e envelope) encode() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
