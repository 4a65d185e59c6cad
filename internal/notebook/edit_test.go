package notebook

import "testing"

func TestWhatIsNotChangedStaysByteForByte(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ old, content, want string }{
		// Line ends of other lines, and a last line without one.
		{"- a: 1\r\n- b: 2\n- c: 3", "- b: 4", "- a: 1\r\n- b: 4\n- c: 3"},
		{"- a: 1\r\n- b: 2\n- c: 3", "- c: 4", "- a: 1\r\n- b: 2\n- c: 4"},
		{"- a: 1\n- b: 2\r\n", "- b: 4", "- a: 1\n- b: 4\r\n"},
		{"x\ry\r\r\nz \t\n\n\n- b: 2\n\n\n", "- b: 4", "x\ry\r\r\nz \t\n\n\n- b: 4\n\n\n"},
		{"\xff\xfe\n- b: 2", "- b: 4", "\xff\xfe\n- b: 4"},
		// What is added ends as most lines do.
		{"## Value\r\n\r\n- a: 1\r\n", "- b: 2", "## Value\r\n\r\n- a: 1\r\n- b: 2\r\n"},
		{"## Value\n\n- a: 1\r\n", "- b: 2", "## Value\n\n- a: 1\r\n- b: 2\n"},
		{"## Value\n- a: 1", "- b: 2", "## Value\n- a: 1\n- b: 2\n"},
		{"## Value\n- a: 1\n\n## Other\r\nlast", "- b: 2", "## Value\n- a: 1\n- b: 2\n\n## Other\r\nlast"},
	} {
		if got := amendSection(c.old, "Value", c.content).result(); got != c.want {
			t.Errorf("%q with %q is %q, want %q", c.old, c.content, got, c.want)
		}
	}
	if got := appendText("one\r\ntwo\nthree", "four").result(); got != "one\r\ntwo\nthree\n\nfour\n" {
		t.Errorf("appended: %q", got)
	}
	if got := appendText("one\r\n\r\n\r\n", "two\nthree").result(); got != "one\r\n\r\ntwo\r\nthree\r\n\r\n\r\n" {
		t.Errorf("appended before blank lines: %q", got)
	}
}

func TestAStatementIsNotWrittenTwice(t *testing.T) {
	t.Parallel()
	const old = "Soft light.\n\n## Appearance\n\n- no vignette\n- faces:\n  - warm\n- contrast: low\n\nNever blow\nout skies.\n"
	for _, c := range []struct {
		name, content, want string
		repeated            int
	}{
		{"a bullet", "- no vignette", old, 1},
		{"another bullet sign, case and blanks", "* No  Vignette", old, 1},
		{"a line of another section", "Soft light.", old, 1},
		{"a paragraph", "Never blow\nout skies.", old, 2},
		{"a bullet with what is below it", "- faces:\n  - warm", old, 2},
		{"half of a paragraph is another one", "out skies.", old + "\nout skies.\n", 0},
		{"twice in one", "- grain\n- grain", old + "\n- grain\n", 1},
		{"what is new among it", "- no vignette\n- grain", old + "\n- grain\n", 1},
		{"a key again", "- contrast: low", old, 0},
		{"headings belong to what follows", "### Skies\nSoft light.", old + "\n### Skies\nSoft light.\n", 0},
	} {
		edit := amendSection(old, "Appearance", c.content)
		if got := edit.result(); got != c.want || len(edit.repeated) != c.repeated {
			t.Errorf("%s: %q, %q repeated; want %q and %d", c.name, got, edit.repeated, c.want, c.repeated)
		}
	}
}
