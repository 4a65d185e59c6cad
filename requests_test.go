package chemigram

import (
	"encoding/json"
	"os"
	"path"
	"slices"
	"strings"
	"testing"
)

// request is what a photographer may ask for.
type request struct {
	// Ask is what they say.
	Ask string `json:"ask"`
	// Right are the answers of which one has to come first: "move NAME", "tool NAME",
	// "mask NAME", "no" for what is not possible, "nothing" for what means nothing.
	Right []string `json:"right"`
	// Also are moves that are no nonsense as further answers: names, or a tag as "#tag".
	Also []string `json:"also"`
}

// answers are what a search gives: the first one, and the moves that it lists.
func answers(t *testing.T, e *Engine, ask string) (first string, moves []Move) {
	t.Helper()
	res, err := e.ListVocabulary(t.Context(), ListVocabularyParams{Query: ask, Detail: true, Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case res.Answer != nil && res.Answer.Kind == "not_possible":
		if res.Answer.Says == "" || !strings.Contains(res.Answer.Says, "log_vocabulary_gap") {
			t.Errorf("%q: not possible, and nothing is said of what to do: %+v", ask, res.Answer)
		}
		return "no", res.Entries
	case res.Answer != nil && res.Answer.Kind == "none":
		return "nothing", res.Entries
	case res.Answer != nil:
		return res.Answer.Kind + " " + res.Answer.Name, res.Entries
	case len(res.Entries) == 0:
		return "nothing", nil
	}
	return "move " + res.Entries[0].Name, res.Entries
}

// matches reports whether a pattern fits a text.
func matches(pattern, text string) bool {
	ok, err := path.Match(pattern, text)
	return ok && err == nil
}

// nonsense lists the first moves that have nothing to do with a request.
func (r request) nonsense(first string, moves []Move) []string {
	var names []string
	fits := func(m Move) bool {
		return slices.ContainsFunc(r.Right, func(p string) bool { return matches(p, "move "+m.Name) }) ||
			slices.ContainsFunc(r.Also, func(p string) bool {
				tag, isTag := strings.CutPrefix(p, "#")
				return matches(p, m.Name) || isTag && slices.Contains(m.Tags, tag)
			})
	}
	for _, m := range moves[:min(3, len(moves))] {
		// Beside what is not possible stands what comes nearest; it is named in words.
		if first != "no" && !fits(m) {
			names = append(names, m.Name)
		}
	}
	return names
}

func readRequests(t *testing.T, name string) []request {
	t.Helper()
	data, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var list []request
	if err := json.Unmarshal(data, &list); err != nil {
		t.Fatal(err)
	}
	return list
}

// TestRequestsOfPhotographers holds the first answer to the right one in nine of ten, and
// wants nonsense in none. The search was not tuned for the requests that were held back:
// when it was first tried on them, 44 of the 47 were right first, and 5 had nonsense.
func TestRequestsOfPhotographers(t *testing.T) {
	e := openWithout(t, Options{})
	for _, set := range []struct {
		name            string
		right, nonsense float64
	}{{"requests.json", 0.9, 0}, {"requests_held_back.json", 0.85, 0.1}} {
		list := readRequests(t, set.name)
		right, wrong := 0, 0
		for _, r := range list {
			first, moves := answers(t, e, r.Ask)
			if slices.ContainsFunc(r.Right, func(p string) bool { return matches(p, first) }) {
				right++
			} else {
				t.Logf("%q: %s, want one of %q", r.Ask, first, r.Right)
			}
			if names := r.nonsense(first, moves); len(names) > 0 {
				t.Logf("%q finds nonsense: %q", r.Ask, names)
				wrong++
			}
		}
		t.Logf("%s: %d of %d right first, %d with nonsense", set.name, right, len(list), wrong)
		if float64(right) < set.right*float64(len(list)) || float64(wrong) > set.nonsense*float64(len(list)) {
			t.Errorf("%s: want %.0f %% right first, and nonsense in %.0f %% at most", set.name, 100*set.right, 100*set.nonsense)
		}
	}
}

func TestAMoveThatIsNoneIsAnsweredLikeAQuery(t *testing.T) {
	e := openWithout(t, Options{})
	add(t, e, "a", "5.4.1")
	for name, want := range map[string]struct{ says, suggested string }{
		"heal": {"apply_spot", ""}, "export": {"export_final", ""}, "undo": {"tool undo", ""},
		"remove_person": {"not possible here", "crop"}, "blur_background": {"blur", "blur"},
		"exposre": {"exposure", "exposure"}, "crop_squre": {"crop_square", "crop_square"}, "make_brighter": {"exposure", "exposure"}, "xyzzy_plugh": {"there is no primitive", ""},
	} {
		_, err := e.ApplyPrimitive(t.Context(), ApplyPrimitiveParams{ImageID: "a", PrimitiveName: name})
		failure := AsError(err)
		suggested, _ := failure.Details["suggestions"].([]string)
		if failure.Code != ErrNotFound || failure.Details["name"] != name ||
			!strings.Contains(failure.Message, want.says) || want.suggested != "" && !slices.Contains(suggested, want.suggested) {
			t.Errorf("%s: %v %v", name, failure, failure.Details)
		}
	}
}
