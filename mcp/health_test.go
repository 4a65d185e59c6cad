package mcp

import (
	"strings"
	"testing"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/testutil"
	"github.com/chemigram/chemigram/internal/testutil/dng"
	"github.com/chemigram/chemigram/internal/testutil/rawtest"
)

// Of a darktable that is too old, health_check and every verb that wants it tell the path
// and the version.
func TestADarktableThatIsTooOldIsNamed(t *testing.T) {
	t.Parallel()
	for _, version := range []string{"3.0.2", "3.8.1", "4.0.0"} {
		fake := testutil.FakeDarktable(t, testutil.FakeOptions{Version: version})
		engine := openEngine(t, chemigram.Options{Darktable: fake.CLI})
		session := connect(t, NewServer(engine, nil))

		health := callTool(t, session, "health_check", nil).Data
		found, _ := health["darktable"].(map[string]any)
		if found["found"] != true || found["supported"] != false || found["path"] != fake.CLI || found["version"] != version {
			t.Errorf("%s: health_check says %v", version, found)
		}
		if health["status"] != "degraded" {
			t.Errorf("%s: the status is %v", version, health["status"])
		}
		raw := rawtest.Chart(t, "a.dng", dng.Options{})
		refused := callTool(t, session, "ingest", map[string]any{"raw_path": raw})
		if refused.code() != chemigram.ErrDarktable || refused.Error.Recoverable {
			t.Fatalf("%s: ingest: %+v", version, refused.Error)
		}
		for _, want := range []string{fake.CLI, version, "at least 4.2.0"} {
			if !strings.Contains(refused.Error.Message, want) {
				t.Errorf("%s: the message does not say %s: %s", version, want, refused.Error.Message)
			}
		}
		if refused.Error.Details["path"] != fake.CLI || refused.Error.Details["version"] != version {
			t.Errorf("%s: details are %v", version, refused.Error.Details)
		}
	}
}
