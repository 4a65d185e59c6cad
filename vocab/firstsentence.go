package vocab

import "strings"

// FirstSentence gives the first sentence of a description, and of a long one what comes
// before the last comma, semicolon or colon that leaves a line.
func FirstSentence(description string) string {
	const most = 80
	first, _, more := strings.Cut(description, ". ")
	if len(first) > most {
		if at := strings.LastIndexAny(first[:most], ",;:"); at > most/2 {
			return first[:at] + " …"
		}
	}
	if more {
		first += "."
	}
	return first
}
