package chemigram_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/chemigram/chemigram"
)

// recorded does one call in a session, as an adapter does with every call.
func recorded(ctx context.Context, engine *chemigram.Engine) (chemigram.SessionID, error) {
	session, err := engine.BeginSession(ctx, nil)
	if err != nil {
		return "", err
	}
	p := chemigram.ApplyPrimitiveParams{ImageID: "wedding", PrimitiveName: "warmth"}
	said, err := json.Marshal(p)
	if err != nil {
		return "", err
	}
	end := session.Call(ctx, "apply_primitive", said)
	end(engine.ApplyPrimitive(ctx, p))
	return session.ID(), session.End()
}

func ExampleEngine_ListTranscripts() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	if _, err := recorded(ctx, engine); err != nil {
		fmt.Println(err)
		return
	}
	sessions, err := engine.ListTranscripts(ctx, chemigram.ListTranscriptsParams{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, session := range sessions.Transcripts {
		fmt.Println(session.Actor, session.Images, session.Calls, session.Ended)
	}
	// Output: an agent [wedding] 1 true
}

// What was called, and which look came of it.
func ExampleEngine_ReadTranscript() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	session, err := recorded(ctx, engine)
	if err != nil {
		fmt.Println(err)
		return
	}
	transcript, err := engine.ReadTranscript(ctx, chemigram.ReadTranscriptParams{SessionID: session})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, call := range transcript.Calls {
		fmt.Println(call.N, call.Verb, call.Params["primitive_name"], call.Outcome, call.StateBefore != call.StateAfter)
	}
	// Output: 1 apply_primitive warmth ok true
}

// The session again, on a copy: with the same darktable every look is the same.
func ExampleEngine_Replay() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	session, err := recorded(ctx, engine)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := engine.Replay(ctx, chemigram.ReplayParams{SessionID: session, ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.ImageID, res.Calls, res.Same)
}
