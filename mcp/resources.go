package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/regularfile"
)

// maxResourceBytes is the size of the largest resource that is sent.
const maxResourceBytes = 8 << 20

// imagesURI is the resource of all images; those of each image are below it.
const imagesURI = uriPrefix + "images"

// uriPrefix begins the addresses of all resources.
const uriPrefix = "chemigram://"

// resource is a resource template of the protocol.
type resource struct {
	name, title, template, mimeType, description string
	// read returns the content. vars are the values of the template's variables.
	read func(ctx context.Context, vars map[string]string) ([]byte, error)
}

func (a *adapter) resources() []resource {
	return []resource{
		{
			"preview", "Preview", imagesURI + "/{image_id}/preview/{ref}", "image/jpeg",
			"A version of an image as a JPEG of 1024 pixels. The ref is HEAD, a branch, a tag or a hash; a slash in it is %2F.",
			a.readPreview,
		},
		{
			"state", "Edit", imagesURI + "/{image_id}/state/{ref}", "application/json",
			"Every module of a version's history stack in named fields, as describe_state gives it.",
			a.readState,
		},
		{
			"sidecar", "Sidecar", imagesURI + "/{image_id}/sidecar", "application/rdf+xml",
			"HEAD as the sidecar (.xmp) that darktable opens with the edit intact. Nothing is written.",
			a.readSidecar,
		},
		{
			"history", "History", imagesURI + "/{image_id}/history", "application/json",
			"The newest 100 snapshots that led to HEAD, as log gives them.",
			a.readHistory,
		},
		{
			"export", "Exported picture", imagesURI + "/{image_id}/exports/{file}", "application/octet-stream",
			"A picture that export_final wrote into the workspace, up to 8 MB.",
			a.readExport,
		},
		{
			"move", "Move", "chemigram://vocabulary/{name}", "application/json",
			"A move of the vocabulary, with its parameters and what it touches.",
			a.readMove,
		},
		{
			"tool", "Tool", "chemigram://tools/{tool}", "application/json",
			"A tool with every field of its arguments and its result described; the list of tools leaves out what names say.",
			a.readTool,
		},
		{
			"picture", "Picture", pictureScheme + "{name}", "image/jpeg",
			"A picture in full that a tool's answer shows smaller, by the link in that answer.",
			a.readPicture,
		},
	}
}

func (a *adapter) addResources(server *sdk.Server) {
	server.AddResource(&sdk.Resource{
		Name: "images", Title: "Images", URI: imagesURI, MIMEType: "application/json",
		Description: "The images of the workspace, as list_images gives them.",
	}, serveResource(resource{template: imagesURI, mimeType: "application/json", read: a.readImages}))
	for _, r := range a.resources() {
		server.AddResourceTemplate(&sdk.ResourceTemplate{
			Name: r.name, Title: r.title, URITemplate: r.template, MIMEType: r.mimeType, Description: r.description,
		}, serveResource(r))
	}
}

func serveResource(r resource) sdk.ResourceHandler {
	return func(ctx context.Context, req *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
		uri := req.Params.URI
		vars, ok := matchURI(r.template, uri)
		if !ok {
			return nil, sdk.ResourceNotFoundError(uri)
		}
		data, err := r.read(ctx, vars)
		switch {
		case errors.Is(err, chemigram.ErrNotFound), errors.Is(err, os.ErrNotExist):
			return nil, sdk.ResourceNotFoundError(uri)
		case err != nil:
			return nil, err
		case len(data) > maxResourceBytes:
			return nil, fmt.Errorf("%s has %d bytes, more than the %d that are sent: use the file itself", uri, len(data), maxResourceBytes)
		}
		contents := &sdk.ResourceContents{URI: uri, MIMEType: r.mimeType}
		if r.mimeType == "application/json" || strings.HasSuffix(r.mimeType, "+xml") {
			contents.Text = string(data)
		} else {
			contents.Blob = data
		}
		return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{contents}}, nil
	}
}

// matchURI matches a URI with a template, whose parts between slashes are literal or a
// variable, {name}, and returns the variables.
func matchURI(template, uri string) (map[string]string, bool) {
	want, got := strings.Split(template, "/"), strings.Split(uri, "/")
	if len(want) != len(got) {
		return nil, false
	}
	vars := map[string]string{}
	for i, part := range want {
		if !strings.HasPrefix(part, "{") {
			if part != got[i] {
				return nil, false
			}
			continue
		}
		value, err := url.PathUnescape(got[i])
		if err != nil || value == "" {
			return nil, false
		}
		vars[strings.Trim(part, "{}")] = value
	}
	return vars, true
}

