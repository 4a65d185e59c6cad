package vocab

import (
	"regexp"
	"slices"
	"strings"
)

// scales reports whether strength scales a change: whether it says how much, and not
// where or how. A parameter with a neutral value says how much; constants and other
// parameters do unless their field is one of [places].
func (e *Entry) scales(module string, ch change) bool {
	return !isPlace(module, ch.field) || ch.expr.Parameter != "" && e.isAmount(ch.expr.Parameter)
}

// isPlace reports whether a module's field says where the module works or how.
func isPlace(module, field string) bool {
	field = indexes.ReplaceAllString(field, "")
	head, _, _ := strings.Cut(field, ".")
	return slices.Contains(places[module], field) || slices.Contains(places[module], head)
}

var indexes = regexp.MustCompile(`\[[0-9]+\]`)

// places are the numeric fields, without indexes, that say where a module works or
// how, and not how much: positions, directions, sizes, hardnesses, proportions, the
// thresholds that choose what is changed, and the numbers of a curve's nodes. They
// have the entry's value at any strength above 0: at half strength a teal shadow is
// half as teal, not another hue, and a filter is half as dense in the same place.
// The smoothing of toneequal is none of them: away from its default it changes the
// picture by itself, also where no zone is moved.
var places = map[string][]string{
	"agx":             {"curve_pivot_x", "curve_pivot_y_linear_output"},
	"ashift":          {"f_length", "crop_factor", "orthocorr", "aspect", "cl", "cr", "ct", "cb", "last_drawn_lines", "last_drawn_lines_count", "last_quad_lines"},
	"atrous":          {"octaves", "x"},
	"basecurve":       {"basecurve.x", "basecurve_nodes", "basecurve_type"},
	"basicadj":        {"hlcomprthresh", "middle_grey", "clip"},
	"bilat":           {"midtone"},
	"bilateral":       {"radius"},
	"bloom":           {"size", "threshold"},
	"blurs":           {"blades", "concavity", "linearity", "rotation", "angle", "curvature", "offset"},
	"borders":         {"aspect", "pos_h", "pos_v", "frame_offset"},
	"cacorrectrgb":    {"radius"},
	"channelmixerrgb": {"x", "y", "temperature"},
	"clipping": {
		"cx", "cy", "cw", "ch", "k_h", "k_v", "kxa", "kya", "kxb", "kyb", "kxc", "kyc", "kxd", "kyd", "k_type", "k_sym", "k_apply", "ratio_n", "ratio_d",
	},
	"colorbalancergb": {
		"shadows_H", "midtones_H", "highlights_H", "global_H", "shadows_weight", "highlights_weight", "white_fulcrum", "mask_grey_fulcrum", "grey_fulcrum",
	},
	"colorchecker":     {"source_L", "source_a", "source_b", "num_patches"},
	"colorequal":       {"threshold", "smoothing_hue", "contrast", "white_level", "chroma_size", "param_size", "hue_shift"},
	"colorize":         {"hue"},
	"colorreconstruct": {"threshold", "spatial", "range", "hue"},
	"colorzones":       {"curve.x", "curve_num_nodes", "curve_type", "splines_version"},
	"crop":             {"cx", "cy", "cw", "ch", "ratio_n", "ratio_d"},
	"defringe":         {"radius"},
	"demosaic":         {"cs_radius", "cs_center"},
	"denoiseprofile":   {"radius", "nbhood", "scattering", "central_pixel_weight", "a", "b", "x"},
	"diffuse": {
		"iterations", "radius", "radius_center", "regularization", "variance_threshold", "threshold",
		"anisotropy_first", "anisotropy_second", "anisotropy_third", "anisotropy_fourth",
	},
	"enlargecanvas": {"percent_left", "percent_right", "percent_top", "percent_bottom"},
	"equalizer":     {"equalizer_x"},
	"exposure":      {"deflicker_percentile", "deflicker_target_level"},
	"filmic":        {"grey_point_source", "grey_point_target"},
	"filmicrgb":     {"grey_point_source", "grey_point_target", "reconstruct_threshold", "reconstruct_feather"},
	"graduatednd":   {"rotation", "offset", "hardness", "hue"},
	"grain":         {"scale", "midtones_bias"},
	"hazeremoval":   {"distance"},
	"highlights":    {"clip", "noise_level", "iterations", "candidating", "combine"},
	"highpass":      {"sharpness"},
	"hotpixels":     {"threshold"},
	"lens":          {"scale", "crop", "focal", "aperture", "distance", "v_radius", "v_steepness"},
	"liquify":       {"nodes"},
	"lowlight":      {"transition_x"},
	"lowpass":       {"radius"},
	"monochrome":    {"a", "b", "size"},
	"nlmeans":       {"radius"},
	"overlay":       {"scale", "xoffset", "yoffset", "alignment", "rotate"},
	"primaries":     {"achromatic_tint_hue"},
	"profile_gamma": {"grey_point"},
	"rawdenoise":    {"x"},
	"relight":       {"center", "width"},
	"rgbcurve":      {"curve_nodes.x", "curve_num_nodes", "curve_type"},
	"rotatepixels":  {"rx", "ry", "angle"},
	"scalepixels":   {"pixel_aspect_ratio"},
	"shadhi":        {"radius", "compress", "low_approximation"},
	"sharpen":       {"radius", "threshold"},
	"soften":        {"size", "saturation", "brightness"},
	"splittoning":   {"shadow_hue", "highlight_hue", "balance", "compress"},
	"temperature":   {"preset"},
	"tonecurve":     {"tonecurve.x", "tonecurve_nodes", "tonecurve_type", "tonecurve_preset", "tonecurve_unbound_ab"},
	"toneequal":     {"blending", "feathering", "quantization", "contrast_boost", "exposure_boost", "iterations"},
	"tonemap":       {"Fsize"},
	"velvia":        {"bias"},
	"vignette":      {"scale", "falloff_scale", "center", "whratio", "shape"},
	"watermark":     {"scale", "xoffset", "yoffset", "alignment", "rotate"},
	"zonesystem":    {"size"},
}
