package formerly_test

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/formerly"
)

type field struct {
	Name string `json:"name"`
	Text string `json:"text" formerly:"value"`
}

type params struct {
	Amount  *float64         `json:"amount,omitempty" formerly:"a/b"`
	Fields  []*field         `json:"fields" formerly:"members"`
	ByName  map[string]field `json:"by_name"`
	Again   *params          `json:"again"`
	Plain   []string         `json:"plain"`
	Ignored string           `json:"-" formerly:"plain"`
}

func TestRename(t *testing.T) {
	t.Parallel()
	names := formerly.Of(reflect.TypeFor[params]())
	for _, c := range []struct {
		given, want string
		renamed     map[string]string
	}{
		{`{"amount": 1, "plain": ["value"]}`, `{"amount": 1, "plain": ["value"]}`, map[string]string{}},
		{`{"a/b": 1}`, `{"amount": 1}`, map[string]string{"/amount": "/a~1b"}},
		{`{"a/b": 1, "amount": 2}`, `{"a/b": 1, "amount": 2}`, map[string]string{}},
		{`{"a/b": 1, "amount": null}`, `{"amount": 1}`, map[string]string{"/amount": "/a~1b"}},
		{
			`{"members": [{"value": "x"}, {"text": "y"}, 7]}`, `{"fields": [{"text": "x"}, {"text": "y"}, 7]}`,
			map[string]string{"/fields": "/members", "/fields/0/text": "/members/0/value"},
		},
		{`{"by_name": {"value": {"value": "x"}}}`, `{"by_name": {"value": {"text": "x"}}}`, map[string]string{"/by_name/value/text": "/by_name/value/value"}},
		{`{"value": "x"}`, `{"value": "x"}`, map[string]string{}},
		{`[1, {"amount": 2}]`, `[1, {"amount": 2}]`, map[string]string{}},
	} {
		var got, want any
		if err := json.Unmarshal([]byte(c.given), &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		renamed := names.Rename(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.given, diff)
		}
		if diff := cmp.Diff(c.renamed, renamed); diff != "" {
			t.Errorf("%s renamed (-want +got):\n%s", c.given, diff)
		}
	}
}

func TestOfATypeWithoutFormerNames(t *testing.T) {
	t.Parallel()
	names := formerly.Of(reflect.TypeFor[map[string][]struct {
		A int `json:"a"`
	}]())
	if names != nil {
		t.Errorf("got %+v, want nil", names)
	}
	if renamed := names.Rename(map[string]any{"a": 1}); len(renamed) != 0 {
		t.Errorf("renamed %v", renamed)
	}
}

func TestGiven(t *testing.T) {
	t.Parallel()
	renamed := map[string]string{"/fields": "/members", "/fields/0/text": "/members/0/value"}
	for pointer, want := range map[string]string{
		"": "", "/other": "/other", "/fields": "/members", "/fields/1/text": "/members/1/text",
		"/fields/0/text": "/members/0/value", "/fields/0/text/x": "/members/0/value/x", "/fieldsx": "/fieldsx",
	} {
		if got := formerly.Given(renamed, pointer); got != want {
			t.Errorf("Given(%q) = %q, want %q", pointer, got, want)
		}
	}
}

func TestDecode(t *testing.T) {
	t.Parallel()
	var p params
	if err := formerly.Decode([]byte(`{"a/b": 9007199254740993e-1, "members": [{"name": "x", "value": "y"}]}`), &p); err != nil {
		t.Fatal(err)
	}
	if *p.Amount != 900719925474099.3 || len(p.Fields) != 1 || p.Fields[0].Text != "y" {
		t.Errorf("got %+v", p)
	}
	for _, bad := range []string{"", "{", `{"plain": 3}`} {
		if err := formerly.Decode([]byte(bad), &params{}); err == nil {
			t.Errorf("%s is decoded", bad)
		}
	}
}
