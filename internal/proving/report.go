package proving

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"html/template"
	"os"
	"path/filepath"
	"time"

	"github.com/chemigram/chemigram/internal/atomicfile"
)

//go:embed page.html
var pageText string

var page = template.Must(template.New("page").Parse(pageText))

// report is IDENTITY.json, and what the page shows.
type report struct {
	Darktable string    `json:"darktable"`
	Identity  string    `json:"identity"`
	Chemigram string    `json:"chemigram"`
	Made      time.Time `json:"made"`
	Total     int       `json:"total"`
	Proven    int       `json:"proven"`
	Failed    int       `json:"failed"`
	Skipped   int       `json:"skipped"`
	Missing   int       `json:"missing"`
	// Proofs are those that failed first, each by name.
	Proofs []shownProof `json:"proofs"`
	// Unproven names what has no proof yet.
	Unproven []string `json:"unproven"`
}

// shownProof is a record with its picture, by its path beside the report.
type shownProof struct {
	Record
	OK      bool   `json:"ok"`
	Picture string `json:"picture,omitempty"`
}

// Name is the move's or the mask's.
func (s shownProof) Name() string { return s.subject().String() }

// writeReport writes the page and the report of a darktable, each whole or not at all.
func (r *run) writeReport(known map[subject]Record) (Outcome, error) {
	out := r.outcome()
	made := report{
		Darktable: out.Darktable, Identity: out.Identity, Chemigram: r.Chemigram, Made: time.Now().UTC().Truncate(time.Second),
		Total: out.Total, Proven: out.Proven, Failed: out.Failed, Skipped: out.Skipped, Missing: out.Missing,
		Proofs: []shownProof{}, Unproven: []string{},
	}
	var holding []shownProof
	for s, is := range r.subjects() {
		record, ok := r.current(known, s, is)
		if !ok {
			made.Unproven = append(made.Unproven, s.String())
			continue
		}
		_, failed := record.Failure()
		shown := shownProof{Record: record, OK: !failed}
		if name := filepath.Join(r.identity, pictureName(s)); exists(r.Workspace.Path(folder, name)) {
			shown.Picture = filepath.ToSlash(name)
		}
		if failed {
			made.Proofs = append(made.Proofs, shown)
		} else {
			holding = append(holding, shown)
		}
	}
	made.Proofs = append(made.Proofs, holding...)
	text, err := json.MarshalIndent(made, "", " ")
	if err != nil {
		return out, err
	}
	var html bytes.Buffer
	if err := page.Execute(&html, made); err != nil {
		return out, err
	}
	out.Report, out.Page = r.path(r.identity, ".json"), r.path(r.identity, ".html")
	return out, errors.Join(
		atomicfile.Write(out.Report, append(text, '\n'), 0o644),
		atomicfile.Write(out.Page, html.Bytes(), 0o644),
	)
}

func exists(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}
