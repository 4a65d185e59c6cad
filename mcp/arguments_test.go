package mcp

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/chemigram/chemigram/internal/fault"
)

var probeChecker = newChecker(inputSchema(reflect.TypeFor[probeParams](), nil))

func TestEveryViolationIsFound(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		arguments string
		want      []fault.Violation
	}{
		{`{"id": "a"}`, nil},
		{`{}`, []fault.Violation{{Pointer: "/id", Expected: idRule, Got: "nothing"}}},
		{``, []fault.Violation{{Pointer: "/id", Expected: idRule, Got: "nothing"}}},
		{`null`, []fault.Violation{{Pointer: "/id", Expected: idRule, Got: "nothing"}}},
		{`[]`, []fault.Violation{{Pointer: "", Expected: "an object with id", Got: "a list"}}},
		{`{"id": "../x", "size": 15, "count": 1.5, "factor": "1", "tags": ["a", 2], "region": {"x": 2, "y": 0, "z": 1, "width": 1}, "Id": "a", "a/b~c": {}}`, []fault.Violation{
			{Pointer: "/id", Expected: idRule, Got: `"../x"`},
			{Pointer: "/count", Expected: "a whole number", Got: "1.5"},
			{Pointer: "/size", Expected: "a whole number from 16 to 16384", Got: "15"},
			{Pointer: "/factor", Expected: "a number", Got: `"1"`},
			{Pointer: "/tags/1", Expected: "a text", Got: "2"},
			{Pointer: "/region/x", Expected: "a number from 0 to 1", Got: "2"},
			{Pointer: "/region/height", Expected: "a number from 0 to 1", Got: "nothing"},
			{Pointer: "/region/z", Expected: "no such argument; there are x, y, width, height", Got: "1"},
			{Pointer: "/Id", Expected: noSuch, Got: `"a"`},
			{Pointer: "/a~1b~0c", Expected: noSuch, Got: "an object"},
		}},
		{`{"id": "a", "count": 9223372036854775808}`, []fault.Violation{{Pointer: "/count", Expected: "a whole number", Got: "9223372036854775808"}}},
		{`{"id": "a", "count": 1e999999999}`, []fault.Violation{{Pointer: "/count", Expected: "a whole number", Got: "1e999999999"}}},
		{`{"id": "a", "factor": 1e400}`, []fault.Violation{{Pointer: "/factor", Expected: "a number", Got: "1e400"}}},
		{`{"id": "a", "count": true}`, []fault.Violation{{Pointer: "/count", Expected: "a whole number", Got: "true"}}},
		{`{"id": "a", "tags": [null]}`, []fault.Violation{{Pointer: "/tags/0", Expected: "a text", Got: "null"}}},
		{`{"id": "a", "values": {"x": "y"}}`, []fault.Violation{{Pointer: "/values/x", Expected: "a number", Got: `"y"`}}},
	} {
		_, _, found := probeChecker.arguments(json.RawMessage(c.arguments))
		if diff := cmp.Diff(c.want, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.arguments, diff)
		}
	}
}

const (
	idRule = "a letter or digit, then up to 127 letters, digits, '.', '_' or '-'"
	noSuch = "no such argument; there are id, count, size, factor, values, tags, region, quality"
)

func TestInvalidJSONIsAViolation(t *testing.T) {
	t.Parallel()
	for _, text := range []string{`{"id":`, `{"id": "a"} {}`, `{'id': 1}`, "\x00"} {
		if _, _, found := probeChecker.arguments(json.RawMessage(text)); len(found) != 1 {
			t.Errorf("%q: %v", text, found)
		}
	}
}

func TestNullIsAbsentAtEveryDepth(t *testing.T) {
	t.Parallel()
	session := serve(t, probe(echo))
	a := callTool(t, session, "probe", map[string]any{
		"id": "a", "count": nil, "size": nil, "factor": nil, "tags": nil, "region": nil, "values": map[string]any{"ev": nil, "x": 1},
	})
	want := map[string]any{"id": "a", "size": 1024.0, "values": map[string]any{"x": 1.0}}
	if diff := cmp.Diff(want, a.Data["got"]); diff != "" {
		t.Errorf("decoded (-want +got):\n%s", diff)
	}
}

func TestWholeNumbersStayExact(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]int64{
		"9223372036854775807": 9223372036854775807, "-9007199254740993": -9007199254740993,
		"1.0": 1, "1e3": 1000, "12.50e1": 125, "-0": 0, "922337203685477580.7e1": 9223372036854775807,
	} {
		arguments, _, found := probeChecker.arguments(json.RawMessage(`{"id": "a", "count": ` + text + `}`))
		if len(found) > 0 {
			t.Errorf("%s: %v", text, found)
			continue
		}
		plain, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		var p probeParams
		if err := json.Unmarshal(plain, &p); err != nil || p.Count != want {
			t.Errorf("%s became %d (%v)", text, p.Count, err)
		}
	}
}

func TestAResponseListsAtMostAHundredViolations(t *testing.T) {
	t.Parallel()
	a := callTool(t, serve(t, probe(echo)), "probe", map[string]any{"id": "a", "tags": make([]int, 5000)})
	list, _ := a.Error.Details["violations"].([]any)
	if len(list) != 100 || a.Error.Details["violations_total"] != 5000.0 {
		t.Errorf("%d violations of %v", len(list), a.Error.Details["violations_total"])
	}
	if !strings.HasSuffix(a.Error.Message, "and 4990 more") {
		t.Errorf("message: %s", a.Error.Message)
	}
}

// Arguments without violations decode, and have none when they are checked again.
func FuzzArguments(f *testing.F) {
	for _, seed := range []string{
		`{"id": "a", "count": 1e2, "size": 99, "factor": null, "values": {"a": 1}, "tags": ["x"], "region": {"x": 0, "y": 0, "width": 1, "height": 1}}`,
		`{"id": "a", "id": "b", "ID": "c"}`, `[[[[`, `{"id": "\ud800"}`, `{"id": "a", "count": -0.0e-0}`, `nul`, ``,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		arguments, _, found := probeChecker.arguments(raw)
		if len(found) > 0 {
			_ = fault.Violated(found)
			return
		}
		plain, err := json.Marshal(arguments)
		if err != nil {
			t.Fatal(err)
		}
		var p probeParams
		if err := json.Unmarshal(plain, &p); err != nil {
			t.Fatalf("%s passes the check and does not decode: %v", plain, err)
		}
		if _, _, again := probeChecker.arguments(plain); len(again) > 0 {
			t.Fatalf("%s passed the check once: %v", plain, again)
		}
	})
}
