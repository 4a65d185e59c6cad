package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// With CHEMIGRAM_TEST_MAIN=1 the test binary is the server.
func TestMain(m *testing.M) {
	if os.Getenv("CHEMIGRAM_TEST_MAIN") == "1" {
		main()
	}
	os.Exit(m.Run())
}

func TestRemotesMayBeURLs(t *testing.T) {
	t.Parallel()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(self, "-workspace", filepath.Join(t.TempDir(), "workspace"), "-darktable", filepath.Join(t.TempDir(), "none"), "-groups", "share")
	cmd.Env = []string{"CHEMIGRAM_TEST_MAIN=1", "HOME=" + t.TempDir(), "TMPDIR=" + os.TempDir()}
	session, err := sdk.NewClient(&sdk.Implementation{Name: "tester", Version: "1"}, nil).Connect(t.Context(), &sdk.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Close() }()
	for location, refused := range map[string]bool{
		"mem://": false, "s3://pictures?profile=other": true,
	} {
		result, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "add_remote", Arguments: map[string]any{"remote": "bucket", "location": location}})
		if err != nil || result.IsError != refused {
			t.Errorf("%s: %v, %+v", location, err, result)
		}
	}
}
