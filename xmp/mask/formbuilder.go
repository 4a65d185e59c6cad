package mask

import (
	"math"
)

// formBuilder makes forms of members, with numbers that count from 1.
type formBuilder struct{ forms []Form }

// operators are the flags by which a member is combined with those before it.
var operators = map[Op]MemberState{
	"": memberUnion, OpUnion: memberUnion, OpIntersection: memberIntersection,
	OpDifference: memberDifference, OpExclusion: memberExclusion,
}

// addGroup adds the form of a group of members and gives its number.
func (b *formBuilder) addGroup(members []Member) (uint32, error) {
	at := len(b.forms)
	id := uint32(at + 1)
	b.forms = append(b.forms, Form{})
	g := Group{Members: make([]GroupMember, len(members))}
	for i, m := range members {
		member, err := b.addMember(m, id, i == 0)
		if err != nil {
			return 0, err
		}
		g.Members[i] = member
	}
	b.forms[at] = NewForm(id, "group", g)
	return id, nil
}

// addMember adds the forms of a member of the group parent.
func (b *formBuilder) addMember(m Member, parent uint32, first bool) (GroupMember, error) {
	opacity, err := fraction("opacity of a shape", m.Opacity)
	if err != nil {
		return GroupMember{}, err
	}
	operator, ok := operators[m.Op]
	if !ok {
		return GroupMember{}, errorf(BadValue, "op", "%q is no union, intersection, difference or exclusion", m.Op)
	}
	member := GroupMember{Parent: parent, State: memberShow | memberUse, Opacity: opacity}
	if !first {
		member.State |= operator
	}
	if m.Invert {
		member.State |= memberInverse
	}
	switch {
	case m.Shape == nil && len(m.Group) == 0:
		return GroupMember{}, errorf(Empty, "shape", "a member needs a shape or a group of them")
	case m.Shape != nil && len(m.Group) > 0:
		return GroupMember{}, badShape("a member is a shape or a group of them, not both")
	case m.Shape == nil:
		member.ID, err = b.addGroup(m.Group)
		return member, err
	}
	if err := checkShape(m.Shape); err != nil {
		return GroupMember{}, err
	}
	member.ID = uint32(len(b.forms) + 1)
	b.forms = append(b.forms, NewForm(member.ID, typeName(m.Shape), m.Shape))
	return member, nil
}

// fraction checks an optional number of 0 to 1, which is 1 when it is not given.
func fraction(field string, value *float64) (float32, error) {
	if value == nil {
		return 1, nil
	}
	if math.IsNaN(*value) || *value < 0 || *value > 1 {
		return 0, errorf(BadValue, field, "%g is outside 0 to 1", *value)
	}
	return float32(*value), nil
}

// typeName is what darktable calls a shape.
func typeName(s Shape) string {
	switch s.(type) {
	case Circle:
		return "circle"
	case Ellipse:
		return "ellipse"
	case Gradient:
		return "gradient"
	case Path:
		return "path"
	}
	return "brush"
}
