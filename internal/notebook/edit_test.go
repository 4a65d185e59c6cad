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
