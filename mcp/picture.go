package mcp

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// maxInlineBytes is the size up to which a picture is part of the answer; a larger one
// is linked. Clients limit an answer, some to 1 MB, and base64 adds a third.
const maxInlineBytes = 200_000

// pictureField returns the index of the field that is the path of a result's picture,
// or nil.
func pictureField(result reflect.Type) []int {
	for _, field := range reflect.VisibleFields(result) {
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if name == "jpeg_path" && field.Type.Kind() == reflect.String {
			return field.Index
		}
	}
	return nil
}

// pictureContent returns the content blocks of a picture: the picture itself when it
// is small, a link to a resource when it is not, none when it cannot be read.
func (a *adapter) pictureContent(path string) []sdk.Content {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	if info.Size() <= maxInlineBytes {
		data, err := os.ReadFile(path)
		if err != nil {
			return nil
		}
		return []sdk.Content{&sdk.ImageContent{Data: data, MIMEType: "image/jpeg"}}
	}
	size := info.Size()
	return []sdk.Content{&sdk.ResourceLink{
		URI: a.links.add(path), Name: filepath.Base(path), MIMEType: "image/jpeg", Size: &size,
		Description: "The picture, too large to be sent along: read this resource to see it.",
	}}
}