func (a *adapter) readImages(ctx context.Context, _ map[string]string) ([]byte, error) {
	return asJSON(a.engine.ListImages(ctx, chemigram.ListImagesParams{Limit: 500}))
}

func (a *adapter) readPreview(ctx context.Context, vars map[string]string) ([]byte, error) {
	picture, err := a.engine.RenderPreview(ctx, chemigram.RenderPreviewParams{
		ImageID: chemigram.ImageID(vars["image_id"]), RefOrHash: chemigram.RefOrHash(vars["ref"]),
	})
	if err != nil {
		return nil, err
	}
	return readFile(picture.JPEGPath, maxResourceBytes)
}

func (a *adapter) readState(ctx context.Context, vars map[string]string) ([]byte, error) {
	return asJSON(a.engine.DescribeState(ctx, chemigram.DescribeStateParams{
		ImageID: chemigram.ImageID(vars["image_id"]), RefOrHash: chemigram.RefOrHash(vars["ref"]),
	}))
}

func (a *adapter) readSidecar(ctx context.Context, vars map[string]string) ([]byte, error) {
	sidecar, err := a.engine.ReadSidecar(ctx, chemigram.ReadSidecarParams{ImageID: chemigram.ImageID(vars["image_id"])})
	return []byte(sidecar.XMP), err
}

func (a *adapter) readHistory(ctx context.Context, vars map[string]string) ([]byte, error) {
	return asJSON(a.engine.Log(ctx, chemigram.LogParams{ImageID: chemigram.ImageID(vars["image_id"]), Limit: 100}))
}

func (a *adapter) readMove(ctx context.Context, vars map[string]string) ([]byte, error) {
	for offset := chemigram.Offset(0); ; {
		page, err := a.engine.ListVocabulary(ctx, chemigram.ListVocabularyParams{Detail: true, Limit: 500, Offset: offset})
		if err != nil {
			return nil, err
		}
		for _, move := range page.Entries {
			if move.Name == vars["name"] {
				return asJSON(move, nil)
			}
		}
		offset += chemigram.Offset(len(page.Entries))
		if len(page.Entries) == 0 || int(offset) >= page.Total {
			return nil, os.ErrNotExist
		}
	}
}

func (a *adapter) readTool(_ context.Context, vars map[string]string) ([]byte, error) {
	for _, tool := range a.tools {
		if tool.Name() == vars["tool"] {
			return asJSON(tool.Definition(), nil)
		}
	}
	return nil, os.ErrNotExist
}

// readExport reads a file of the image's folder of exports, and none outside of it.
func (a *adapter) readExport(ctx context.Context, vars map[string]string) ([]byte, error) {
	if _, err := a.engine.GetState(ctx, chemigram.GetStateParams{ImageID: chemigram.ImageID(vars["image_id"])}); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(filepath.Join(a.engine.WorkspaceDir(), "exports", vars["image_id"]))
	if err != nil {
		return nil, err
	}
	defer func() { _ = root.Close() }()
	file, _, err := regularfile.OpenIn(root, vars["file"])
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, maxResourceBytes+1))
}

func (a *adapter) readPicture(_ context.Context, vars map[string]string) ([]byte, error) {
	path, ok := a.links.path(pictureScheme + vars["name"])
	if !ok {
		return nil, os.ErrNotExist
	}
	return readFile(path, maxResourceBytes)
}

// readFile reads a file, and of a larger one a byte more than the limit.
func readFile(path string, limit int64) ([]byte, error) {
	file, _, err := regularfile.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	return io.ReadAll(io.LimitReader(file, limit+1))
}

func asJSON[R any](result R, err error) ([]byte, error) {
	if err != nil {
		return nil, err
	}
	return json.Marshal(result)
}

// showsAny reports whether a resource shows one of the images.
func showsAny(uri string, images []string) bool {
	return len(images) > 0 && (uri == imagesURI || slices.ContainsFunc(images, func(image string) bool {
		return strings.HasPrefix(uri, imagesURI+"/"+url.PathEscape(image)+"/")
	}))
}

// imagesOf returns the images that a call names or makes: the image_id of its
// arguments and of its result, and the targets of a series.
func imagesOf(arguments map[string]any, result reflect.Value) (images []string) {
	targets, _ := arguments["targets"].([]any)
	for _, id := range append(targets, arguments["image_id"]) {
		if id, ok := id.(string); ok {
			images = append(images, id)
		}
	}
	if made := result.FieldByName("ImageID"); made.IsValid() && !slices.Contains(images, made.String()) {
		images = append(images, made.String())
	}
	return images
}
