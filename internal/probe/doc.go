// Package probe measures with darktable what never becomes an edit.
//
// Questions that only developed pixels answer: how a picture lies in its raw
// ([Probe.Frame]), what a mask selects ([Probe.Selection]), what light fell on a
// point ([Probe.Light]). For these a [Probe] has darktable develop looks that are
// made to be measured, in linear light, and then forgets them. The other functions
// measure a picture that was developed for them. Errors are those of
// internal/fault and of the packages below.
package probe
