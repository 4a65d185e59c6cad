package mask

// fields goes through the fields in the order of the version's layout, with
// darktable's names for them. field points to a uint32, an int32, a float32 or
// 20 bytes; index is what belongs into the name's brackets.
func (b *Blend) fields(visit func(name string, index int, field any)) {
	one := func(name string, field any) { visit(name, 0, field) }
	wide := b.Version >= 10
	one("mask_mode", (*uint32)(&b.MaskMode))
	if wide {
		one("blend_cst", (*int32)(&b.ColorSpace))
	}
	one("blend_mode", &b.Mode)
	if wide {
		one("blend_parameter", &b.Parameter)
	}
	one("opacity", &b.Opacity)
	one("mask_combine", (*uint32)(&b.Combine))
	one("mask_id", &b.MaskID)
	one("blendif", &b.Channels)
	one("feathering_radius", &b.FeatherRadius)
	one("feathering_guide", &b.FeatherGuide)
	one("blur_radius", &b.BlurRadius)
	one("contrast", &b.Contrast)
	one("brightness", &b.Brightness)
	reserved := b.Reserved[:]
	if b.Version >= 11 {
		one("details", &b.Details)
		reserved = reserved[:3]
	}
	if b.Version >= 13 {
		one("feather_version", &b.FeatherVersion)
		reserved = reserved[:2]
	}
	for i := range reserved {
		visit("reserved[]", i, &reserved[i])
	}
	for c := range b.Ranges {
		r := &b.Ranges[c]
		visit("blendif_parameters[].low", c, &r.Low)
		visit("blendif_parameters[].low_full", c, &r.LowFull)
		visit("blendif_parameters[].high_full", c, &r.HighFull)
		visit("blendif_parameters[].high", c, &r.High)
	}
	if wide {
		for c := range b.Boost {
			visit("blendif_boost_factors[]", c, &b.Boost[c])
		}
	}
	if b.Version >= 9 {
		one("raster_mask_source", &b.RasterSource)
		one("raster_mask_instance", &b.RasterInstance)
		one("raster_mask_id", &b.RasterID)
		one("raster_mask_invert", &b.RasterInvert)
	}
}
