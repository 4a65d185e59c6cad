package vocab

import "testing"

func BenchmarkLoadStarter(b *testing.B) {
	sources, err := Builtin("starter")
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, failures := Load(sources...); len(failures) > 0 {
			b.Fatal(failures)
		}
	}
}

func BenchmarkCompile(b *testing.B) {
	for _, name := range []string{"exposure", "warmth", "denoise", "look_natural_punch"} {
		b.Run(name, func(b *testing.B) {
			f := newFixture(b, "5.4.1")
			e, err := f.words.Entry(name)
			if err != nil {
				b.Fatal(err)
			}
			a := Application{Baseline: f.baseline, Current: f.baseline, Target: f.release}
			for b.Loop() {
				if _, _, err := e.Compile(a); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkList(b *testing.B) {
	v := shipped(b, "starter")
	for b.Loop() {
		v.List(Filter{Query: "make it a bit warmer"})
	}
}
