package mcp

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
	"github.com/chemigram/chemigram/internal/testutil/scene"
)

// maxSessionTokens is how much text the answers of a whole session may have.
const maxSessionTokens = 6000

// answerSize is how much text a tool's answer has.
type answerSize struct {
	Bytes  int `json:"bytes"`
	Tokens int `json:"tokens"`
}

// plainCall is a call of a script.
type plainCall struct {
	tool string
	args map[string]any
}

// about is the arguments of a call about image a.
func about(more map[string]any) map[string]any {
	args := map[string]any{"image_id": "a"}
	maps.Copy(args, more)
	return args
}

// wholeSession is what an agent calls for one picture: it looks around, searches four
// times, makes eight moves, two of them masked, looks at each, measures, compares,
// names the result and exports it.
func wholeSession(raw string) []plainCall {
	type args = map[string]any
	look := plainCall{"render_preview", about(nil)}
	calls := []plainCall{
		{"health_check", nil},
		{"ingest", args{"raw_path": raw, "image_id": "a"}},
		{"read_context", about(nil)},
		look,
	}
	for _, query := range []string{"open the shadows", "warmer", "more contrast", "darken the sky"} {
		calls = append(calls, plainCall{"list_vocabulary", args{"query": query}})
	}
	for _, move := range []args{
		{"primitive_name": "exposure", "value": 0.3},
		{"primitive_name": "shadows", "value": 0.3},
		{"primitive_name": "warmth", "value": 20},
		{"primitive_name": "contrast", "value": 0.2},
		{"primitive_name": "vibrance", "value": 0.2},
		{"primitive_name": "clarity", "value": 0.2},
		{"primitive_name": "exposure", "value": -0.3, "mask": args{"name": "highlights"}},
		{"primitive_name": "saturation", "value": 0.1, "mask": args{"ranges": []args{{"channel": "lightness", "from": 0.5}}}},
	} {
		calls = append(calls, plainCall{"apply_primitive", about(move)}, look)
	}
	return append(calls,
		plainCall{"image_stats", about(nil)},
		plainCall{"compare", about(args{"hash_a": "baseline", "hash_b": "HEAD"})},
		plainCall{"snapshot", about(args{"label": "done"})},
		plainCall{"export_final", about(nil)},
	)
}

// otherCalls call the tools that the session does not, but for those that need a
// darktable which develops.
func otherCalls() []plainCall {
	type args = map[string]any
	return []plainCall{
		{"list_vocabulary", nil},
		{"get_state", about(nil)},
		{"describe_state", about(nil)},
		{"diff", about(args{"hash_a": "baseline", "hash_b": "HEAD"})},
		{"log", about(nil)},
		{"list_images", nil},
		{"list_masks", nil},
		{"undo", about(nil)},
		{"redo", about(nil)},
		{"tag", about(args{"name": "v1"})},
		{"branch", about(args{"name": "try"})},
		{"checkout", about(args{"ref_or_hash": "try"})},
		{"bind_layers", about(args{"l2_template": "look_natural_punch"})},
		{"apply_per_region", about(args{"primitive_name": "exposure", "regions": []args{
			{"mask": args{"name": "shadows"}, "value": 0.3}, {"mask": args{"name": "highlights"}, "value": -0.3},
		}})},
		{"remove_module", about(args{"module_name": "toneequal"})},
		{"set_parameters", about(args{"module_name": "exposure", "fields": []args{{"name": "exposure", "value": "1"}}})},
		{"describe_module", args{"module_name": "exposure"}},
		{"render_variants", about(args{"primitive_name": "exposure", "values": []float64{-0.5, 0, 0.5}})},
		{"propose_taste_update", args{"content": "- skies: calm", "category": "appearance"}},
		{"propose_notes_update", about(args{"content": "Half a stop brighter."})},
		{"list_proposals", nil},
		{"log_vocabulary_gap", about(args{"description": "No skin mask.", "workaround": "Left alone."})},
		{"list_gaps", nil},
		{"set_rating", about(args{"rating": 4})},
		{"export_sidecar", about(nil)},
		{"merge", about(args{"ref_or_hash": "main", "prefer": "ours"})},
		{"cherry_pick", about(args{"event": "main~1", "prefer": "theirs"})},
		{"export_bundle", about(nil)},
		{"verify", nil},
		{"reset", about(nil)},
		{"delete_ref", about(args{"name": "v1", "confirm": true, "reason": "a test"})},
		{"prune", args{"confirm": true, "reason": "a test"}},
		{"delete_image", about(args{"confirm": true, "reason": "a test"})},
		{"list_trash", nil},
	}
}

