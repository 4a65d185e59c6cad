package render_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/chemigram/chemigram/render"
)

func TestAProgramIsAskedWithinItsLimits(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("asks a Unix shell")
	}
	shell := func(script string) render.Program {
		return render.Program{Path: "/bin/sh", Args: []string{"-c", script}, Most: 1000}
	}
	if answer, err := shell("tr a-z A-Z").Ask(t.Context(), []byte("hello")); err != nil || string(answer) != "HELLO" {
		t.Errorf("%q, %v", answer, err)
	}
	if answer, err := shell("echo unread").Ask(t.Context(), make([]byte, 1<<20)); err != nil || string(answer) != "unread\n" {
		t.Errorf("a program that does not read: %q, %v", answer, err)
	}
	for script, want := range map[string]string{
		"yes":                            "more than 1000 bytes",
		"sleep 60":                       "its time was over",
		"trap '' TERM; sleep 60":         "its time was over",
		"echo 'no model' >&2; exit 3":    "no model",
		"kill -9 $$":                     "killed",
		"sleep 60 & sleep 60 & sleep 60": "its time was over",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		if script == "yes" || strings.Contains(script, "exit") || strings.Contains(script, "kill") {
			cancel()
			ctx, cancel = context.WithTimeout(t.Context(), time.Minute)
		}
		_, err := shell(script).Ask(ctx, nil)
		cancel()
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", script, err, want)
		}
	}
	if _, err := (render.Program{Path: "/no/such/program", Most: 10}).Ask(t.Context(), nil); err == nil {
		t.Error("a program that is not there answered")
	}
}
