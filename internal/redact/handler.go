package redact

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
)

// NewHandler wraps a handler so that a log is safe to show and to search. What looks
// like a secret (tokens, keys, passwords in URLs) is replaced by [Mark] in messages and
// values, and home, when it is not empty, by "~". A key is written once: an attribute
// whose key is taken by an earlier one, or by time, level, msg and source, is written
// with a number, so that none can be mistaken for another.
func NewHandler(next slog.Handler, home string) slog.Handler {
	return logHandler{next: next, home: home}
}

// Logger returns a logger that hides what looks like a secret, as [NewHandler] does, and
// writes to the one given. Of nil it is one that writes nothing.
func Logger(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}
	if _, hides := l.Handler().(logHandler); hides {
		return l
	}
	return slog.New(NewHandler(l.Handler(), ""))
}

type logHandler struct {
	next  slog.Handler
	home  string
	attrs []slog.Attr // of WithAttrs, in their groups
	group []string
}

func (h logHandler) Enabled(ctx context.Context, level slog.Level) bool {
	return h.next.Enabled(ctx, level)
}

func (h logHandler) Handle(ctx context.Context, record slog.Record) error {
	clean := slog.NewRecord(record.Time, record.Level, h.redact(record.Message), record.PC)
	var own []slog.Attr
	record.Attrs(func(a slog.Attr) bool {
		own = append(own, a)
		return true
	})
	// Of equal keys, those of the event go before those of the logger.
	all := append(h.nest(own), h.attrs...)
	taken := map[string]bool{slog.TimeKey: true, slog.LevelKey: true, slog.MessageKey: true, slog.SourceKey: true}
	clean.AddAttrs(h.clean(all, taken)...)
	return h.next.Handle(ctx, clean)
}

func (h logHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	h.attrs = append(slices.Clip(h.attrs), h.nest(attrs)...)
	return h
}

func (h logHandler) WithGroup(name string) slog.Handler {
	if name != "" {
		h.group = append(slices.Clip(h.group), name)
	}
	return h
}

// nest puts attributes into the open groups.
func (h logHandler) nest(attrs []slog.Attr) []slog.Attr {
	for _, name := range slices.Backward(h.group) {
		attrs = []slog.Attr{{Key: name, Value: slog.GroupValue(attrs...)}}
	}
	return attrs
}

// clean redacts attributes and makes their keys unique. taken are the keys in use.
func (h logHandler) clean(attrs []slog.Attr, taken map[string]bool) []slog.Attr {
	out := make([]slog.Attr, 0, len(attrs))
	for _, a := range attrs {
		a.Value = a.Value.Resolve()
		if a.Equal(slog.Attr{}) {
			continue
		}
		key := a.Key
		for n := 2; key != "" && taken[key]; n++ {
			key = fmt.Sprintf("%s_%d", a.Key, n)
		}
		taken[key] = true
		out = append(out, slog.Attr{Key: key, Value: h.cleanValue(a)})
	}
	return out
}

func (h logHandler) cleanValue(a slog.Attr) slog.Value {
	if Key(a.Key) && a.Value.Kind() != slog.KindBool && a.Value.Any() != nil {
		return slog.StringValue(Mark)
	}
	switch v := a.Value; v.Kind() {
	case slog.KindGroup:
		return slog.GroupValue(h.clean(v.Group(), map[string]bool{})...)
	case slog.KindString, slog.KindAny:
		if text, ok := v.Any().(string); ok {
			return slog.StringValue(h.redact(text))
		}
		return slog.StringValue(h.redact(fmt.Sprint(v.Any())))
	default:
		return v
	}
}

// maxLogged is how many bytes of a string are logged: a client may send megabytes.
const maxLogged = 8 << 10

// redact shortens a string and hides what looks like a secret.
func (h logHandler) redact(text string) string {
	if len(text) > maxLogged {
		text = strings.ToValidUTF8(text[:maxLogged], "") + "…"
	}
	text = Text(text)
	if h.home != "" {
		text = strings.ReplaceAll(text, h.home, "~")
	}
	return text
}
