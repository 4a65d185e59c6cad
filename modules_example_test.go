package chemigram_test

import (
	"context"
	"fmt"

	"github.com/chemigram/chemigram"
)

// Every module with its fields, and the moves that made it so.
func ExampleEngine_DescribeState() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx) // an engine with the image "wedding"
	defer done()

	if _, err := engine.ApplyPrimitive(ctx, chemigram.ApplyPrimitiveParams{
		ImageID: "wedding", PrimitiveName: "exposure",
	}); err != nil {
		fmt.Println(err)
		return
	}
	state, err := engine.DescribeState(ctx, chemigram.DescribeStateParams{ImageID: "wedding"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, module := range state.Modules {
		if len(module.MadeBy) > 0 {
			fmt.Println(module.Module, module.MadeBy)
		}
	}
	// Output: exposure [exposure]
}

// What can be set of a module, with ranges.
func ExampleEngine_DescribeModule() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	module, err := engine.DescribeModule(ctx, chemigram.DescribeModuleParams{ModuleName: "sharpen"})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, field := range module.Fields {
		fmt.Printf("%s: %s, %s by default\n", field.Name, field.Range, field.Default)
	}
	// Output:
	// radius: 0 to 99, 2 by default
	// amount: 0 to 2, 0.5 by default
	// threshold: 0 to 100, 0.5 by default
}

// Where no move says it: a module's fields by name, on an instance of its own.
func ExampleEngine_SetParameters() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	res, err := engine.SetParameters(ctx, chemigram.SetParametersParams{
		ImageID: "wedding", ModuleName: "sharpen", Instance: "fine",
		Fields: []chemigram.FieldSetting{{Name: "amount", Value: "0.8"}},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(res.Changed)
	// Output: true
}

// What works here and what does not. Without darktable, edits still go.
func ExampleEngine_HealthCheck() {
	ctx := context.Background()
	engine, done := chemigram.NewExample(ctx)
	defer done()

	health, err := engine.HealthCheck(ctx, chemigram.HealthCheckParams{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(health.Status, health.Darktable.Found)
	// Output: degraded false
}
