package mcp

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/baseline"
)

// outputs are calls that write an image's file into a folder.
func outputs(dir string) map[string]map[string]any {
	return map[string]map[string]any{
		"export_final":  {"image_id": "a", "size": 64, "output_dir": dir},
		"export_batch":  {"items": []any{map[string]any{"image_id": "a"}}, "size": 64, "output_dir": dir},
		"export_bundle": {"image_id": "a", "output_dir": dir},
	}
}

// written reports whether an output was written.
func written(r response) bool {
	if exported, batch := r.Data["exported"].(float64); batch {
		return r.Success && exported > 0
	}
	return r.Success
}

// What roots are for: without them a client names any folder, and with them none
// outside.
func TestRootsBoundWhatAClientMayWrite(t *testing.T) {
	t.Parallel()
	for name, rooted := range map[string]bool{"without roots": false, "with roots": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			outside := t.TempDir()
			opts := chemigram.Options{}
			if rooted {
				opts.ExportRoots = []string{t.TempDir()}
			}
			s := newTestServer(t, testutil.FakeOptions{XMP: baseline.Packet("5.4.1")}, opts, &Options{Groups: Groups()})
			for tool, arguments := range outputs(outside) {
				r := s.call(t, tool, arguments)
				if written(r) == rooted {
					t.Errorf("%s: %+v %+v", tool, r.Data, r.Error)
				}
			}
			if r := s.call(t, "export_sidecar", map[string]any{"image_id": "a", "beside_raw": true}); r.Success == rooted {
				t.Errorf("a sidecar beside the raw: %+v", r)
			}
			left, err := os.ReadDir(outside)
			if err != nil || len(left) > 0 == rooted {
				t.Errorf("outside there are %v, %v", left, err)
			}
			// The workspace's own exports are always there.
			for tool, arguments := range outputs("") {
				delete(arguments, "output_dir")
				if r := s.call(t, tool, arguments); !written(r) {
					t.Errorf("%s into the workspace's exports: %+v %+v", tool, r.Data, r.Error)
				}
			}
		})
	}
}

// A client that may name any file learns nothing of what is in one that is no picture,
// sidecar, mask or bundle.
func TestErrorsTellNothingOfAFilesContent(t *testing.T) {
	t.Parallel()
	const secret = "correcthorse"
	dir := t.TempDir()
	s := newTestServer(t, testutil.FakeOptions{
		XMP:    baseline.Packet("5.4.1"),
		Script: []testutil.Behaviour{testutil.Works, testutil.Fails},
	}, chemigram.Options{}, &Options{Groups: Groups()})
	var packed bytes.Buffer
	archive := zip.NewWriter(&packed)
	for _, name := range []string{secret, "image.json"} {
		w, err := archive.Create(name)
		if err == nil {
			_, err = w.Write([]byte(`{"image_id": "` + secret + `"}`))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"archive": packed.String(),
		"words":   "some text <and " + secret + ">",
		"yaml":    "password: " + secret + "\nkey: <" + secret + " " + secret + ">\n",
		"text":    secret + ":" + secret + "\n",
		"json":    `{"` + secret + `": "` + secret + `"}`,
		"list":    `["` + secret + `"]`,
		"polygon": `{"polygons": [["` + secret + `"]]}`,
		"xml":     "<" + secret + " " + secret + "='" + secret + "'>" + secret + "</x>",
		"xmp":     `<x:xmpmeta xmlns:x="adobe:ns:meta/"><` + secret + `/></x:xmpmeta>`,
		"zip":     "PK\x03\x04" + strings.Repeat(secret, 10),
		"png":     "\x89PNG\r\n\x1a\n" + secret,
	} {
		file := filepath.Join(dir, name)
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		for tool, arguments := range map[string]map[string]any{
			"ingest":          {"raw_path": file, "image_id": "b"},
			"import_sidecar":  {"image_id": "a", "path": file},
			"import_bundle":   {"bundle_path": file},
			"apply_primitive": {"image_id": "a", "primitive_name": "exposure", "mask": map[string]any{"file": file}},
			"preview_mask":    {"image_id": "a", "mask": map[string]any{"file": file}},
		} {
			r := s.call(t, tool, arguments)
			said, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			if r.Success || strings.Contains(string(said), secret) {
				t.Errorf("%s of a %s: %s", tool, name, said)
			}
		}
	}
}

// An id or a name that is a path is refused by every tool, and leads nowhere.
func TestIDsAreNoPaths(t *testing.T) {
	t.Parallel()
	s := newTestServer(t, testutil.FakeOptions{XMP: baseline.Packet("5.4.1")}, chemigram.Options{}, &Options{Groups: Groups()})
	outside := filepath.Join(filepath.Dir(s.workspace), "outside")
	if err := os.Mkdir(outside, 0o700); err != nil {
		t.Fatal(err)
	}
	tools, err := s.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, tool := range tools.Tools {
		properties, _ := tool.InputSchema.(map[string]any)["properties"].(map[string]any)
		for name, property := range properties {
			if kind := property.(map[string]any)["type"]; kind != "string" || !strings.HasSuffix(name, "_id") && name != "as" && name != "trash_name" {
				continue
			}
			for _, path := range []string{"../outside", "../../outside", outside, "a/../../outside", `..\outside`, "..", "a\x00b"} {
				tried++
				arguments := exampleArguments(s, "20260101T000000.000Z-aaaaaaaa", tool)
				arguments[name] = path
				if r := s.call(t, tool.Name, arguments); r.Success || r.code() != chemigram.ErrInvalidInput && r.code() != chemigram.ErrNotFound {
					t.Errorf("%s with %s %q: %+v", tool.Name, name, path, r)
				}
			}
		}
	}
	if tried < 200 {
		t.Errorf("%d calls were tried", tried)
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("outside there is %v, %v", left, err)
	}
}
