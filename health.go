package chemigram

import (
	"context"
	"errors"
	"path/filepath"
	"runtime"

	"github.com/chemigram/chemigram/internal/fault"
	"github.com/chemigram/chemigram/internal/workspace"
	"github.com/chemigram/chemigram/render"
)

// HealthCheckParams are the parameters of HealthCheck: there are none.
type HealthCheckParams struct{}

// HealthCheckResult reports whether everything works, and how to mend what does
// not.
type HealthCheckResult struct {
	// Status is ok, or degraded when a check failed.
	Status HealthStatus `json:"status"`
	// Version of Chemigram.
	Version string `json:"version"`
	// Darktable that was found.
	Darktable DarktableHealth `json:"darktable"`
	// Workspace that is open.
	Workspace WorkspaceHealth `json:"workspace"`
	// Packs of the vocabulary that are loaded.
	Packs []PackHealth `json:"packs"`
	// Platform is the operating system and processor, such as linux/amd64.
	Platform string `json:"platform"`
	// MemoryBytes is what the engine itself uses.
	MemoryBytes int64 `json:"memory_bytes"`
	// Checks that were made.
	Checks []HealthFinding `json:"checks"`
}

// HealthStatus is ok or degraded.
type HealthStatus string

// DarktableHealth is the darktable that was found.
type DarktableHealth struct {
	// Found is true when there is a darktable.
	Found bool `json:"found"`
	// Path of darktable-cli.
	Path string `json:"path"`
	// Version of darktable.
	Version string `json:"version"`
	// Supported is true when Chemigram can use it.
	Supported bool `json:"supported"`
	// RenderMode is prepared (darktables that have loaded a raw make previews)
	// or cold (one darktable-cli for each picture).
	RenderMode RenderMode `json:"render_mode"`
	// RenderReason says why the mode is cold; empty when it is prepared.
	RenderReason string `json:"render_reason,omitempty"`
}

// RenderMode is how previews are made.
type RenderMode string

// WorkspaceHealth is the workspace that is open.
type WorkspaceHealth struct {
	// Root is its folder.
	Root string `json:"root"`
	// Images is how many it has.
	Images int `json:"images"`
	// Writable is true when edits can be kept.
	Writable bool `json:"writable"`
	// FreeBytes is the free space on its disk; 0 when the system does not say.
	FreeBytes int64 `json:"free_bytes"`
}

// PackHealth is a vocabulary pack that is loaded.
type PackHealth struct {
	// Name of the pack.
	Name string `json:"name"`
	// Version of the pack.
	Version string `json:"version"`
}

// HealthFinding is one check.
type HealthFinding struct {
	// Name of what was checked.
	Name string `json:"name"`
	// OK is true when it is well.
	OK bool `json:"ok"`
	// Message says what is wrong and how to mend it, or what else is to be known.
	Message string `json:"message,omitempty"`
}

// HealthCheck reports whether darktable, the workspace and the vocabulary are
// well, and how to mend what is not. It never fails.
func (e *Engine) HealthCheck(ctx context.Context, _ HealthCheckParams) (HealthCheckResult, error) {
	var memory runtime.MemStats
	runtime.ReadMemStats(&memory)
	res := HealthCheckResult{
		Version: Version(), Packs: []PackHealth{}, Platform: runtime.GOOS + "/" + runtime.GOARCH,
		MemoryBytes: int64(memory.Sys - memory.HeapReleased),
		Workspace:   WorkspaceHealth{Root: e.workspace.Root()},
	}
	res.Checks = append(res.Checks, e.checkDarktable(&res.Darktable), e.checkWorkspace(&res.Workspace))
	res.Checks = append(res.Checks, e.checkPacks()...)
	if says, ok := e.proofs.Summary(); says != "" {
		res.Checks = append(res.Checks, HealthFinding{Name: "proof", OK: ok, Message: says})
	}
	for _, pack := range e.vocabulary.Packs() {
		res.Packs = append(res.Packs, PackHealth{Name: pack.Name, Version: pack.Version})
	}
	res.Status = "ok"
	for _, check := range res.Checks {
		if !check.OK {
			res.Status = "degraded"
		}
	}
	return res, ctx.Err()
}

func (e *Engine) checkDarktable(d *DarktableHealth) HealthFinding {
	d.RenderMode = "cold"
	if e.darktable == nil {
		if failure, ok := errors.AsType[*render.Error](e.darktableErr); ok && failure.Kind == render.Unsupported {
			d.Found, d.Path, d.Version = true, failure.Path, failure.Version
		}
		return finding("darktable", e.darktableErr)
	}
	d.Found, d.Supported = true, true
	d.Path, d.Version = e.darktable.Path(), e.darktable.Version()
	if d.RenderReason = e.coldReason(); d.RenderReason == "" {
		d.RenderMode = "prepared"
	}
	known, err := e.installed.Of(e.darktable)
	if err != nil {
		return finding("darktable", err)
	}
	return HealthFinding{Name: "darktable", OK: !known.Guessed(), Message: known.String()}
}

// coldReason says why previews do without prepared workers.
func (e *Engine) coldReason() string {
	if e.workers == nil {
		return "prepared workers are switched off"
	}
	switch status := e.workers.Status(); {
	case status.Reason != nil:
		return status.Reason.Error()
	case !status.Tested:
		return "prepared workers are tried with the first preview"
	}
	return ""
}

func (e *Engine) checkWorkspace(w *WorkspaceHealth) HealthFinding {
	ids, err := e.workspace.IDs()
	w.Images = len(ids)
	w.FreeBytes = workspace.FreeBytes(e.workspace.Root())
	if !e.opts.ReadOnly {
		writeErr := e.workspace.Probe()
		w.Writable = writeErr == nil
		err = errors.Join(err, writeErr)
	}
	if err != nil {
		err = fault.New(fault.Permission, "%v: make %s a folder that this user can write to", err, filepath.Clean(e.workspace.Root()))
	}
	return finding("workspace", err)
}

func (e *Engine) checkPacks() []HealthFinding {
	out := []HealthFinding{finding("vocabulary", nil)}
	for _, err := range e.packErrors {
		out = append(out, finding("vocabulary", err))
	}
	return out
}

func finding(name string, err error) HealthFinding {
	if err == nil {
		return HealthFinding{Name: name, OK: true}
	}
	if known, ok := errors.AsType[*Error](err); ok {
		return HealthFinding{Name: name, Message: known.Message}
	}
	return HealthFinding{Name: name, Message: err.Error()}
}