// chance matches what is another text in every run: hashes, ids and times.
var chance = regexp.MustCompile(`[0-9a-f]{12,}|\b[a-z2-7]{16}\b|_[0-9a-f]{8}\b|\d{4}-\d\d-\d\dT[\d:.]+Z|"duration_seconds":[\d.]+`)

// typical is what stands in for a text of chance: as long, and the same in every run.
func typical(text string) string {
	const hash = "e4df1bff2979cfb9a215c067516f06f696700bd895f69b2de57a9d594ca6b911"
	switch {
	case strings.HasPrefix(text, `"`):
		return `"duration_seconds":0.04`
	case strings.Contains(text, "T"):
		return "2026-11-22T04:47:42.464147481Z"
	case strings.HasPrefix(text, "_"):
		return "_" + hash[:8]
	}
	return hash[:min(len(text), len(hash))]
}

// textOf is the text of an answer as a model reads it, with a workspace and a temporary
// folder whose paths are always as long, and without chance.
func textOf(answer *sdk.CallToolResult, workspace string) string {
	var text strings.Builder
	for _, block := range answer.Content {
		switch block := block.(type) {
		case *sdk.TextContent:
			text.WriteString(block.Text)
		case *sdk.ResourceLink:
			fmt.Fprintln(&text, block.Name, block.URI, block.Description)
		}
	}
	said := strings.NewReplacer(workspace, "/home/ansel/.local/share/chemigram", os.TempDir(), "/tmp").Replace(text.String())
	return chance.ReplaceAllStringFunc(said, typical)
}

// measureCalls makes calls, and returns the size of the largest answer of each tool and of
// all together.
func (s testServer) measureCalls(t *testing.T, calls []plainCall) (largest map[string]answerSize, all answerSize) {
	t.Helper()
	largest = map[string]answerSize{}
	for _, c := range calls {
		answer, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: c.tool, Arguments: c.args})
		if err != nil {
			t.Fatal(err)
		}
		text := textOf(answer, s.workspace)
		if answer.IsError {
			t.Errorf("%s: %s", c.tool, text)
		}
		size := answerSize{Bytes: len(text), Tokens: tokens(text)}
		all.Bytes, all.Tokens = all.Bytes+size.Bytes, all.Tokens+size.Tokens
		if size.Tokens > largest[c.tool].Tokens {
			largest[c.tool] = size
		}
		if dump := os.Getenv("CHEMIGRAM_DUMP_ANSWERS"); dump != "" {
			appendLine(t, dump, c.tool+"\t"+strings.ReplaceAll(text, "\n", " "))
		}
	}
	return largest, all
}

// appendLine appends a line to a file.
func appendLine(t *testing.T, path, line string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, line); err != nil {
		t.Fatal(err)
	}
}

// A whole session fits a budget, and no tool's answer grows by more than a tenth unless
// it is meant: then run go test ./mcp -update.
func TestAnswersStayShort(t *testing.T) {
	t.Parallel()
	// Every picture is too large for its budget, as those of a camera mostly are.
	s := newTestServer(t, testutil.FakeOptions{Width: 90, Height: 60, XMP: baseline.Packet("5.4.1")},
		chemigram.Options{}, &Options{Groups: Groups(), PictureBytes: minPictureBytes})
	got, session := s.measureCalls(t, wholeSession(s.raw))
	t.Logf("a whole session has %d tokens, %d bytes", session.Tokens, session.Bytes)
	if session.Tokens > maxSessionTokens {
		t.Errorf("a whole session has %d tokens, want at most %d", session.Tokens, maxSessionTokens)
	}
	others, _ := s.measureCalls(t, otherCalls())
	checkTable(t, session, got, others)
	for tool, size := range others {
		if size.Tokens > got[tool].Tokens {
			got[tool] = size
		}
	}
	compareSizes(t, got)
}

var (
	tokenRow  = regexp.MustCompile("(?m)^(\\| (`[a-z_]+`|the whole session)([^|]*) \\| [\\d,]+ \\| )([\\d,]+)( \\|)$")
	nameInRow = regexp.MustCompile("`([a-z_]+)`")
)

