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
	flagBlending    = 1 << 1
	flagDeprecated  = 1 << 2
	flagHidden      = 1 << 5
	flagOneInstance = 1 << 7
	flagNoHistory   = 1 << 9
	flagNoMasks     = 1 << 10
	flagFence       = 1 << 11
	flagUnsafeCopy  = 1 << 13
)

// SupportsBlending reports whether the module can be blended, and masked unless
// it says otherwise.
func (m Module) SupportsBlending() bool { return m.flags&flagBlending != 0 }

// SupportsMasks reports whether a mask of the user's can limit the module.
// Retouch and spots blend, but use drawn forms in their own way.
func (m Module) SupportsMasks() bool { return m.SupportsBlending() && m.flags&flagNoMasks == 0 }

// Deprecated reports whether darktable keeps the module for old edits only.
func (m Module) Deprecated() bool { return m.flags&flagDeprecated != 0 }

// Hidden reports whether the module has no controls and is not shown.
func (m Module) Hidden() bool { return m.flags&flagHidden != 0 }

// OneInstance reports whether a second instance is not possible.
func (m Module) OneInstance() bool { return m.flags&flagOneInstance != 0 }

// NoHistory reports whether the module never appears in the history stack.
func (m Module) NoHistory() bool { return m.flags&flagNoHistory != 0 }

// Fence reports whether no other module may be moved across this one.
func (m Module) Fence() bool { return m.flags&flagFence != 0 }

// PerImage reports whether darktable flags the parameters as belonging to one
// picture ("unsafe copy"): raw levels, white balance, lens, orientation. What is
// not to be copied is more than that: see [BelongsToPicture].
func (m Module) PerImage() bool { return m.flags&flagUnsafeCopy != 0 }
