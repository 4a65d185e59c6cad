package segment

// A Category is a meaning that a region may have.
type Category string

// The categories that can be asked for, and Person, which helps to tell them apart.
const (
	Sky     Category = "sky"
	Plants  Category = "plants"
	Water   Category = "water"
	Skin    Category = "skin"
	Subject Category = "subject"
	Person  Category = "person"
)

// Categories lists what the forests tell apart, in their order.
func Categories() []Category { return []Category{Sky, Plants, Water, Skin, Person, Subject} }

// A Model has two forests for each of [Categories], and one for hints.
type Model struct {
	First, Second []Forest
	Hints         Forest
}

// Likelihoods are, for each of [Categories], the likelihood that each superpixel
// belongs to it.
func (m *Model) Likelihoods(s *Scene) [][]float64 {
	first := Evaluate(m.First, s.Features())
	return Evaluate(m.Second, s.WithContext(first))
}

// Evaluate asks each forest of each superpixel.
func Evaluate(forests []Forest, features [][]float32) [][]float64 {
	out := make([][]float64, len(forests))
	for c, forest := range forests {
		out[c] = make([]float64, len(features))
		for k, row := range features {
			out[c][k] = forest.Likelihood(row)
		}
	}
	return out
}
