package mask

// Group combines forms, in the order of its members.
type Group struct{ Members []GroupMember }

// GroupMember is a form in a group.
type GroupMember struct {
	ID     uint32 // of the form
	Parent uint32 // of the group
	State  MemberState
	// Opacity of the member, 0 to 1.
	Opacity float32
}

// MemberState says how a group's member is combined with those before it: a sum of
// darktable's flags.
type MemberState uint32

// The flags of MemberState. Show and use are set for every member that counts.
const (
	memberShow         MemberState = 1
	memberUse          MemberState = 2
	memberInverse      MemberState = 4
	memberUnion        MemberState = 8
	memberIntersection MemberState = 16
	memberDifference   MemberState = 32
	memberExclusion    MemberState = 64
)

func (g Group) formType() (FormType, int) { return TypeGroup, len(g.Members) }

func (g Group) visitFields(v visitor) { g.visit(v) }

func (g *Group) visit(v visitor) {
	for i := range g.Members {
		m := &g.Members[i]
		v.u32(&m.ID)
		v.u32(&m.Parent)
		v.u32((*uint32)(&m.State))
		v.f32(&m.Opacity)
	}
}
