package main

import (
	"embed"
	"encoding/base64"
	"fmt"
	"html/template"
	"io"
	"os"
	"strings"
)

// gallery is what the page shows.
type gallery struct {
	Darktable string
	Raw       string
	Before    template.URL
	Entries   []card
	Masks     []card
}

// card is one move, or one named mask, on the page.
type card struct {
	Name, Layer, Subject, Description, Pack string
	Tags                                    []string
	After                                   template.URL // the move at its default, or the mask's area
	Numbers                                 []number
	Facts                                   []fact
	Claims                                  []string
	Sweeps                                  []sweep
	Unavailable                             string
}

// sweep is one parameter from its minimum to its maximum.
type sweep struct {
	Parameter, Unit string
	Steps           []step
}

type step struct {
	Value   string
	Picture template.URL
}

// number is one measure before and after.
type number struct{ Name, Before, After string }

// fact is one number of a mask.
type fact struct{ Name, Value string }

// Words are what the search looks through.
func (c card) Words() string {
	return strings.ToLower(strings.Join(append([]string{strings.ReplaceAll(c.Name, "_", " "), c.Layer, c.Subject, c.Pack, c.Description}, c.Tags...), " "))
}

// Layers are the filters of the page.
func (gallery) Layers() []string { return []string{"L1", "L2", "L3", "mask"} }

//go:embed page.html
var pageFile embed.FS

var page = template.Must(template.ParseFS(pageFile, "page.html"))

func (g gallery) write(w io.Writer) error { return page.Execute(w, g) }

// picture is a JPEG file as a data URL, so that the page needs no other file.
func picture(path string) (template.URL, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	if len(data) < 2 || data[0] != 0xff || data[1] != 0xd8 {
		return "", fmt.Errorf("%s is not a JPEG", path)
	}
	return dataURL(data), nil
}

func dataURL(jpeg []byte) template.URL {
	return template.URL("data:image/jpeg;base64," + base64.StdEncoding.EncodeToString(jpeg)) //nolint:gosec // base64 has no meaning in HTML
}
