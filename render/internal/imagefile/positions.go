package imagefile

import "regexp"

// positions match how coordinates are written in texts.
var positions = regexp.MustCompile(`(?i)` +
	`(?:^|[^0-9:.])[0-9]{1,3}\.[0-9]{3,}` + // 48.858
	`|(?:^|[^0-9:.])[0-9]{1,3},[0-9]{4,}` + // 48,8588
	`|[0-9]{1,3},[0-9]{1,2}(?:[.,][0-9]+)?\s*[NSEW](?:[^a-z]|$)` + // 48,51.5N as in XMP
	`|[0-9]{1,3}\s*(?:°|º|deg)\s*[0-9]{1,2}(?:[^0-9]|$)` + // 48° 51'
	`|[0-9]{1,3}(?:\.[0-9]+)?\s*°\s*[NSEW](?:[^a-z]|$)` + // 48.9° N
	`|(?:^|[^a-z])[NSEW]\s*[0-9]{1,3}(?:\.[0-9]+)?\s*°` + // N 48.9°
	`|[+-][0-9]{2,6}(?:\.[0-9]+)?[+-][0-9]{3,7}(?:\.[0-9]+)?/` + // +4851.5+00217.6/, ISO 6709
	`|(?:^|[^a-z])geo:`) // geo:lat=48.9, a tag; geo:48.9,2.3, an address

// holdsPosition reports whether a text holds a coordinate, or something that is
// written like one.
func holdsPosition(text string) bool { return positions.MatchString(text) }
