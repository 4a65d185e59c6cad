package mcp

import (
	"cmp"
	"context"
	"reflect"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
)

// AuditRecord is the record of one executed call of a destructive tool.
type AuditRecord = chemigram.AuditRecord

// Auditor keeps the records of destructive calls. A [chemigram.Engine] is one.
type Auditor interface {
	Audit(ctx context.Context, record AuditRecord) error
}

// reasonArgument is the argument of destructive tools that says why.
const reasonArgument = "reason"

// takesReason reports whether a verb's parameters have the reason, too.
func takesReason(params reflect.Type) bool {
	_, takes := inputSchema(params, nil).Properties[reasonArgument]
	return takes
}

// consent is what a guarded call says beside the verb's own arguments.
type consent struct {
	confirm bool
	reason  string
}

// guarded adds the guard's two arguments to the schema of a destructive tool. A verb
// that takes the reason itself gets it from the guard.
func guarded(spec Spec, s *jsonschema.Schema) *jsonschema.Schema {
	if spec.Effect != Destructive {
		return s
	}
	s.Properties["confirm"] = &jsonschema.Schema{
		Type:        "boolean",
		Description: "Has to be true: the person whose pictures these are has agreed to this very call.",
	}
	s.Properties[reasonArgument] = &jsonschema.Schema{
		Type: "string", Description: "Why, in words for the audit log. Not blank.",
	}
	own := slices.Index(s.PropertyOrder, reasonArgument)
	if own >= 0 {
		s.PropertyOrder = slices.Delete(s.PropertyOrder, own, own+1)
	}
	s.PropertyOrder = append(s.PropertyOrder, "confirm", reasonArgument)
	return s
}

// takeConsent removes the guard's arguments.
func takeConsent(arguments map[string]any) consent {
	var c consent
	c.confirm, _ = arguments["confirm"].(bool)
	c.reason, _ = arguments[reasonArgument].(string)
	delete(arguments, "confirm")
	delete(arguments, reasonArgument)
	return c
}

// check names every violation of the guard.
func (c consent) check(tool, actor string) error {
	var missing, says []string
	note := func(bad bool, violation, remedy string) {
		if bad {
			missing, says = append(missing, violation), append(says, remedy)
		}
	}
	note(!c.confirm, "missing_confirm", "ask the person, then pass confirm: true")
	note(strings.TrimSpace(c.reason) == "", "missing_reason", "pass a reason that is not blank")
	note(actor == "", "missing_actor", "the client has to give its name, or a token, or the server an actor")
	if missing == nil {
		return nil
	}
	return &chemigram.Error{
		Op: tool, Code: chemigram.ErrPermission, Recoverable: true,
		Message: tool + " can lose something and was not executed: " + strings.Join(says, "; "),
		Details: chemigram.Details{"violation": missing[0], "violations": missing},
	}
}

// actorOf names who calls: what the embedder set, the bearer token's subject,
// or the client's own name and version; "" when none is known.
func actorOf(configured string, req *sdk.CallToolRequest) string {
	if configured != "" {
		return configured
	}
	if req.Extra != nil && req.Extra.TokenInfo != nil && req.Extra.TokenInfo.UserID != "" {
		return req.Extra.TokenInfo.UserID
	}
	name, version := clientOf(req)
	if name = strings.TrimSpace(name); name != "" {
		return name + " " + cmp.Or(version, "(no version)")
	}
	return ""
}

// clientOf gives a client's name and version: from the request's metadata, as
// the newest revision sends them, or from the handshake of the older ones. The
// SDK's ClientInfo does the same and costs more than all else that bind does.
func clientOf(req *sdk.CallToolRequest) (name, version string) {
	if info, ok := req.Params.Meta[sdk.MetaKeyClientInfo].(map[string]any); ok {
		name, _ = info["name"].(string)
		version, _ = info["version"].(string)
		return name, version
	}
	if req.Session == nil {
		return "", ""
	}
	if hello := req.Session.InitializeParams(); hello != nil && hello.ClientInfo != nil {
		return hello.ClientInfo.Name, hello.ClientInfo.Version
	}
	return "", ""
}
