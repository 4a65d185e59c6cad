// Package maskprogram is what is said between the engine and an outside program that finds
// masks.
package maskprogram

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"io"
	"slices"

	"github.com/chemigram/chemigram/internal/segment"
)

// Question is what a program gets: the request as JSON, and the picture.
func Question(picture image.Image, request any) ([]byte, error) {
	var pixels bytes.Buffer
	if err := png.Encode(&pixels, picture); err != nil {
		return nil, err
	}
	size := picture.Bounds().Size()
	head, err := json.Marshal(struct {
		Request any `json:"request"`
		Width   int `json:"width"`
		Height  int `json:"height"`
		Bytes   int `json:"bytes"`
	}{request, size.X, size.Y, pixels.Len()})
	if err != nil {
		return nil, err
	}
	return slices.Concat(head, []byte("\n"), pixels.Bytes()), nil
}

// Answer reads what a program answered about a picture of this size: a mask, and how sure
// it is. The error is segment.ErrNothing when it found nothing.
func Answer(answer []byte, want image.Point) (m *image.Gray, confidence float64, err error) {
	lines := bufio.NewReader(bytes.NewReader(answer))
	line, err := lines.ReadBytes('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, 0, err
	}
	var head struct {
		Confidence   float64 `json:"confidence"`
		Bytes        int     `json:"bytes"`
		NothingFound bool    `json:"nothing_found"`
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return nil, 0, fmt.Errorf("its answer does not begin with a line of JSON: %w", err)
	}
	if head.NothingFound {
		return nil, 0, segment.ErrNothing
	}
	rest := answer[len(line):]
	if head.Bytes != len(rest) {
		return nil, 0, fmt.Errorf("it says that its mask has %d bytes, and gives %d", head.Bytes, len(rest))
	}
	config, err := png.DecodeConfig(bytes.NewReader(rest))
	if err != nil {
		return nil, 0, fmt.Errorf("its mask is no PNG: %w", err)
	}
	if config.Width != want.X || config.Height != want.Y {
		return nil, 0, fmt.Errorf("its mask has %d by %d pixels; the picture has %d by %d", config.Width, config.Height, want.X, want.Y)
	}
	decoded, err := png.Decode(bytes.NewReader(rest))
	if err != nil {
		return nil, 0, fmt.Errorf("its mask is no whole PNG: %w", err)
	}
	gray := image.NewGray(image.Rect(0, 0, want.X, want.Y))
	for y := range want.Y {
		for x := range want.X {
			gray.SetGray(x, y, color.GrayModel.Convert(decoded.At(decoded.Bounds().Min.X+x, decoded.Bounds().Min.Y+y)).(color.Gray))
		}
	}
	return gray, head.Confidence, nil
}
