package iop

// role is what a module is to a picture: a sum of flags.
type role uint8

const (
	required   role = 1 << iota // darktable develops no raw without it
	onEveryRaw                  // darktable runs it on every raw
	geometry                    // it moves pixels
	ofPicture                   // its settings belong to one picture
)

// roles are the modules that edits treat in a special way. darktable itself says
// this of few of them: see [Module.PerImage].
var roles = map[string]role{
	"rawprepare":  required | onEveryRaw | ofPicture,
	"temperature": required | onEveryRaw,
	"highlights":  onEveryRaw,
	"demosaic":    required | onEveryRaw | ofPicture,
	"colorin":     required | onEveryRaw | ofPicture,
	"colorout":    required | onEveryRaw,
	"gamma":       required | onEveryRaw | ofPicture,

	"ashift":        geometry | ofPicture,
	"borders":       geometry | ofPicture,
	"clipping":      geometry | ofPicture,
	"crop":          geometry | ofPicture,
	"enlargecanvas": geometry | ofPicture,
	"flip":          geometry | ofPicture,
	"lens":          geometry | ofPicture,
	"liquify":       geometry | ofPicture,
	"rotatepixels":  geometry | ofPicture,
	"scalepixels":   geometry | ofPicture,

	"cacorrect":  ofPicture,
	"hotpixels":  ofPicture,
	"overlay":    ofPicture,
	"rasterfile": ofPicture,
	"rawdenoise": ofPicture,
	"retouch":    ofPicture,
	"spots":      ofPicture,
	"watermark":  ofPicture,
}

// Required reports whether darktable cannot develop a raw without the module, so
// that it must not be switched off.
func Required(operation string) bool { return roles[operation]&required != 0 }

// OnEveryRaw reports whether darktable runs the module on every raw, so that it
// cannot be removed from a history: those that are [Required], and highlights,
// which can be switched off.
func OnEveryRaw(operation string) bool { return roles[operation]&onEveryRaw != 0 }

// ChangesGeometry reports whether the module moves pixels: it crops, rotates,
// scales or distorts, or adds a border.
func ChangesGeometry(operation string) bool { return roles[operation]&geometry != 0 }

// BelongsToPicture reports whether the module's settings belong to one picture, so
// that they are not copied to another: how its raw is read, how it is framed and
// distorted, and what was painted on it.
//
// These are more than darktable's own "unsafe copy" flag marks ([Module.PerImage]),
// which warns before a copy that the user asked for. And of the flagged modules,
// temperature is not among them, since the change of a white balance can be
// copied, and neither is mask_manager, whose forms are copied with the entries that
// use them.
func BelongsToPicture(operation string) bool { return roles[operation]&ofPicture != 0 }
