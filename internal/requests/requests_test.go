package requests

import (
	"strings"
	"testing"

	"github.com/chemigram/chemigram/vocab"
)

func shipped(t *testing.T) *vocab.Vocabulary {
	t.Helper()
	sources, err := vocab.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	v, failures := vocab.Load(sources...)
	if len(failures) > 0 {
		t.Fatal(failures)
	}
	return v
}

func TestTheTablesNameWhatThereIs(t *testing.T) {
	v := shipped(t)
	for _, e := range table() {
		for _, name := range e.moves {
			if len(v.Like(name)) == 0 {
				t.Errorf("no move is called %s", name)
			}
		}
		if e.kind == Mask && !hasMask(v, e.name) {
			t.Errorf("no mask is called %s", e.name)
		}
		if len(e.phrases) == 0 {
			t.Errorf("%s %s: nobody can ask for it", e.kind, e.name)
		}
		if e.kind != Move && e.says == "" {
			t.Errorf("%s %s: nothing is said of it", e.kind, e.name)
		}
	}
}

func TestMorePhrasesOfAToolAreItsOwn(t *testing.T) {
	v := shipped(t)
	for _, name := range Tools() {
		asked := strings.ReplaceAll(name, "_", " ")
		if a, ok := Find(v, asked); !ok || a.Kind != Tool || a.Name != name {
			t.Errorf("%q finds %s %q", asked, a.Kind, a.Name)
		}
	}
}

func TestWordsThatMeanNothingAreNotAnswered(t *testing.T) {
	v := shipped(t)
	for _, asked := range []string{"", " ", "the", "???", "lorem ipsum", "42", "of it and", "\x00\xff", strings.Repeat("word ", 2000)} {
		if a, ok := Find(v, asked); ok {
			t.Errorf("%.20q finds %+v", asked, a)
		}
	}
}

func FuzzFind(f *testing.F) {
	sources, err := vocab.Builtin()
	if err != nil {
		f.Fatal(err)
	}
	v, _ := vocab.Load(sources...)
	f.Add("remove the person in the background")
	f.Add("4x5")
	f.Fuzz(func(t *testing.T, asked string) {
		a, ok := Find(v, asked)
		if ok && (a.Name == "" || a.Kind == "") {
			t.Errorf("%q finds %+v", asked, a)
		}
	})
}
