package mcp

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
)

// Group is a set of tools that a server offers or not.
type Group string

// The groups. A server offers core, masks and inspect by default.
const (
	Core    Group = "core"    // edit, look, measure, remember
	Masks   Group = "masks"   // moves on a part of the picture
	Inspect Group = "inspect" // numbers, lists, a step back
	Batch   Group = "batch"   // many variants, many images
	Admin   Group = "admin"   // the workspace: verification, repair, deletion
	Expert  Group = "expert"  // darktable's modules, field by field
	Share   Group = "share"   // images that other workspaces edit, too
)

// Groups lists all groups.
func Groups() []Group { return []Group{Core, Masks, Inspect, Batch, Admin, Expert, Share} }

// DefaultGroups lists the groups that a server offers by default.
func DefaultGroups() []Group { return []Group{Core, Masks, Inspect} }

// Effect is what a verb does to the workspace. It decides about access; a tool's name
// does not.
type Effect string

// The effects.
const (
	// Read changes nothing but caches. A read-only server offers these alone.
	Read Effect = "read"
	// Write adds to the workspace; what was there can be restored.
	Write Effect = "write"
	// Destructive can lose something. Such a tool has two more arguments, confirm
	// and reason, and is executed only when confirm is true, reason is
	// not blank and the actor is known; each execution leaves an audit record.
	Destructive Effect = "destructive"
)

// Spec specifies of a tool what its types do not.
type Spec struct {
	// Name of the tool, in snake case.
	Name string
	// Title is the name for people.
	Title string
	// Description tells an agent what the tool does.
	Description string
	// Group that the tool belongs to. Default: core.
	Group Group
	// Effect on the workspace; it has to be given.
	Effect Effect
	// Idempotent says that calling again with the same arguments changes
	// nothing more. Read implies it.
	Idempotent bool
	// Ask is a question that the person has to agree to before each call, when
	// the client can show it. Default: none is asked.
	Ask string
	// Show gives what the person agrees to, which is shown under the question, from
	// the call's arguments; "" where that is not known. Default: the question is asked
	// alone.
	Show func(ctx context.Context, arguments json.RawMessage) string
	// OpenWorld says that the verb interacts with other machines.
	OpenWorld bool

	aliasOf string // the present name, when Name is a former one
}

// complete sets the defaults, and panics on a specification that is wrong.
func (s Spec) complete() Spec {
	if s.Group == "" {
		s.Group = Core
	}
	switch {
	case s.Name == "" || s.Title == "" || s.Description == "":
		panic(fmt.Sprintf("mcp: tool %q needs a name, a title and a description", s.Name))
	case !slices.Contains([]Effect{Read, Write, Destructive}, s.Effect):
		panic(fmt.Sprintf("mcp: tool %s has effect %q; it is read, write or destructive", s.Name, s.Effect))
	case !slices.Contains(Groups(), s.Group):
		panic(fmt.Sprintf("mcp: tool %s is in group %q; the groups are %q", s.Name, s.Group, Groups()))
	}
	s.Idempotent = s.Idempotent || s.Effect == Read
	return s
}
