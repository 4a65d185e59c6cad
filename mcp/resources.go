package mcp

import (
	"context"
	"os"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

func (a *adapter) addResources(server *sdk.Server) {
	server.AddResourceTemplate(&sdk.ResourceTemplate{
		Name: "picture", Title: "Picture", URITemplate: pictureScheme + "{name}", MIMEType: "image/jpeg",
		Description: "A picture that was too large for a tool's answer, by the link in that answer.",
	}, a.readPicture)
}

func (a *adapter) readPicture(_ context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri := req.Params.URI
	path, ok := a.pictures.path(uri)
	if !ok {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(uri)
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{{URI: uri, MIMEType: "image/jpeg", Blob: data}}}, nil
}
