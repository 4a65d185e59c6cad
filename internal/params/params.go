// Package params fills in the defaults of a verb's parameters and checks them.
package params

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// Rule is what may be said with a type.
type Rule struct {
	// Says is the rule in words; empty where the type has none.
	Says string
	// Text gives what would be right in place of a text, or "".
	Text func(string) string
	// Number reports whether a number obeys the rule.
	Number func(float64) bool
}

// number gives what would be right in place of a number, or "".
func (r Rule) number(f float64) string {
	if r.Number(f) {
		return ""
	}
	return cmp.Or(r.Says, "a finite number")
}

// Check fills in the defaults of the struct that p points to, and finds every violation
// of the rules of its types. A struct says the rest with tags: `default:"1024"`, and
// "omitempty" or "omitzero" in the json tag for what may be absent.
func Check(p any, rule func(reflect.Type) Rule) []fault.Violation {
	c := checking{rule: rule}
	c.walk(reflect.ValueOf(p).Elem(), "")
	return c.found
}

// checking is one check.
type checking struct {
	rule  func(reflect.Type) Rule
	found []fault.Violation
}

func (c *checking) walk(v reflect.Value, at string) {
	for i := range v.NumField() {
		field := v.Type().Field(i)
		name, options, _ := strings.Cut(field.Tag.Get("json"), ",")
		optional := strings.Contains(options, "omit")
		pointer := at + "/" + name
		value := v.Field(i)

		if value.IsZero() {
			if fallback, ok := field.Tag.Lookup("default"); ok {
				setDefault(value, fallback)
			} else if !optional && value.Kind() == reflect.String {
				c.found = append(c.found, fault.Violation{Pointer: pointer, Expected: "a text that is not blank", Got: `""`})
			}
			if value.IsZero() && (optional || value.Kind() != reflect.Struct) {
				c.checkZero(value, optional, pointer)
				continue
			}
		}
		if most := mostText(field); value.Kind() == reflect.String && value.Len() > most {
			c.found = append(c.found, TooLong(pointer, value.Len(), most))
			continue
		}
		c.walkValue(value, pointer)
	}
}

// MostName is how many bytes a text may have, such as a name, a label or a path, unless
// its field says another number with the tag `most:"65536"`.
const MostName = 4 << 10

func mostText(field reflect.StructField) int {
	if said, ok := field.Tag.Lookup("most"); ok {
		most, err := strconv.Atoi(said)
		if err != nil {
			panic(fmt.Sprintf("most %q of %s: %v", said, field.Name, err))
		}
		return most
	}
	return MostName
}

// TooLong is the violation of a text of too many bytes.
func TooLong(pointer string, length, most int) fault.Violation {
	return fault.Violation{Pointer: pointer, Expected: fmt.Sprintf("at most %d bytes", most), Got: fmt.Sprintf("%d bytes", length)}
}

// checkZero holds a required zero to its rule: 0 is a value for a number that
// has to be given, and absent for one that may be left out.
func (c *checking) checkZero(value reflect.Value, optional bool, pointer string) {
	if !optional && (value.CanInt() || value.CanFloat()) {
		c.check(value, pointer)
	}
}

func (c *checking) walkValue(value reflect.Value, pointer string) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			c.walkValue(value.Elem(), pointer)
		}
	case reflect.Struct:
		c.walk(value, pointer)
	case reflect.Slice:
		for i := range value.Len() {
			c.walkValue(value.Index(i), pointer+"/"+strconv.Itoa(i))
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if key.Kind() == reflect.String && key.Len() > MostName {
				c.found = append(c.found, TooLong(fault.Pointer(pointer, fault.Shorten(key.String())), key.Len(), MostName))
			}
		}
	case reflect.String:
		if value.Len() > mostLongText {
			c.found = append(c.found, TooLong(pointer, value.Len(), mostLongText))
			return
		}
		c.check(value, pointer)
	default:
		c.check(value, pointer)
	}
}

// mostLongText is how many bytes any text may have.
const mostLongText = 64 << 10

func setDefault(value reflect.Value, text string) {
	switch {
	case value.Kind() == reflect.String:
		value.SetString(text)
	case value.CanInt():
		n, err := strconv.ParseInt(text, 10, 64)
		if err != nil {
			panic(fmt.Sprintf("default %q of a whole number: %v", text, err))
		}
		value.SetInt(n)
	case value.CanFloat():
		f, err := strconv.ParseFloat(text, 64)
		if err != nil {
			panic(fmt.Sprintf("default %q of a number: %v", text, err))
		}
		value.SetFloat(f)
	default:
		panic(fmt.Sprintf("a default for a %s", value.Type()))
	}
}

func (c *checking) check(value reflect.Value, pointer string) {
	rule := c.rule(value.Type())
	var wanted, got string
	switch {
	case value.Kind() == reflect.String:
		text := value.String()
		got = strconv.Quote(fault.Shorten(text))
		wanted = rule.Text(text)
		if strings.TrimSpace(text) == "" && text != "" {
			wanted = cmp.Or(rule.Says, "a text that is not blank")
		}
	case value.CanInt():
		got = strconv.FormatInt(value.Int(), 10)
		wanted = rule.number(float64(value.Int()))
	case value.CanFloat():
		got = strconv.FormatFloat(value.Float(), 'g', -1, 64)
		wanted = rule.number(value.Float())
	}
	if wanted != "" {
		c.found = append(c.found, fault.Violation{Pointer: pointer, Expected: wanted, Got: got})
	}
}
