package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// naive is an agent that has not read the schemas: it calls arguments by words of its
// own, gives numbers as texts and misspells names. It mends what an error says, and
// remembers it.
type naive struct {
	server testServer
	calls  int
	says   map[string]string // what it calls an argument
	typed  bool              // it knows that numbers are numbers
	names  map[string]string // misspelt names of moves, by the right ones
}

// guess distorts the arguments of a call.
func (n *naive) guess(args map[string]any) map[string]any {
	out := map[string]any{}
	for name, value := range args {
		if said := n.says[name]; said != "" {
			name = said
		}
		if number, ok := value.(float64); ok && !n.typed {
			value = strconv.FormatFloat(number, 'g', -1, 64)
		}
		if text, ok := value.(string); ok && n.names[text] != "" {
			value = n.names[text]
		}
		out[name] = value
	}
	return out
}

// call calls a tool until it succeeds, or the error teaches nothing.
func (n *naive) call(t *testing.T, c plainCall) response {
	t.Helper()
	args := n.guess(c.args)
	for range 5 {
		n.calls++
		r := n.server.call(t, c.tool, args)
		if r.Success {
			return r
		}
		if !n.mend(args, r) {
			t.Fatalf("%s %v teaches nothing: %+v", c.tool, args, r.Error)
		}
	}
	t.Fatalf("%s %v is never right", c.tool, args)
	return response{}
}

// mend corrects arguments by what an error says, and reports whether that is anything.
func (n *naive) mend(args map[string]any, r response) bool {
	if r.code() == chemigram.ErrNotFound {
		near, _ := r.Error.Details["suggestions"].([]any)
		for name, value := range args {
			if value == r.Error.Details["name"] && len(near) > 0 {
				delete(n.names, near[0].(string))
				args[name] = near[0]
				return true
			}
		}
		return false
	}
	violations, _ := r.Error.Details["violations"].([]any)
	for _, v := range violations {
		violation := v.(map[string]any)
		name := strings.TrimPrefix(violation["pointer"].(string), "/")
		expected := violation["expected"].(string)
		value := args[name]
		if right, ok := strings.CutSuffix(expected, " instead"); ok {
			n.learn(name, right)
			if _, text := args[name].(string); !text || args[right] == nil {
				args[right] = value
			}
			continue
		}
		text, _ := value.(string)
		if number, err := strconv.ParseFloat(text, 64); err == nil {
			n.typed = true
			n.correct(args, name, number)
		} else if words, ok := strings.CutPrefix(expected, "one of "); ok {
			n.correct(args, name, suggest.Nearest(text, strings.Split(words, ", "))[0])
		} else {
			return false
		}
	}
	for said := range args {
		if slices.ContainsFunc(violations, func(v any) bool {
			violation := v.(map[string]any)
			return violation["pointer"] == "/"+said && strings.HasSuffix(violation["expected"].(string), " instead")
		}) {
			delete(args, said)
		}
	}
	return len(violations) > 0
}

// learn remembers what an argument is called.
func (n *naive) learn(said, right string) {
	maps.DeleteFunc(n.says, func(name, guess string) bool { return guess == said && name == right })
}

// correct sets an argument, and what it was meant to be, to another value.
func (n *naive) correct(args map[string]any, name string, value any) {
	old := args[name]
	for other, given := range args {
		if given == old {
			args[other] = value
		}
	}
	args[name] = value
}

// An agent that guesses reaches a finished export in at most 1.3 times the calls of one
// that knows the tools.
func TestANaiveAgentReachesAnExport(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{Width: 90, Height: 60, XMP: baseline.Packet("5.4.1")}, chemigram.Options{}, nil)
	known := wholeSession(s.raw)
	known[len(known)-1].args = about(map[string]any{"format": "jpeg", "output_dir": t.TempDir()})
	agent := naive{
		server: s,
		says: map[string]string{
			"raw_path": "path", "image_id": "image", "primitive_name": "move", "value": "amount", "query": "search",
			"hash_a": "ref_a", "hash_b": "ref_b", "label": "message", "format": "file_format", "output_dir": "folder",
		},
		names: map[string]string{"exposure": "exposrue", "jpeg": "jpg"},
	}
	var last response
	for _, c := range known {
		last = agent.call(t, c)
	}
	if path, _ := last.Data["output_path"].(string); !strings.HasSuffix(path, ".jpg") {
		t.Errorf("it exported %q", path)
	}
	t.Logf("%d calls, and %d of one that knows", agent.calls, len(known))
	docs, err := os.ReadFile("../docs/mcp.md")
	if said := fmt.Sprintf("in %.2f times", float64(agent.calls)/float64(len(known))); err != nil || !strings.Contains(string(docs), said) {
		t.Errorf("docs/mcp.md does not say that it reaches an export %s the calls (%v)", said, err)
	}
	if most := 13 * len(known) / 10; agent.calls > most {
		t.Errorf("it needed %d calls, and one that knows %d: want at most %d", agent.calls, len(known), most)
	}
}

