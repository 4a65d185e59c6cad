package mask

import (
	"fmt"
	"math"
)

// drawer makes forms of members, with numbers that count from 1.
type drawer struct{ forms []Form }

// operators are the flags by which a member joins those before it.
var operators = map[Op]MemberState{
	"": MemberUnion, OpUnion: MemberUnion, OpIntersection: MemberIntersection,
	OpDifference: MemberDifference, OpExclusion: MemberExclusion,
}

// group makes a group of members and gives its number.
func (d *drawer) group(members []Member) (uint32, error) {
	at := len(d.forms)
	id := uint32(at + 1)
	d.forms = append(d.forms, Form{})
	g := Group{Members: make([]GroupMember, len(members))}
	for i, m := range members {
		member, err := d.member(m, id, i == 0)
		if err != nil {
			return 0, err
		}
		g.Members[i] = member
	}
	d.forms[at] = NewForm(id, "group", g)
	return id, nil
}

func (d *drawer) member(m Member, parent uint32, first bool) (GroupMember, error) {
	opacity, err := fraction("opacity of a shape", m.Opacity)
	if err != nil {
		return GroupMember{}, err
	}
	operator, ok := operators[m.Op]
	if !ok {
		return GroupMember{}, &Error{Kind: BadValue, Field: "op", Detail: fmt.Sprintf("%q is no union, intersection, difference or exclusion", m.Op)}
	}
	member := GroupMember{Parent: parent, State: MemberShow | MemberUse, Opacity: opacity}
	if !first {
		member.State |= operator
	}
	if m.Invert {
		member.State |= MemberInverse
	}
	switch {
	case m.Shape == nil && len(m.Group) == 0:
		return GroupMember{}, &Error{Kind: Empty, Field: "shape", Detail: "a member needs a shape or a group of them"}
	case m.Shape != nil && len(m.Group) > 0:
		return GroupMember{}, badShape("a member is a shape or a group of them, not both")
	case m.Shape == nil:
		member.ID, err = d.group(m.Group)
		return member, err
	}
	if err := checkShape(m.Shape); err != nil {
		return GroupMember{}, err
	}
	member.ID = uint32(len(d.forms) + 1)
	d.forms = append(d.forms, NewForm(member.ID, kindName(m.Shape), m.Shape))
	return member, nil
}

// fraction checks an optional number of 0 to 1, which is 1 when it is not given.
func fraction(field string, value *float64) (float32, error) {
	if value == nil {
		return 1, nil
	}
	if math.IsNaN(*value) || *value < 0 || *value > 1 {
		return 0, &Error{Kind: BadValue, Field: field, Detail: fmt.Sprintf("%g is outside 0 to 1", *value)}
	}
	return float32(*value), nil
}

func kindName(s Shape) string {
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
