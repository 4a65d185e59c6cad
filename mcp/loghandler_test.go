package mcp

import (
	"bytes"
	"encoding/json"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/redact"
)

// logged returns the entry that a log handler writes.
func logged(t *testing.T, opts *LogOptions, write func(*slog.Logger)) map[string]any {
	t.Helper()
	var out bytes.Buffer
	write(slog.New(NewLogHandler(slog.NewJSONHandler(&out, nil), opts)))
	var entry map[string]any
	if err := json.Unmarshal(out.Bytes(), &entry); err != nil {
		t.Fatalf("%v: %s", err, out.String())
	}
	return entry
}

func TestSecretsAreHiddenEverywhere(t *testing.T) {
	t.Parallel()
	const secret = "see https://me:hunter22@example.org/x"
	entry := logged(t, nil, func(l *slog.Logger) {
		l.With("with", secret).Info(secret, "value", secret, "error", errors.New(secret), slog.Group("g", "in", secret))
	})
	text, err := json.Marshal(entry)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), redact.Mark); n != 5 || strings.Contains(string(text), "hunter22") {
		t.Errorf("hidden in %d of 5 places: %s", n, text)
	}
	entry = logged(t, nil, func(l *slog.Logger) { l.Info("x", "api_token", "plain", "tokens", 3) })
	if entry["api_token"] != redact.Mark || entry["tokens"] != 3.0 {
		t.Errorf("got %v", entry)
	}
	entry = logged(t, nil, func(l *slog.Logger) {
		l.Info("x", "X-Api-Key", 12345678, "credentials", slog.GroupValue(slog.String("user", "me")), "password", []string{"a"}, "token", true)
	})
	if entry["X-Api-Key"] != redact.Mark || entry["credentials"] != redact.Mark || entry["password"] != redact.Mark || entry["token"] != true {
		t.Errorf("got %v", entry)
	}
}

func TestEqualKeysAreNumbered(t *testing.T) {
	t.Parallel()
	entry := logged(t, nil, func(l *slog.Logger) {
		l.With("tool", "forged", "level", "forged", "msg", "forged").Info("real", "tool", "real", "tool", "again")
	})
	for key, want := range map[string]string{
		"tool": "real", "tool_2": "again", "tool_3": "forged", "msg": "real", "level": "INFO", "level_2": "forged", "msg_2": "forged",
	} {
		if entry[key] != want {
			t.Errorf("%s is %v, want %s: %v", key, entry[key], want, entry)
		}
	}
}

func TestGroupsStayGroups(t *testing.T) {
	t.Parallel()
	entry := logged(t, nil, func(l *slog.Logger) { l.WithGroup("a").With("x", 1).WithGroup("b").Info("m", "y", 2) })
	a, _ := entry["a"].(map[string]any)
	if b, _ := a["b"].(map[string]any); b["y"] != 2.0 {
		t.Errorf("got %v", entry)
	}
}

func TestTheHomeFolderIsHiddenWhenAskedFor(t *testing.T) {
	t.Setenv("HOME", t.TempDir())
	home, err := os.UserHomeDir()
	if err != nil {
		t.Fatal(err)
	}
	entry := logged(t, &LogOptions{HideHome: true}, func(l *slog.Logger) { l.Info("m", "path", home+"/photos") })
	if entry["path"] != "~/photos" {
		t.Errorf("got %v", entry["path"])
	}
}

func TestALongTextIsShortened(t *testing.T) {
	t.Parallel()
	entry := logged(t, nil, func(l *slog.Logger) { l.Info("m", "error", strings.Repeat("x", 20<<20)) })
	if got := len(entry["error"].(string)); got < 8<<10 || got > 8<<10+10 {
		t.Errorf("%d bytes are logged, want about %d", got, 8<<10)
	}
}
