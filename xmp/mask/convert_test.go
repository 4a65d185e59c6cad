package mask_test

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/chemigram/chemigram/xmp/mask"
)

// blendOf gives the bytes of changed blend parameters.
func blendOf(t *testing.T, version int, change func(*mask.Blend)) []byte {
	t.Helper()
	b, err := mask.NewBlend(version, mask.ColorSpaceRGBScene)
	if err != nil {
		t.Fatal(err)
	}
	change(&b)
	data, err := b.Encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestBlendParametersOfANewerDarktableAreWrittenForAnOlderOne(t *testing.T) {
	t.Parallel()
	drawn := func(b *mask.Blend) {
		b.MaskMode, b.MaskID, b.Opacity, b.BlurRadius = mask.Uniform|mask.Drawn, 77, 40, 3
	}
	raster := func(b *mask.Blend) {
		b.MaskMode = mask.Uniform | mask.Raster
		copy(b.RasterSource[:], "exposure")
		b.RasterID = 0
	}
	for name, change := range map[string]func(*mask.Blend){
		"uniform": func(b *mask.Blend) { b.MaskMode, b.Opacity = mask.Uniform, 30 },
		"drawn":   drawn,
		"range": func(b *mask.Blend) {
			b.MaskMode, b.Channels, b.Ranges[0] = mask.Uniform|mask.Parametric, 1, mask.Range{Low: 0.1, LowFull: 0.2, HighFull: 0.8, High: 0.9}
		},
		"raster": raster,
		"the older guided filter": func(b *mask.Blend) {
			drawn(b)
			b.FeatherRadius, b.FeatherVersion = 20, 0
		},
	} {
		for _, newer := range []int{12, 13, 14} {
			for _, older := range []int{11, 12, 13} {
				if older >= newer {
					continue
				}
				version, got, err := mask.ConvertBlend(newer, blendOf(t, newer, change), older)
				if want := blendOf(t, older, change); err != nil || version != older || !bytes.Equal(got, want) {
					t.Errorf("%s, from %d to %d: version %d, %v\n%x\nwant\n%x", name, newer, older, version, err, got, want)
				}
			}
		}
	}
}

func TestBlendParametersThatAnOlderDarktableCannotSayAreRefused(t *testing.T) {
	t.Parallel()
	for says, change := range map[string]func(*mask.Blend){
		"guided filter": func(b *mask.Blend) { b.MaskMode, b.FeatherRadius = 3, 10 },
		"on a raster mask": func(b *mask.Blend) {
			b.MaskMode, b.BlurRadius, b.RasterID = 9, 10, 0
			copy(b.RasterSource[:], "exposure")
		},
		"without a source": func(b *mask.Blend) { b.MaskMode = 9 },
	} {
		_, _, err := mask.ConvertBlend(14, blendOf(t, 14, change), 11)
		if !errors.Is(err, mask.BadValue) || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "version 14") {
			t.Errorf("%v, want %q", err, says)
		}
	}
	masked := blendOf(t, 14, func(b *mask.Blend) { b.MaskMode = mask.Uniform })
	if _, _, err := mask.ConvertBlend(15, masked, 14); !errors.Is(err, mask.UnknownVersion) {
		t.Errorf("a version that nobody knows: %v", err)
	}
	if _, _, err := mask.ConvertBlend(14, masked[:400], 11); !errors.Is(err, mask.SizeMismatch) {
		t.Errorf("a blob that was cut: %v", err)
	}
	off := blendOf(t, 14, func(*mask.Blend) {})
	if version, got, err := mask.ConvertBlend(15, off, 14); err != nil || version != 14 || !bytes.Equal(got, blendOf(t, 14, func(b *mask.Blend) {
		*b, _ = mask.NewBlend(14, mask.ColorSpaceNone)
	})) {
		t.Errorf("an unknown version without a mask: %d, %v", version, err)
	}
	if version, got, err := mask.ConvertBlend(11, masked, 14); err != nil || version != 11 || !bytes.Equal(got, masked) {
		t.Errorf("an older version is changed: %d, %v", version, err)
	}
}
