package iop

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/chemigram/chemigram/internal/testutil"
)

// historyEntry is one entry of a real sidecar.
type historyEntry struct {
	file       string
	operation  string
	modversion int
	params     []byte
}

// corpus reads the history entries and pipeline orders of the real sidecars,
// by means of its own: package xmp stands above this one.
func corpus(t *testing.T) (entries []historyEntry, orders []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(testutil.SharedData(t, "xmp"), "*.xmp"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		e, o := readSidecar(t, filepath.Base(file), data)
		entries, orders = append(entries, e...), append(orders, o...)
	}
	if len(entries) == 0 {
		t.Fatal("no history entries")
	}
	return entries, orders
}

// readSidecar returns a sidecar's history and its pipeline order.
func readSidecar(t *testing.T, name string, data []byte) (entries []historyEntry, orders []string) {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(data))
	for {
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return entries, orders
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		start, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		attr := map[string]string{}
		for _, a := range start.Attr {
			attr[a.Name.Local] = a.Value
		}
		if list := attr["iop_order_list"]; list != "" {
			orders = append(orders, list)
		}
		if attr["operation"] == "" || attr["params"] == "" {
			continue
		}
		modversion, err := strconv.Atoi(attr["modversion"])
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		entries = append(entries, historyEntry{name, attr["operation"], modversion, testutil.UnpackBlob(t, attr["params"])})
	}
}

// everyLayout runs f on every layout there is.
func everyLayout(t *testing.T, f func(t *testing.T, l *layout)) {
	t.Helper()
	for _, m := range modules() {
		for _, l := range m.layouts() {
			f(t, l)
		}
	}
}
