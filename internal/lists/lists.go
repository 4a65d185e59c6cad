// Package lists cuts pages out of lists, and makes missing lists empty ones.
package lists

// Page cuts limit elements out of a list, after the first offset ones; what is
// outside of the list is left out.
func Page[T any, O, L ~int](list []T, offset O, limit L) []T {
	from := min(int(offset), len(list))
	return list[from:min(from+int(limit), len(list))]
}

// NotNil gives an empty list for a missing one, which JSON would write as null.
func NotNil[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