// checkTable holds the table of docs/mcp.md to what is measured: of the whole session, of
// the calls in it, and of others. With -update it writes the table.
func checkTable(t *testing.T, session answerSize, inSession, others map[string]answerSize) {
	t.Helper()
	path := filepath.Join("..", "docs", "mcp.md")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	updated := tokenRow.ReplaceAllStringFunc(string(text), func(row string) string {
		rows++
		cells := tokenRow.FindStringSubmatch(row)
		measured := session.Tokens
		if cells[2] != "the whole session" {
			measured = 0
			for _, tool := range nameInRow.FindAllStringSubmatch(cells[2]+cells[3], -1) {
				measured = max(measured, inSession[tool[1]].Tokens)
				if !strings.Contains(cells[3], "words") { // the index is longer
					measured = max(measured, others[tool[1]].Tokens)
				}
			}
		}
		said, err := strconv.Atoi(strings.ReplaceAll(cells[4], ",", ""))
		// The length of an address differs from run to run.
		if off := max(said-measured, measured-said); !*update && (err != nil || off > max(3, measured/50)) {
			t.Errorf("docs/mcp.md says %s, %d were measured: if it is meant, run go test ./mcp -update", row, measured)
		}
		return cells[1] + thousands(measured) + cells[5]
	})
	if rows < 20 {
		t.Errorf("docs/mcp.md has %d answers in its table", rows)
	}
	if *update {
		if err := os.WriteFile(path, []byte(updated), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// thousands is a number with a comma before its thousands.
func thousands(n int) string {
	if n < 1000 {
		return strconv.Itoa(n)
	}
	return fmt.Sprintf("%d,%03d", n/1000, n%1000)
}

// compareSizes compares the sizes of answers with those of the golden file.
func compareSizes(t *testing.T, got map[string]answerSize) {
	t.Helper()
	path := filepath.Join("testdata", "answers.json")
	if *update {
		text, err := json.MarshalIndent(got, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var golden map[string]answerSize
	if err := json.Unmarshal(text, &golden); err != nil {
		t.Fatal(err)
	}
	for _, tool := range slices.Sorted(maps.Keys(got)) {
		// An id is drawn anew each time, of some tokens more or less.
		if was, is := golden[tool], got[tool]; float64(is.Tokens) > 1.1*float64(was.Tokens)+10 || float64(is.Bytes) > 1.1*float64(was.Bytes) {
			t.Errorf("the answer of %s has grown from %+v to %+v", tool, was, is)
		}
	}
	for tool := range golden {
		if _, called := got[tool]; !called {
			t.Errorf("%s says how large %s is, which was not called", path, tool)
		}
	}
}

// Histograms come on request.
func TestStatisticsAreShort(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{Width: 90, Height: 60, XMP: baseline.Packet("5.4.1")}, chemigram.Options{}, nil)
	short := s.call(t, "image_stats", about(nil))
	whole := s.call(t, "image_stats", about(map[string]any{"histogram": true}))
	for _, channel := range []string{"red", "green", "blue", "luma"} {
		without, with := short.Data[channel].(map[string]any), whole.Data[channel].(map[string]any)
		if bins, _ := with["histogram"].([]any); len(bins) != 64 {
			t.Errorf("%s has %d steps in its histogram, want 64", channel, len(bins))
		}
		if without["histogram"] != nil {
			t.Errorf("%s has a histogram that was not asked for", channel)
		}
		if without["mean"] != 0.502 {
			t.Errorf("the mean of %s is %v, want 0.502", channel, without["mean"])
		}
	}
}

// The same with pictures of a real darktable. It takes half a minute, and is not much
// else than the test above: make bench-tokens runs it.
func TestASessionWithDarktableStaysShort(t *testing.T) {
	if os.Getenv("CHEMIGRAM_BENCH_TOKENS") == "" {
		t.Skip("it is slow: run make bench-tokens")
	}
	darktable := testutil.AnyDarktable(t)
	defer testutil.AcquireDarktable(t)()
	s := testServer{workspace: filepath.Join(t.TempDir(), "workspace"), raw: filepath.Join(t.TempDir(), "a.dng")}
	if err := scene.Write(s.raw, scene.Landscape{}, scene.Options{Megapixels: 1}); err != nil {
		t.Fatal(err)
	}
	s.engine = openEngine(t, chemigram.Options{Workspace: s.workspace, Darktable: darktable.CLI})
	s.ClientSession = connect(t, NewServer(s.engine, &Options{PictureBytes: minPictureBytes}))
	largest, session := s.measureCalls(t, wholeSession(s.raw))
	t.Logf("a whole session has %d tokens, %d bytes: %+v", session.Tokens, session.Bytes, largest)
	if session.Tokens > maxSessionTokens {
		t.Errorf("a whole session has %d tokens, want at most %d", session.Tokens, maxSessionTokens)
	}
}
