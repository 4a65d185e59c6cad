package studio

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/regularfile"
)

const (
	// maxSide is the longest edge of a picture that the page asks for, in pixels.
	maxSide = 4096
	// resultHeader has the numbers of a picture's result, as JSON in ASCII.
	resultHeader = "Chemigram-Result"
)

// shown is a picture that the engine made.
type shown struct {
	path   string
	result any // for the page, beside the picture
	look   string
}

// pictures are the kinds of pictures that the page asks for by ?kind=….
var pictures = map[string]func(ctx context.Context, engine *chemigram.Engine, q url.Values) (shown, error){
	"preview": preview, "draft": draft, "difference": difference, "mask": maskPicture,
}

// picture answers with a picture. All that it is made of is in the query; where its file
// is, the engine says.
func (s *Studio) picture(w http.ResponseWriter, req *http.Request) {
	q := req.URL.Query()
	made, known := pictures[q.Get("kind")]
	if !known {
		refuse(w, http.StatusNotFound, "there is no such kind of picture")
		return
	}
	ctx, cancel := s.until(req.Context())
	defer cancel()
	p, err := made(chemigram.WithActor(ctx, s.opts.Actor), s.engine, q)
	if err != nil {
		answerError(w, err)
		return
	}
	file, info, err := regularfile.Open(p.path)
	if err != nil {
		answerError(w, &chemigram.Error{Op: "picture", Code: chemigram.ErrState, Message: "the picture has been removed from the cache: ask for it again", Recoverable: true})
		return
	}
	defer func() { _ = file.Close() }()
	h := w.Header()
	if result, err := json.Marshal(p.result); err == nil {
		h.Set(resultHeader, strconv.QuoteToASCII(string(result)))
	}
	h.Set("Content-Type", "image/jpeg")
	h.Set("Cache-Control", "private, no-cache") // to be asked for again, with the tag
	h.Set("ETag", tagOf(p, info, req.URL.RawQuery))
	http.ServeContent(w, req, "", time.Time{}, file)
}

// tagOf is what a picture is known by: the look, what was asked for, and the file, since a
// better picture of the same look may take the place of a draft.
func tagOf(p shown, info os.FileInfo, query string) string {
	sum := sha256.Sum256(fmt.Append(nil, p.look, "\x00", query, "\x00", info.Size(), info.ModTime().UnixNano()))
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

func preview(ctx context.Context, engine *chemigram.Engine, q url.Values) (shown, error) {
	p := chemigram.RenderPreviewParams{ImageID: imageOf(q), RefOrHash: chemigram.RefOrHash(q.Get("ref")), Quality: chemigram.PreviewQuality(q.Get("quality"))}
	if err := errors.Join(readSize(q, &p.Size), readQuery(q, "region", &p.Region)); err != nil {
		return shown{}, err
	}
	r, err := engine.RenderPreview(ctx, p)
	path := r.JPEGPath
	r.JPEGPath = ""
	return shown{path, r, r.StateHash}, err
}

// draft shows moves on top of a version, which are not applied.
func draft(ctx context.Context, engine *chemigram.Engine, q url.Values) (shown, error) {
	p := DraftParams{ImageID: imageOf(q), RefOrHash: chemigram.RefOrHash(q.Get("ref"))}
	if err := errors.Join(readSize(q, &p.Size), readQuery(q, "moves", &p.Moves)); err != nil {
		return shown{}, err
	}
	r, err := renderDraft(ctx, engine, p)
	path := r.JPEGPath
	r.JPEGPath = ""
	return shown{path, r, r.StateHash}, err
}

func difference(ctx context.Context, engine *chemigram.Engine, q url.Values) (shown, error) {
	p := chemigram.CompareParams{ImageID: imageOf(q), HashA: chemigram.RefOrHash(q.Get("a")), HashB: chemigram.RefOrHash(q.Get("b"))}
	if err := readSize(q, &p.Size); err != nil {
		return shown{}, err
	}
	r, err := engine.Compare(ctx, p)
	path := r.DifferencePath
	r.JPEGPath, r.DifferencePath = "", ""
	return shown{path, r, ""}, err
}

func maskPicture(ctx context.Context, engine *chemigram.Engine, q url.Values) (shown, error) {
	p := chemigram.PreviewMaskParams{ImageID: imageOf(q)}
	if err := errors.Join(readSize(q, &p.Size), readQuery(q, "mask", &p.Mask)); err != nil {
		return shown{}, err
	}
	r, err := engine.PreviewMask(ctx, p)
	path := r.JPEGPath
	r.JPEGPath = ""
	return shown{path, r, ""}, err
}

func imageOf(q url.Values) chemigram.ImageID { return chemigram.ImageID(q.Get("image")) }

// readSize reads the longest edge, up to maxSide; without one it is the verb's default.
func readSize(q url.Values, size *chemigram.Size) error {
	text := q.Get("size")
	if text == "" {
		return nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 16 || n > maxSide {
		return chemigram.InvalidArgument("/size", "the size is %.20q, expected 16 to %d pixels", text, maxSide)
	}
	*size = chemigram.Size(n)
	return nil
}

// readQuery reads JSON from a part of the query that names no file.
func readQuery(q url.Values, name string, into any) error {
	text := q.Get(name)
	if text == "" {
		return nil
	}
	known, err := withoutFiles([]byte(text))
	if err != nil {
		return chemigram.InvalidArgument("/"+name, "%v", err)
	}
	dec := json.NewDecoder(bytes.NewReader(known))
	dec.DisallowUnknownFields()
	if err := dec.Decode(into); err != nil {
		return chemigram.InvalidArgument("/"+name, "it is no such JSON: %v", err)
	}
	return nil
}

// export answers with a picture in the image's own folder of exports.
func (s *Studio) export(w http.ResponseWriter, req *http.Request) {
	q := req.URL.Query()
	if _, err := s.engine.GetState(req.Context(), chemigram.GetStateParams{ImageID: imageOf(q)}); err != nil {
		answerError(w, err)
		return
	}
	notThere := &chemigram.Error{Op: "export", Code: chemigram.ErrNotFound, Message: "the image has no such export"}
	root, err := os.OpenRoot(filepath.Join(s.engine.WorkspaceDir(), "exports", q.Get("image")))
	if err != nil {
		answerError(w, notThere)
		return
	}
	defer func() { _ = root.Close() }()
	file, info, err := regularfile.OpenIn(root, q.Get("file"))
	if err != nil {
		answerError(w, notThere)
		return
	}
	defer func() { _ = file.Close() }()
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": info.Name()}))
	http.ServeContent(w, req, "", info.ModTime(), file)
}

// about tells the page what it may do.
func (s *Studio) about(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(map[string]any{"version": chemigram.Version(), "read_only": s.opts.ReadOnly})
}

// answerError answers with the envelope of an error and a status that fits.
func answerError(w http.ResponseWriter, err error) {
	e := chemigram.AsError(err)
	status := http.StatusInternalServerError
	switch {
	case errors.Is(e, chemigram.ErrNotFound):
		status = http.StatusNotFound
	case e.Recoverable, errors.Is(e, chemigram.ErrInvalidInput):
		status = http.StatusBadRequest
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(failure(e))
}
