package mask

import (
	"encoding/binary"
	"fmt"
)

// ConvertBlend gives blend parameters of a newer version as a darktable reads them
// that knows no version after newest. An older darktable takes neutral parameters
// in place of what it does not know, and applies the edit everywhere. Parameters
// that it knows stay as they are: it converts them itself.
//
// It fails with an *[Error] of kind BadValue when they say what newest cannot say,
// and UnknownVersion or SizeMismatch when their layout is not known. Parameters that
// neither mask nor blend have the same meaning in every version.
func ConvertBlend(version int, blob []byte, newest int) (converted int, data []byte, err error) {
	if version <= newest {
		return version, blob, nil
	}
	if len(blob) >= 4 && binary.LittleEndian.Uint32(blob) == 0 {
		data, err = DefaultBlend(newest)
		return newest, data, err
	}
	b, err := DecodeBlend(version, blob)
	if err != nil {
		return 0, nil, err
	}
	if b, err = b.before(newest); err != nil {
		return 0, nil, err
	}
	data, err = b.Encode()
	return newest, data, err
}

// before gives blend parameters in the layout of an older version, 11 or newer.
// What the versions say differently was read from what darktable 5.4.1 makes of
// older ones: 14 refines raster masks, too, 13 has another guided filter and says
// -1 for no raster mask; 12 has no such difference.
func (b Blend) before(version int) (Blend, error) {
	cannot := func(field, format string, args ...any) (Blend, error) {
		message := fmt.Sprintf(format, args...)
		return b, &Error{Kind: BadValue, Version: b.Version, Field: field, Message: fmt.Sprintf("version %d has no %s", version, message)}
	}
	raster := b.MaskMode&Raster != 0
	switch {
	case version < 11:
		return b, &Error{Kind: UnknownVersion, Version: version, Message: "nothing newer is converted to it; 11 is the oldest that is written"}
	case version < 14 && b.Version >= 14 && raster && b.refines():
		return cannot("raster_mask_source", "feathering, blur, contrast, brightness and details on a raster mask: take them off")
	case version < 13 && b.FeatherRadius != 0 && b.FeatherVersion != 0:
		return cannot("feather_version", "guided filter of this kind: set the feathering radius to 0")
	case version < 13 && raster && b.RasterID < 0:
		return cannot("raster_mask_id", "raster mask without a source: choose one, or switch the mask off")
	}
	if version < 13 {
		b.FeatherVersion = 0
		if !raster {
			b.RasterID = 0
		}
	}
	b.Version = version
	return b, nil
}

// refines reports whether the mask is changed before it is used.
func (b Blend) refines() bool {
	return b.FeatherRadius != 0 || b.BlurRadius != 0 || b.Contrast != 0 || b.Brightness != 0 || b.Details != 0
}
