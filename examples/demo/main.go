package demo

import (
	"context"
	"fmt"
	"os"
	"os/signal"
)

// Main runs a program until it returns, with a context that an interrupt cancels. An
// error is printed after the program's name, and the exit status is then 1.
func Main(name string, run func(context.Context) error) {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	err := run(ctx)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, name+":", err)
		os.Exit(1)
	}
}
