package mask

// fields goes through the fields in the order of the version's layout, with
// darktable's names for them. field points to a uint32, an int32, a float32, an
// array of such or of ranges, or to 20 bytes of text.
func (b *Blend) fields(visit func(name string, field any)) {
	if b.Version < 8 {
		b.oldFields(visit)
		return
	}
	wide := b.Version >= 10
	visit("mask_mode", (*uint32)(&b.MaskMode))
	if wide {
		visit("blend_cst", (*int32)(&b.ColorSpace))
	}
	visit("blend_mode", &b.Mode)
	if wide {
		visit("blend_parameter", &b.Parameter)
	}
	visit("opacity", &b.Opacity)
	visit("mask_combine", (*uint32)(&b.Combine))
	visit("mask_id", &b.MaskID)
	visit("blendif", &b.Channels)
	visit("feathering_radius", &b.FeatherRadius)
	visit("feathering_guide", &b.FeatherGuide)
	visit("blur_radius", &b.BlurRadius)
	visit("contrast", &b.Contrast)
	visit("brightness", &b.Brightness)
	switch {
	case b.Version >= 13:
		visit("details", &b.Details)
		visit("feather_version", &b.FeatherVersion)
		visit("reserved", b.Reserved[:2])
	case b.Version >= 11:
		visit("details", &b.Details)
		visit("reserved", b.Reserved[:3])
	default:
		visit("reserved", b.Reserved[:])
	}
	visit("blendif_parameters", &b.Ranges)
	if wide {
		visit("blendif_boost_factors", &b.Boost)
	}
	if b.Version >= 9 {
		visit("raster_mask_source", &b.RasterSource)
		visit("raster_mask_instance", &b.RasterInstance)
		visit("raster_mask_id", &b.RasterID)
		visit("raster_mask_invert", &b.RasterInvert)
	}
}

// oldFields are the fields of versions 4 to 7.
func (b *Blend) oldFields(visit func(name string, field any)) {
	if b.Version >= 5 {
		visit("mask_mode", (*uint32)(&b.MaskMode))
	}
	visit("blend_mode", &b.Mode)
	visit("opacity", &b.Opacity)
	if b.Version >= 5 {
		visit("mask_combine", (*uint32)(&b.Combine))
	}
	visit("mask_id", &b.MaskID)
	visit("blendif", &b.Channels)
	visit("blur_radius", &b.BlurRadius)
	if b.Version >= 5 {
		visit("reserved", b.Reserved[:])
	}
	visit("blendif_parameters", &b.Ranges)
}
