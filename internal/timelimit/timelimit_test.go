package timelimit

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

func TestAContextEndsAfterItsLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := With(t.Context(), time.Minute)
		defer cancel()
		if left := Left(ctx); left != time.Minute {
			t.Errorf("%v are left", left)
		}
		time.Sleep(2 * time.Minute) //nolint:forbidigo // in a bubble of synctest
		if left := Left(ctx); left != time.Millisecond || ctx.Err() == nil {
			t.Errorf("%v are left, %v", left, ctx.Err())
		}
	})
}

// A caller's deadline does not shorten what darktable gets beside it, and a context
// without any limit has a finite one.
func TestLeftOfOtherContexts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		if left := Left(t.Context()); left != Default {
			t.Errorf("without a limit %v are left", left)
		}
		ctx, cancel := context.WithTimeout(t.Context(), 3*time.Second)
		defer cancel()
		ctx, cancel = With(ctx, time.Minute)
		defer cancel()
		if left := Left(ctx); left != time.Minute {
			t.Errorf("within a deadline of 3 seconds %v are left", left)
		}
		time.Sleep(4 * time.Second) //nolint:forbidigo // in a bubble of synctest
		if ctx.Err() == nil {
			t.Error("it outlives the caller's deadline")
		}
	})
}
