package main

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

func TestTheProgramServesThePage(t *testing.T) {
	testutil.UseDarktable(t)
	ctx, cancel := context.WithCancel(t.Context())
	out, in := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, in, "127.0.0.1:0", "", nil) }()
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, token, _ := strings.Cut(strings.TrimSpace(line), "#token=")
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK || token == "" {
		t.Errorf("%s: %s", line, resp.Status)
	}
	cancel()
	if err := <-ended; err != nil && ctx.Err() == nil {
		t.Error(err)
	}
}
