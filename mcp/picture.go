package mcp

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// inlineBytes is the size up to which a picture is part of the answer. Clients
// cap an answer (some at 1 MB, and base64 adds a third); a larger picture is
// linked.
const inlineBytes = 200_000

// pictureField finds the field of a result that names a picture to look at.
func pictureField(result reflect.Type) []int {
	for _, field := range reflect.VisibleFields(result) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "jpeg_path" && field.Type.Kind() == reflect.String {
			return field.Index
		}
	}
	return nil
}

// show gives the content for a picture: the picture itself when it is small, a
// link to a resource when it is not, nothing when it cannot be read.
func (a *adapter) show(path string) []sdk.Content {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	if info.Size() <= inlineBytes {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		return []sdk.Content{&sdk.ImageContent{Data: data, MIMEType: "image/jpeg"}}
	}
	size := info.Size()
	return []sdk.Content{&sdk.ResourceLink{
		URI: a.pictures.link(path), Name: filepath.Base(path), MIMEType: "image/jpeg", Size: &size,
		Description: "The picture, too large to be sent along: read this resource to see it.",
	}}
}
