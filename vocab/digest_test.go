package vocab

import (
	"strings"
	"testing"
)

const digestEntry = `{
  "name": "soft", "layer": "L3", "subject": "tone", "description": "Soft.", "tags": ["soft"],
  "parameters": [{"name": "radius", "min": 0, "max": 64, "default": 16, "neutral": 0}],
  "mask": {"ranges": [{"channel": "lightness", "from": 0.5}]},
  "ops": [{"module": "lowpass", "instance": "soft", "set": {"contrast": 1}, "add": {"radius": "radius"}, "inset": {"parameter": "radius", "scale": 1.25}}],
  "claims": [{"measure": "sharpness", "moves": "down"}]
}`

// What a move says of itself, and how far it may go, does not change what was measured of
// its values. What it does, and where, does.
func TestTheDigestOfADevelopmentIsOfWhatDevelops(t *testing.T) {
	t.Parallel()
	load := func(text string) *Entry {
		words, failures := Load(Source{"mine", pack(text)})
		if len(failures) > 0 {
			t.Fatal(failures)
		}
		e, err := words.Entry("soft")
		if err != nil {
			t.Fatal(err)
		}
		return e
	}
	was := load(digestEntry)
	for _, tt := range []struct {
		name, old, new string
		develops       bool
	}{
		{"description", `"Soft."`, `"Softer."`, false},
		{"tags", `["soft"]`, `["blur"]`, false},
		{"intents", `"claims"`, `"intends": ["noise"], "claims"`, false},
		{"claims", `"sharpness"`, `"local_contrast"`, false},
		{"range", `"max": 64`, `"max": 32`, false},
		{"default", `"default": 16`, `"default": 8`, true},
		{"field", `"contrast": 1`, `"contrast": 0.9`, true},
		{"module's instance", `"instance": "soft", `, ``, true},
		{"mask", `"from": 0.5`, `"from": 0.6`, true},
		{"distance from the mask's edge", `1.25`, `1.5`, true},
		{"region", `"mask"`, `"region": "sky", "mask"`, true},
	} {
		if !strings.Contains(digestEntry, tt.old) {
			t.Fatalf("%s: nothing is changed", tt.name)
		}
		is := load(strings.Replace(digestEntry, tt.old, tt.new, 1))
		if is.Digest() == was.Digest() {
			t.Errorf("%s: another entry has the same digest", tt.name)
		}
		if develops := is.DevelopmentDigest() != was.DevelopmentDigest(); develops != tt.develops {
			t.Errorf("%s: that the development is another one is %v, want %v", tt.name, develops, tt.develops)
		}
	}
}