// A guessed name is answered with the right one, in the first sentence, beside all else
// that is wrong.
func TestAGuessedNameIsAnsweredWithTheRightOne(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{}, chemigram.Options{}, &Options{Groups: Groups()})
	for _, c := range []struct {
		tool, arguments string
		starts          string
		pointers        []string
	}{
		{"compare", `{"image_id": "a", "ref_a": "HEAD", "ref_b": "baseline"}`, "ref_a is called hash_a here; ref_b is called hash_b here", []string{"/ref_a", "/ref_b"}},
		{"diff", `{"image_id": "a", "from": "HEAD", "to": "baseline"}`, "from is called hash_a here; to is called hash_b here", []string{"/from", "/to"}},
		{"bind_layers", `{"image_id": "a", "l2": "look_natural_punch"}`, "l2 is called l2_template here", []string{"/l2"}},
		{"bind_layers", `{"image_id": "a", "l1": "x", "l2": "y"}`, "l1 is called l1_template here; l2 is called l2_template here", []string{"/l1", "/l2"}},
		{"apply_primitive", `{"imageId": "a", "name": "exposure", "amount": "0.3"}`, "amount is called value here; imageId is called image_id here; name is called primitive_name here; amount is \"0.3\", expected a number", []string{"/amount", "/amount", "/imageId", "/name"}},
		{"render_preview", `{"image_id": "a", "width": 800, "ref": "HEAD", "nonsense": 1}`, "ref is called ref_or_hash here; width is called size here; nonsense is 1, expected no such argument", []string{"/nonsense", "/ref", "/width"}},
		{"ingest", `{"path": "/x"}`, "path is called raw_path here", []string{"/path"}},
		{"list_vocabulary", `{"search": "warm"}`, "search is called query here", []string{"/search"}},
		{"list_vocabulary", `{"qurey": "warm"}`, "qurey is called query here", []string{"/qurey"}},
		{"compare", `{"image_id": "a", "hash_a": "HEAD", "ref_a": "HEAD", "hash_b": "HEAD"}`, `ref_a is "HEAD", expected no such argument`, []string{"/ref_a"}},
	} {
		r := callTool(t, s.ClientSession, c.tool, json.RawMessage(c.arguments))
		if r.code() != chemigram.ErrInvalidInput || !strings.HasPrefix(r.Error.Message, c.starts) {
			t.Errorf("%s %s: %+v, want %q", c.tool, c.arguments, r.Error, c.starts)
			continue
		}
		var pointers []string
		for _, v := range r.Error.Details["violations"].([]any) {
			pointers = append(pointers, v.(map[string]any)["pointer"].(string))
		}
		if !slices.Equal(pointers, c.pointers) {
			t.Errorf("%s %s: violations at %q, want %q", c.tool, c.arguments, pointers, c.pointers)
		}
	}
}

// What guesses lead to are arguments of some tool.
func TestGuessesLeadToArguments(t *testing.T) {
	t.Parallel()
	known := map[string]bool{}
	var collect func(c *checker)
	collect = func(c *checker) {
		for name, property := range c.properties {
			known[name] = true
			collect(property)
		}
		if c.items != nil {
			collect(c.items)
		}
	}
	for _, tool := range EngineTools(nil) {
		collect(tool.checker)
	}
	for guess, names := range words {
		for _, name := range names {
			if !known[name] {
				t.Errorf("%s leads to %s, which no tool has", guess, name)
			}
		}
	}
}
