package iop

import "slices"

// Compound is a value that is kept in several fields of a module, which mean
// something only together: the nodes of a curve and their number.
type Compound struct {
	// Fields by name, without indexes and members. The first names the value.
	Fields []string
	// Keyed says that the fields are values of their own between two settings in
	// which the first field is the same: a kind, by which the others are read.
	Keyed bool
}

// Compounds lists the values of a module that are kept in several fields; a field
// is in at most one.
func Compounds(operation string) []Compound { return compounds[operation] }

// CompoundOf gives the compound that a field of a module is a part of.
func CompoundOf(operation, field string) (Compound, bool) {
	i := slices.IndexFunc(compounds[operation], func(c Compound) bool { return slices.Contains(c.Fields, field) })
	if i < 0 {
		return Compound{}, false
	}
	return compounds[operation][i], true
}

func together(fields ...string) Compound { return Compound{Fields: fields} }
func keyed(fields ...string) Compound    { return Compound{Fields: fields, Keyed: true} }

// compounds are read off darktable's sources: nodes and how many of them count, the
// two coordinates of nodes and places, the sides of a frame, a file and what kind it
// is of, and kinds that say in which numbers the other fields are.
var compounds = map[string][]Compound{
	"agx": {keyed("base_primaries", "disable_primaries_adjustments", "completely_reverse_primaries",
		"red_inset", "red_rotation", "green_inset", "green_rotation", "blue_inset", "blue_rotation",
		"master_outset_ratio", "master_unrotation_ratio",
		"red_outset", "red_unrotation", "green_outset", "green_unrotation", "blue_outset", "blue_unrotation")},
	"ashift": {
		together("cropmode", "cl", "cr", "ct", "cb"),
		together("last_drawn_lines", "last_drawn_lines_count"),
		keyed("mode", "f_length", "crop_factor", "orthocorr", "aspect"),
	},
	"atrous":    {together("y", "x", "octaves")},
	"basecurve": {together("basecurve", "basecurve_nodes", "basecurve_type")},
	"borders": {
		together("aspect", "aspect_text", "aspect_orient"),
		together("pos_h", "pos_h_text"), together("pos_v", "pos_v_text"),
	},
	"channelmixer": {keyed("algorithm_version", "red", "green", "blue")},
	"channelmixerrgb": {
		together("illuminant", "illum_fluo", "illum_led", "x", "y", "temperature"),
		keyed("adaptation", "red", "green", "blue"),
	},
	"clipping": {
		together("cx", "cy", "cw", "ch", "ratio_n", "ratio_d", "crop_auto"),
		together("k_type", "k_h", "k_v", "kxa", "kya", "kxb", "kyb", "kxc", "kyc", "kxd", "kyd", "k_sym", "k_apply"),
	},
	"colorbalance":    {keyed("mode", "lift", "gamma", "gain")},
	"colorchecker":    {together("target_L", "target_a", "target_b", "source_L", "source_a", "source_b", "num_patches")},
	"colorcorrection": {together("hia", "hib"), together("loa", "lob")},
	"colorharmonizer": {together("custom_hue", "num_custom_nodes")},
	"colorin":         {together("type", "filename"), together("type_work", "filename_work")},
	"colormapping": {together("flag", "n", "source_ihist", "source_mean", "source_var", "source_weight",
		"target_hist", "target_mean", "target_var", "target_weight")},
	"colorout":      {together("type", "filename")},
	"colortransfer": {together("flag", "hist", "mean", "var", "n")},
	"colorzones":    {together("curve", "curve_num_nodes", "curve_type", "channel", "splines_version")},
	"crop":          {together("cx", "cy", "cw", "ch", "ratio_n", "ratio_d")},
	"denoiseprofile": {
		together("y", "x", "wavelet_color_mode"),
		together("a", "b"),
	},
	"equalizer": {together("equalizer_y", "equalizer_x")},
	"lens": {
		together("lens", "camera", "crop", "focal", "aperture", "distance", "has_been_set"),
		keyed("tca_override", "tca_r", "tca_b"),
		keyed("md_version", "cor_dist_ft", "cor_vig_ft", "cor_ca_r_ft", "cor_ca_b_ft", "scale_md_v1", "scale_md"),
	},
	"levels":       {keyed("mode", "levels", "black", "gray", "white")},
	"lowlight":     {together("transition_y", "transition_x")},
	"lut3d":        {together("filepath", "lutname", "nb_keypoints", "c_clut")},
	"monochrome":   {together("a", "b")},
	"overlay":      {together("filename", "imgid")},
	"rasterfile":   {together("file", "path", "mode")},
	"rawdenoise":   {together("y", "x")},
	"rgbcurve":     {together("curve_nodes", "curve_num_nodes", "curve_type", "curve_autoscale")},
	"rgblevels":    {keyed("autoscale", "levels")},
	"rotatepixels": {together("rx", "ry", "angle")},
	"sigmoid": {keyed("base_primaries", "red_inset", "red_rotation", "green_inset", "green_rotation",
		"blue_inset", "blue_rotation", "purity")},
	"temperature": {together("red", "green", "blue", "various", "preset")},
	"tonecurve":   {together("tonecurve", "tonecurve_nodes", "tonecurve_type", "tonecurve_autoscale_ab", "tonecurve_preset")},
	"vignette":    {keyed("autoratio", "whratio"), together("center")},
	"watermark":   {together("filename", "text")},
	"zonesystem":  {together("zone", "size")},
}
