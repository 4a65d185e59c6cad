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

// MemberState says how a group's member joins what stands before it: a sum of
// flags.
type MemberState uint32

// The flags of MemberState. Show and Use are set for every member that counts.
const (
	MemberShow         MemberState = 1
	MemberUse          MemberState = 2
	MemberInverse      MemberState = 4
	MemberUnion        MemberState = 8
	MemberIntersection MemberState = 16
	MemberDifference   MemberState = 32
	MemberExclusion    MemberState = 64
)

func (g Group) form() (FormType, int) { return TypeGroup, len(g.Members) }

func (g Group) each(v visitor) { g.visit(v) }

func (g *Group) visit(v visitor) {
	for i := range g.Members {
		m := &g.Members[i]
		v.u32(&m.ID)
		v.u32(&m.Parent)
		v.u32((*uint32)(&m.State))
		v.f32(&m.Opacity)
	}
}
