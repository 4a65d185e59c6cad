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
	"github.com/chemigram/chemigram/internal/fault"
)

// AuditRecord is a record of one executed call of a destructive tool.
type AuditRecord = chemigram.AuditRecord

// Auditor stores the records of destructive calls. A [chemigram.Engine] is one.
type Auditor interface {
	Audit(ctx context.Context, record AuditRecord) error
}

// The guard's arguments.
const (
	confirmArgument = "confirm"
	reasonArgument  = "reason"
)

// hasReason reports whether the reason is among a verb's own parameters.
func hasReason(params reflect.Type) bool {
	_, ok := inputSchema(params, nil).Properties[reasonArgument]
	return ok
}

// consent is the values of the guard's arguments.
type consent struct {
	confirm bool
	reason  string
}

// withGuard adds the guard's arguments to the schema of a destructive tool. A reason
// among the verb's own parameters becomes the guard's.
func withGuard(spec Spec, s *jsonschema.Schema) *jsonschema.Schema {
	if spec.Effect != Destructive {
		return s
	}
	s.Properties[confirmArgument] = &jsonschema.Schema{
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
	s.PropertyOrder = append(s.PropertyOrder, confirmArgument, reasonArgument)
	return s
}

// takeConsent removes the guard's arguments and returns their values.
func takeConsent(arguments map[string]any) consent {
	var c consent
	c.confirm, _ = arguments[confirmArgument].(bool)
	c.reason, _ = arguments[reasonArgument].(string)
	delete(arguments, confirmArgument)
	delete(arguments, reasonArgument)
	return c
}

// guardViolations are what was missing of a consent.
type guardViolations []string

// check returns an error with every violation of the guard, or nil.
func (c consent) check(tool, actor string) error {
	var violations guardViolations
	var remedies []string
	require := func(ok bool, violation, remedy string) {
		if !ok {
			violations, remedies = append(violations, violation), append(remedies, remedy)
		}
	}
	require(c.confirm, "missing_confirm", "ask the person, then pass confirm: true")
	require(!fault.Blank(c.reason), "missing_reason", "pass a reason that is not blank")
	require(actor != "", "missing_actor", "the client has to give its name, or a token, or the server an actor")
	if violations == nil {
		return nil
	}
	return &chemigram.Error{
		Op: tool, Code: chemigram.ErrPermission, Recoverable: true,
		Message: tool + " can lose something and was not executed: " + strings.Join(remedies, "; "),
		Details: chemigram.Details{"violation": violations[0], "violations": violations},
	}
}

// actorOf returns who calls: the configured actor, the subject of the bearer token, or
// the client's name and version; "" when none is known.
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

// clientOf returns a client's name and version: from the request's metadata, where the
// newest revision of the protocol has them, or from the initialization of the older
// ones. The SDK's ClientInfo does the same, but takes longer than the rest of a call.
func clientOf(req *sdk.CallToolRequest) (name, version string) {
	if info, ok := req.Params.Meta[sdk.MetaKeyClientInfo].(map[string]any); ok {
		name, _ = info["name"].(string)
		version, _ = info["version"].(string)
		return name, version
	}
	if req.Session == nil {
		return "", ""
	}
	if params := req.Session.InitializeParams(); params != nil && params.ClientInfo != nil {
		return params.ClientInfo.Name, params.ClientInfo.Version
	}
	return "", ""
}
