package vocab

import (
	"slices"
	"strings"
	"testing"
)

// What a photographer types, and the moves of which one must be among the first
// three.
func TestPhotographersFindTheirMoves(t *testing.T) {
	t.Parallel()
	v := shipped(t)
	for query, want := range map[string]string{
		"warmer skin":              "skin_warmer",
		"less haze":                "dehaze",
		"haze":                     "dehaze",
		"softer skin":              "skin_softer smooth_skin",
		"brighter shadows":         "shadows",
		"lift the shadows":         "shadows",
		"make the sky bluer":       "sky_cooler blues_saturation",
		"darker sky":               "sky_darker",
		"remove noise":             "denoise",
		"noise reduction":          "denoise",
		"film look":                "look_",
		"black and white portrait": "look_bw_portrait",
		"b&w":                      "black_and_white look_bw_",
		"bw":                       "black_and_white look_bw_",
		"straighten":               "straighten",
		"horizon is crooked":       "straighten",
		"teal and orange":          "split_teal_orange",
		"recover highlights":       "highlights",
		"brighter":                 "exposure",
		"too dark":                 "exposure",
		"underexposed":             "exposure",
		"more contrast":            "contrast",
		"flat picture":             "contrast",
		"more saturated colours":   "saturation vibrance",
		"colors pop":               "vibrance saturation look_natural_punch",
		"desaturate":               "saturation",
		"cooler white balance":     "warmth",
		"green tint":               "tint",
		"sharper":                  "sharpen",
		"sharpening":               "sharpen",
		"vignetting":               "vignette",
		"dark corners":             "vignette",
		"grainy film":              "grain_fine grain_coarse",
		"sepia":                    "look_sepia split_sepia",
		"greener leaves":           "foliage_greener",
		"vignete":                  "vignette",
		"saturaton":                "saturation",
		"sharpnes":                 "sharpen",
		"gray":                     "black_and_white",
		"grey":                     "black_and_white",
		"monochrome":               "black_and_white",
		"crop to square":           "crop_square",
		"16:9":                     "crop_16_9",
		"rotate left":              "rotate_left",
		"flip horizontally":        "mirror",
		"keystone":                 "perspective_up perspective_down perspective_left",
		"moody":                    "look_moody",
		"high key":                 "look_bw_high_key look_bright_airy",
		"hdr":                      "dynamic_range",
		"soft light":               "look_soft_portrait soft_focus",
		"neon city at night":       "look_neon look_night_city",
		"infrared":                 "bw_infrared look_bw_infrared",
		"blue hour":                "look_blue_hour",
		"golden hour":              "look_golden_hour",
		"sunset":                   "look_",
		"milky way":                "look_starry_sky denoise_night_sky",
		"food":                     "look_",
		"wildlife":                 "look_fur_and_feather look_plumage",
		"clarity":                  "clarity",
		"punchy":                   "look_natural_punch clarity contrast",
		"brighten faces":           "subject_brighten",
		"lens distortion":          "prepare_lens_correction",
		"dreamy glow":              "look_dreamy_glow orton soft_focus",
		"crush the blacks":         "black_point sigmoid_black",
		"fade":                     "fade_whites look_faded_film",
		"split toning":             "split_",
	} {
		got := names(v.List(Filter{Query: query}))
		first := got[:min(3, len(got))]
		if !slices.ContainsFunc(strings.Fields(want), func(w string) bool {
			return slices.ContainsFunc(first, func(n string) bool { return n == w || strings.HasSuffix(w, "_") && strings.HasPrefix(n, w) })
		}) {
			t.Errorf("%q finds %q, want one of %q", query, got[:min(8, len(got))], want)
		}
	}
}

func TestALookThatIsNotSaidIsAnyLook(t *testing.T) {
	t.Parallel()
	v := shipped(t)
	all := v.List(Filter{Layer: L2})
	for _, query := range []string{"look", "Looks", "a preset", "more styles", "filters please"} {
		if got := v.List(Filter{Query: query}); !slices.Equal(got, all) {
			t.Errorf("%q finds %d entries, want the %d looks", query, len(got), len(all))
		}
	}
}
