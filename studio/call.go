package studio

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// toolClient calls the tools of a server in memory.
type toolClient struct {
	server  *sdk.ServerSession
	session *sdk.ClientSession

	mu       sync.Mutex
	calls    int
	progress map[string]func(*sdk.ProgressNotificationParams) // by token
}

func (c *toolClient) connect(ctx context.Context, engine *chemigram.Engine, opts Options) (err error) {
	c.progress = map[string]func(*sdk.ProgressNotificationParams){}
	ours, theirs := sdk.NewInMemoryTransports()
	if c.server, err = newServer(engine, opts).Connect(ctx, theirs, nil); err != nil {
		return err
	}
	client := sdk.NewClient(&sdk.Implementation{Name: "studio", Version: chemigram.Version()}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, req *sdk.ProgressNotificationClientRequest) { c.report(req.Params) },
	})
	c.session, err = client.Connect(ctx, ours, nil)
	return err
}

func (c *toolClient) close() error {
	return errors.Join(c.session.Close(), c.server.Wait())
}

// report gives the progress of a call to who waits for it.
func (c *toolClient) report(p *sdk.ProgressNotificationParams) {
	token, _ := p.ProgressToken.(string)
	c.mu.Lock()
	report := c.progress[token]
	c.mu.Unlock()
	if report != nil {
		report(p)
	}
}

// follow has a call's progress reported, until the function that it returns is called.
func (c *toolClient) follow(params *sdk.CallToolParams, report func(*sdk.ProgressNotificationParams)) (end func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.calls++
	token := fmt.Sprint(c.calls)
	c.progress[token] = report
	params.SetProgressToken(token)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.progress, token)
	}
}

// toolCall is what the page asks for.
type toolCall struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// streamed is the type of an answer whose lines are {"progress": …} and, as the last one,
// the envelope.
const streamed = "application/x-ndjson"

// call answers with the envelope of a tool's answer.
func (s *Studio) call(w http.ResponseWriter, req *http.Request) {
	var asked toolCall
	if !readJSON(w, req, &asked) {
		return
	}
	if !slices.Contains(pageTools, asked.Tool) {
		refuse(w, http.StatusNotFound, "the page calls no such tool")
		return
	}
	if len(asked.Arguments) == 0 {
		asked.Arguments = json.RawMessage("{}")
	}
	arguments, err := withoutFiles(asked.Arguments)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	ctx, cancel := s.until(req.Context())
	defer cancel()
	params := &sdk.CallToolParams{Name: asked.Tool, Arguments: arguments}
	w.Header().Set("Content-Type", "application/json")
	lines := &progressLines{w: w}
	if strings.Contains(req.Header.Get("Accept"), streamed) {
		w.Header().Set("Content-Type", streamed)
		defer s.tools.follow(params, lines.write)()
	}
	result, err := s.tools.session.CallTool(ctx, params)
	lines.end()
	if err != nil {
		err = errors.New(asked.Tool + " was not answered: " + err.Error())
		_, _ = w.Write(failure(chemigram.AsError(err)))
		return
	}
	if text, ok := result.Content[0].(*sdk.TextContent); ok {
		_, _ = fmt.Fprintln(w, text.Text)
	}
}

// progressLines writes a line for each report, until it ends.
type progressLines struct {
	mu    sync.Mutex
	w     http.ResponseWriter
	ended bool
}

func (l *progressLines) write(p *sdk.ProgressNotificationParams) {
	line, err := json.Marshal(map[string]any{"progress": p.Progress, "total": p.Total, "message": p.Message})
	l.mu.Lock()
	defer l.mu.Unlock()
	if err == nil && !l.ended {
		_, _ = l.w.Write(append(line, '\n'))
		_ = http.NewResponseController(l.w).Flush()
	}
}

func (l *progressLines) end() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.ended = true
}

// until is a request's context that also ends with the studio.
func (s *Studio) until(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	stop := context.AfterFunc(s.closed, cancel)
	return ctx, func() { stop(); cancel() }
}

// fileArguments are the arguments by which tools are told of files and folders.
var fileArguments = []string{"file", "output_dir", "raw_path", "path", "sidecar_path"}

// withoutFiles returns JSON as it is understood, when it is some and names no file and no
// folder at any depth. A key that is there twice is there once then.
func withoutFiles(text []byte) (json.RawMessage, error) {
	if !json.Valid(text) {
		return nil, errors.New("it is no JSON")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	var value any
	if err := dec.Decode(&value); err != nil {
		return nil, err
	}
	if name := fileNamed(value); name != "" {
		return nil, errors.New("the page names no files: leave out " + name)
	}
	return json.Marshal(value)
}

func fileNamed(value any) string {
	switch value := value.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(value)) {
			if slices.Contains(fileArguments, strings.ToLower(key)) {
				return key
			}
			if name := fileNamed(value[key]); name != "" {
				return name
			}
		}
	case []any:
		for _, element := range value {
			if name := fileNamed(element); name != "" {
				return name
			}
		}
	}
	return ""
}

// refuse answers with an envelope that says why there is nothing else.
func refuse(w http.ResponseWriter, status int, why string) {
	code := chemigram.ErrInvalidInput
	if status == http.StatusForbidden || status == http.StatusUnauthorized {
		code = chemigram.ErrPermission
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(failure(&chemigram.Error{Code: code, Message: why}))
}

// failure is the envelope of an error.
func failure(e *chemigram.Error) []byte {
	details := e.Details
	if details == nil {
		details = chemigram.Details{}
	}
	text, err := json.Marshal(map[string]any{"success": false, "data": nil, "error": map[string]any{
		"code": e.Code, "message": e.Message, "details": details, "recoverable": e.Recoverable,
	}})
	if err != nil {
		return []byte(`{"success":false,"data":null,"error":{"code":"state_error","message":"internal error","details":{},"recoverable":false}}` + "\n")
	}
	return append(text, '\n')
}
