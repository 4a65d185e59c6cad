package main

import (
	"bytes"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"filippo.io/age"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// somebody makes an identity, and a file with it.
func somebody(t *testing.T) (recipient, secret, path string) {
	t.Helper()
	i, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "identity")
	if err := os.WriteFile(path, []byte(i.String()+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	return i.Recipient().String(), i.String(), path
}

// A person adds another to an encrypted folder that a client of the server has begun, and
// removes them.
func TestAPersonAddsAnother(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	location := (&url.URL{Scheme: "age+file", Path: filepath.ToSlash(t.TempDir())}).String()
	ann, _, annsFile := somebody(t)
	ben, bensSecret, bensFile := somebody(t)
	run := func(file string, args ...string) *exec.Cmd {
		cmd := exec.Command(self, args...)
		cmd.Env = []string{"CHEMIGRAM_TEST_MAIN=1", "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir(), "CHEMIGRAM_AGE_IDENTITY_FILE=" + file}
		return cmd
	}
	add := func(file string) bool {
		cmd := run(file, "-workspace", filepath.Join(t.TempDir(), "workspace"), "-darktable", filepath.Join(t.TempDir(), "none"), "-groups", "share")
		session, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
		if err != nil {
			t.Fatal(err)
		}
		defer func() { _ = session.Close() }()
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "add_remote", Arguments: map[string]any{"remote": "nas", "location": location}})
		if err != nil {
			t.Fatal(err)
		}
		return !result.IsError
	}
	recipients := func(file string, args ...string) (string, bool) {
		var out bytes.Buffer
		cmd := run(file, append(append([]string{"recipients"}, args...), location)...)
		cmd.Stdout, cmd.Stderr = &out, &out
		err := cmd.Run()
		return out.String(), err == nil
	}
	if out, ok := recipients(annsFile); ok {
		t.Errorf("of nothing: %s", out)
	}
	if !add(annsFile) || add(bensFile) {
		t.Error("ann has begun a remote, which ben cannot open")
	}
	if out, ok := recipients(annsFile, "-add", bensSecret); ok || strings.Contains(out, bensSecret) {
		t.Errorf("a secret key: %s", out)
	}
	if out, ok := recipients(annsFile, "-add", ben); !ok || !strings.Contains(out, ann) || !strings.Contains(out, ben) || !strings.HasPrefix(out, "fingerprint ") {
		t.Error(out)
	}
	if !add(bensFile) {
		t.Error("ben cannot open it")
	}
	if out, ok := recipients(bensFile, "-remove", ann); !ok || strings.Contains(out, ann) {
		t.Error(out)
	}
	if add(annsFile) {
		t.Error("ann opens it still")
	}
	for _, args := range [][]string{{"-remove", ben}, {"-nonsense"}, {location}} {
		if out, ok := recipients(bensFile, args...); ok {
			t.Errorf("%q: %s", args, out)
		}
	}
}
