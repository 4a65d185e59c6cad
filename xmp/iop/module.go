package iop

// Module is what a release says about one of its modules.
type Module struct {
	Operation  string
	Name       string // as darktable shows it, in English
	About      string // darktable's own words on what it is for; may be empty
	Modversion int
	flags      int64
}

// darktable's flags of a module (enum dt_iop_flags_t), as the releases' own
// modules use them: blending is on every module that shows blend controls, one
// instance on demosaic and its like, the fence on demosaic and gamma.
const (
	flagIncludeInStyles = 1 << 0
	flagBlending        = 1 << 1
	flagDeprecated      = 1 << 2
	flagHidden          = 1 << 5
	flagOneInstance     = 1 << 7
	flagNoHistory       = 1 << 9
	flagNoMasks         = 1 << 10
	flagFence           = 1 << 11
	flagUnsafeCopy      = 1 << 13
)

// IncludedInStyles tells whether a new style has the module ticked.
func (m Module) IncludedInStyles() bool { return m.flags&flagIncludeInStyles != 0 }

// SupportsBlending tells whether the module can be blended, and masked unless
// it says otherwise.
func (m Module) SupportsBlending() bool { return m.flags&flagBlending != 0 }

// SupportsMasks tells whether a mask of the user's can limit the module.
// Retouch and spots blend, but use drawn forms in their own way.
func (m Module) SupportsMasks() bool { return m.SupportsBlending() && m.flags&flagNoMasks == 0 }

// Deprecated tells whether darktable keeps the module for old edits only.
func (m Module) Deprecated() bool { return m.flags&flagDeprecated != 0 }

// Hidden tells whether the module works behind the scenes, without controls.
func (m Module) Hidden() bool { return m.flags&flagHidden != 0 }

// OneInstance tells whether a second instance is not possible.
func (m Module) OneInstance() bool { return m.flags&flagOneInstance != 0 }

// NoHistory tells whether the module never appears in the history stack.
func (m Module) NoHistory() bool { return m.flags&flagNoHistory != 0 }

// Fence tells whether no other module may be moved across this one.
func (m Module) Fence() bool { return m.flags&flagFence != 0 }

// PerImage tells whether the parameters belong to one picture (raw levels,
// white balance, lens, orientation) and should not be copied to another
// without thought; darktable's "unsafe copy".
func (m Module) PerImage() bool { return m.flags&flagUnsafeCopy != 0 }
