package chemigram

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// What darktable prints about a file that it refuses, as both releases do, decides
// what is said of it: why, what to do, and that calling again does not help.
func TestAFileThatDarktableRefusesIsRefusedWithTheReason(t *testing.T) {
	for name, tt := range map[string]struct {
		version, stderr, reason string
		says                    []string
		knownTo                 string
	}{
		"an unknown camera": {
			"5.4.1", "RawSpeed:Unable to find camera in database: 'NIKON CORPORATION' 'NIKON Z 99' '16bit-uncompressed'\n[rawspeed] Unsupported camera model for a.nef",
			"unknown_camera",
			[]string{"NIKON CORPORATION NIKON Z 99", "5.4.1", "newer", "DNG"},
			"",
		},
		"a camera that the next release knows": {
			"4.2.1", "[rawspeed] (a.nef) bool rawspeed::RawDecoder::checkCameraSupported(), line 170: Camera 'NIKON CORPORATION' 'NIKON Z 8', mode '14bit-compressed' not supported, and not allowed to guess. Sorry.",
			"unknown_camera",
			[]string{"NIKON Z 8", "4.2.1", "darktable 5.4.1 does"},
			"5.4.1",
		},
		"a text": {
			"5.4.1", "[exiv2 dt_exif_read] a.nef: The file contains data of an unknown image type\n[rawspeed] a.nef corrupt: getDecoder(), line 97: No decoder found. Sorry.",
			"not_a_picture",
			[]string{"is no picture", "JPEG"},
			"",
		},
		"another extension": {"4.2.1", "error: can't open file a.txt\nno images to export, aborting", "not_a_picture", []string{"extension"}, ""},
		"cut off":           {"4.2.1", "[rawspeed] (a.nef) getData(), line 182: Buffer overflow: image file may be truncated", "damaged", []string{"copy it again"}, ""},
		"of another kind":   {"5.4.1", "[rawspeed] a.nef: Compression 34892 is not supported", "unsupported_file", []string{"DNG"}, ""},
		"who knows":         {"5.4.1", "it is broken", "failed", []string{"cannot develop"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: tt.version, Behaviour: testutil.Fails, Stderr: tt.stderr})
			e, err := Open(t.Context(), &Options{Workspace: t.TempDir(), Darktable: fake.CLI, Tastes: t.TempDir()})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = e.Close() }()
			raw := filepath.Join(t.TempDir(), "a.nef")
			if err := os.WriteFile(raw, []byte{0, 1, 2}, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err = e.Ingest(t.Context(), IngestParams{RawPath: raw})
			refused, ok := errors.AsType[*Error](err)
			if !ok || refused.Code != ErrDarktable || refused.Details["reason"] != tt.reason || refused.Recoverable != (tt.reason == "failed") {
				t.Fatalf("%+v", err)
			}
			for _, text := range tt.says {
				if !strings.Contains(refused.Message, text) {
					t.Errorf("%q does not say %q", refused.Message, text)
				}
			}
			if known, _ := refused.Details["known_to"].(string); known != tt.knownTo {
				t.Errorf("known to %q, want %q", known, tt.knownTo)
			}
		})
	}
}
