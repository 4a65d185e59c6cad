package mcp

import (
	"bytes"
	"encoding/json"

	"github.com/chemigram/chemigram"
)

// envelope is what every tool answers.
type envelope struct {
	Success bool     `json:"success"`
	Data    any      `json:"data"`
	Error   *failure `json:"error"`
}

// failure is an error of the engine as tools report it.
type failure struct {
	Code        chemigram.Code    `json:"code"`
	Message     string            `json:"message"`
	Details     chemigram.Details `json:"details"`
	Recoverable bool              `json:"recoverable"`
}

// seal encodes an envelope.
func (e envelope) seal() ([]byte, error) {
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(e); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
}
