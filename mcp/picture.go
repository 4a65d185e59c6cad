package mcp

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram/mcp/internal/fitjpeg"
)

// DefaultPictureBytes is the default of [Options.PictureBytes]. Base64 adds a third on
// the way, and some clients take no answer above 1 MB.
const DefaultPictureBytes = 150_000

// minPictureBytes is the smallest budget in which a picture still shows something.
const minPictureBytes = 5_000

// maxPictureFileBytes is the size of the largest file that a picture is made of.
const maxPictureFileBytes = 256 << 20

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

// pictureContent returns the content blocks of a picture: the picture in at most the bytes
// that the options allow, and a link to the whole file when it was made smaller for that;
// for views in more bytes, and without a link. It has none when the file cannot be read.
func (a *adapter) pictureContent(ctx context.Context, path string, forViews bool) []sdk.Content {
	most := a.opts.PictureBytes
	if forViews {
		most = viewPictureBytes
	}
	data, err := readFile(path, maxPictureFileBytes)
	if err == nil {
		var p fitjpeg.Picture
		if p, err = fitjpeg.Fit(data, most); err == nil {
			return a.pictureBlocks(path, int64(len(data)), p, forViews)
		}
	}
	a.log.WarnContext(ctx, "a picture cannot be shown", "path", path, "error", err.Error())
	return nil
}

func (a *adapter) pictureBlocks(path string, size int64, p fitjpeg.Picture, forViews bool) []sdk.Content {
	content := []sdk.Content{&sdk.ImageContent{Data: p.JPEG, MIMEType: "image/jpeg"}}
	if p.Quality == 0 || forViews {
		return content
	}
	return append(content, &sdk.ResourceLink{
		URI: a.links.add(path), Name: "whole file", MIMEType: "image/jpeg", Size: &size,
		Description: fmt.Sprintf("Shown: %d × %d.", p.Width, p.Height),
	})
}
