package notebook

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestTasteNamesAreNoPaths(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"Portrait": "portrait", "Black  and White": "black-and-white", "_default": "_default", "street.md": "street",
		"Po\u0301rtrat": "p\u00f3rtrat", "..": "", "../x": "", "/etc/passwd": "", `a\b`: "", "a/b": "", "a\x00b": "", "": "",
		"CON": "", "nul.md": "", "com1": "", ".hidden": "", "-rf": "", "c:x": "", "a\xff": "", strings.Repeat("x", 65): "",
	} {
		got, ok := tasteName(name)
		if ok != (want != "") || ok && got != want {
			t.Errorf("tasteName(%q) = %q, %v; want %q", name, got, ok, want)
		}
	}
}

func FuzzContextFiles(f *testing.F) {
	f.Add("Tastes: a, b\n- key: value\n", "- key: other\n", "Appearance")
	f.Add("## Appearance\r\n\r\n- a: b\r\n\r\n## Value\r\n", "- a: c\nmore\n", "Appearance")
	f.Add("- **Tastes:** ../x;\x00", "* : \n-  \n", "Value")
	f.Fuzz(func(t *testing.T, old, content, heading string) {
		for _, name := range namedTastes(old) {
			if file, ok := tasteName(name); ok && !filepath.IsLocal(file+".md") {
				t.Errorf("taste %q leads to %q", name, file)
			}
		}
		Conflicts([]Taste{{Name: "a", Content: old}, {Name: "b", Content: content}})
		for _, edit := range []*textEdit{appendText(old, content), amendSection(old, heading, content)} {
			var kept strings.Builder
			for _, line := range edit.lines {
				if line.kind != '+' {
					kept.WriteString(line.text + "\n")
				}
			}
			var want strings.Builder
			for line := range strings.Lines(old) {
				if text, ended := strings.CutSuffix(line, "\n"); ended {
					line = strings.TrimSuffix(text, "\r")
				}
				want.WriteString(line + "\n")
			}
			if kept.String() != want.String() {
				t.Errorf("the edit is of %q, not of %q", kept.String(), want.String())
			}
			edit.unified("x", false)
		}
	})
}
