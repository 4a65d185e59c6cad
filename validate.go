package chemigram

import (
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram/internal/fault"
)

// validate fills in a verb's defaults and checks its parameters, which p points
// to, by the rules of their types. Every violation is found, not only the first. A
// verb's struct says the rest with tags: `default:"1024"`, and "omitempty" or
// "omitzero" in the json tag for what may be absent.
func validate(p any) error {
	var found []fault.Violation
	walk(reflect.ValueOf(p).Elem(), "", &found)
	return fault.Violated(found)
}

// validateWrite is validate for a verb that writes, which it refuses when the engine
// is read-only.
func (e *Engine) validateWrite(p any) error {
	return errors.Join(validate(p), e.workspace.CheckWritable())
}

func walk(v reflect.Value, at string, found *[]fault.Violation) {
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
				*found = append(*found, fault.Violation{Pointer: pointer, Expected: "a text that is not blank", Got: `""`})
			}
			if value.IsZero() && (optional || value.Kind() != reflect.Struct) {
				checkZero(value, optional, pointer, found)
				continue
			}
		}
		if most := mostText(field); value.Kind() == reflect.String && value.Len() > most {
			*found = append(*found, tooLong(pointer, value.Len(), most))
			continue
		}
		walkValue(value, pointer, found)
	}
}

// mostName is how many bytes a text may have, such as a name, a label or a path, unless
// its field says another number with the tag `most:"65536"`.
const mostName = 4 << 10

func mostText(field reflect.StructField) int {
	if said, ok := field.Tag.Lookup("most"); ok {
		most, err := strconv.Atoi(said)
		if err != nil {
			panic(fmt.Sprintf("most %q of %s: %v", said, field.Name, err))
		}
		return most
	}
	return mostName
}

func tooLong(pointer string, length, most int) fault.Violation {
	return fault.Violation{Pointer: pointer, Expected: fmt.Sprintf("at most %d bytes", most), Got: fmt.Sprintf("%d bytes", length)}
}

// checkZero holds a required zero to its rule: 0 is a value for a number that
// has to be given, and absent for one that may be left out.
func checkZero(value reflect.Value, optional bool, pointer string, found *[]fault.Violation) {
	if !optional && (value.CanInt() || value.CanFloat()) {
		check(value, pointer, found)
	}
}

func walkValue(value reflect.Value, pointer string, found *[]fault.Violation) {
	switch value.Kind() {
	case reflect.Pointer:
		if !value.IsNil() {
			walkValue(value.Elem(), pointer, found)
		}
	case reflect.Struct:
		walk(value, pointer, found)
	case reflect.Slice:
		for i := range value.Len() {
			walkValue(value.Index(i), pointer+"/"+strconv.Itoa(i), found)
		}
	case reflect.Map:
		for _, key := range value.MapKeys() {
			if key.Kind() == reflect.String && key.Len() > mostName {
				*found = append(*found, tooLong(fault.Pointer(pointer, fault.Shorten(key.String())), key.Len(), mostName))
			}
		}
	case reflect.String:
		if value.Len() > mostLongText {
			*found = append(*found, tooLong(pointer, value.Len(), mostLongText))
			return
		}
		check(value, pointer, found)
	default:
		check(value, pointer, found)
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

func check(value reflect.Value, pointer string, found *[]fault.Violation) {
	rule, known := rules[value.Type()]
	var ok bool
	var got string
	switch {
	case value.Kind() == reflect.String:
		text := value.String()
		got = strconv.Quote(fault.Shorten(text))
		blank := strings.TrimSpace(text) == "" && text != ""
		ok = !blank && rule.AllowsText(text)
		if blank && !known {
			rule.Says = "a text that is not blank"
		}
		if t, isTime := value.Interface().(Time); isTime && ok && !t.exists() {
			ok, rule.Says = false, "a date and time that exist"
		}
	case value.CanInt():
		got = strconv.FormatInt(value.Int(), 10)
		ok = rule.AllowsNumber(float64(value.Int()))
	case value.CanFloat():
		got = strconv.FormatFloat(value.Float(), 'g', -1, 64)
		ok = rule.AllowsNumber(value.Float())
		if rule.Says == "" {
			rule.Says = "a finite number"
		}
	default:
		ok = true
	}
	if !ok {
		*found = append(*found, fault.Violation{Pointer: pointer, Expected: rule.Says, Got: got})
	}
}

func join(words []string) string { return strings.Join(words, ", ") }
