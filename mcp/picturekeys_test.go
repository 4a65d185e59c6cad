package mcp

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// twoRaws is a fake darktable that develops a raw with the word "tall" in it as a
// tall picture, and any other as a wide one.
func twoRaws(t *testing.T) (cli string) {
	t.Helper()
	packet := baseline.Packet("5.4.1")
	wide := testutil.FakeDarktable(t, testutil.FakeOptions{Width: 90, Height: 60, XMP: packet})
	tall := testutil.FakeDarktable(t, testutil.FakeOptions{Width: 60, Height: 90, XMP: packet})
	cli = filepath.Join(t.TempDir(), "darktable-cli")
	script := fmt.Sprintf(`#!/bin/sh
for arg; do
	[ ! -f "$arg" ] || ! grep -q tall "$arg" || exec '%s' "$@"
done
exec '%s' "$@"
`, tall.CLI, wide.CLI)
	if err := os.WriteFile(cli, []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	return cli
}

// pictureOf is what a tool shows: the picture in its answer, and its file.
func pictureOf(t *testing.T, session *sdk.ClientSession, tool string, arguments map[string]any) (inline, file []byte) {
	t.Helper()
	r, result := callToolResult(t, t.Context(), session, tool, arguments)
	if !r.Success {
		t.Fatalf("%s: %+v", tool, r.Error)
	}
	for _, block := range result.Content {
		if picture, ok := block.(*sdk.ImageContent); ok {
			inline = picture.Data
		}
	}
	file, err := os.ReadFile(r.Data["jpeg_path"].(string))
	if err != nil {
		t.Fatal(err)
	}
	return inline, file
}

// Two raws of one name with one look have one state, and no tool of any server of the
// workspace shows one for the other.
func TestNoToolShowsAnotherPicture(t *testing.T) {
	cli, dir := twoRaws(t), t.TempDir()
	open := func() *sdk.ClientSession {
		e := openEngine(t, chemigram.Options{Workspace: filepath.Join(dir, "workspace"), Darktable: cli, Workers: -1})
		return connect(t, NewServer(e, &Options{Groups: Groups()}))
	}
	first, second := open(), open()
	states := map[any]bool{}
	for id, content := range map[string]string{"a": "wide", "b": "tall"} {
		raw := filepath.Join(dir, id, "IMG_1.dng")
		if err := os.Mkdir(filepath.Dir(raw), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(raw, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		if r := callTool(t, first, "ingest", map[string]any{"raw_path": raw, "image_id": id}); !r.Success {
			t.Fatalf("ingest: %+v", r.Error)
		}
		r := callTool(t, first, "apply_primitive", map[string]any{"image_id": id, "primitive_name": "exposure", "value": 1})
		if !r.Success {
			t.Fatalf("%+v", r.Error)
		}
		states[r.Data["state_after"].(map[string]any)["head_hash"]] = true
	}
	if len(states) != 1 {
		t.Fatalf("two images have %d states; this test needs them to have one", len(states))
	}
	for tool, arguments := range map[string]map[string]any{
		"render_preview":  {"size": 96},
		"compare":         {"hash_a": "baseline", "hash_b": "HEAD", "size": 96},
		"render_variants": {"primitive_name": "exposure", "values": []float64{0, 1}, "size": 96},
	} {
		var shown [2][2][]byte
		for i, id := range []string{"a", "b"} {
			arguments["image_id"] = id
			inline, file := pictureOf(t, first, tool, arguments)
			again, same := pictureOf(t, second, tool, arguments)
			if !bytes.Equal(inline, again) || !bytes.Equal(file, same) {
				t.Errorf("%s of %s: two servers show different pictures", tool, id)
			}
			shown[i] = [2][]byte{inline, file}
		}
		if len(shown[0][0]) == 0 || bytes.Equal(shown[0][0], shown[1][0]) || bytes.Equal(shown[0][1], shown[1][1]) {
			t.Errorf("%s shows the same for two raws", tool)
		}
		delete(arguments, "image_id")
	}
}
