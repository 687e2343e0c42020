package settings

import (
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"

	"example.org/sivu/generator/baseurl"
	"example.org/sivu/generator/diag"
	"example.org/sivu/generator/source"
)

// Every setting that pages depend on is part of the key of the build cache: a new
// one cannot be forgotten.
func TestKey(t *testing.T) {
	key := func(change func(s *source.Site)) string {
		settings := &Settings{Site: source.DefaultSite()}
		change(settings.Site)
		return string(settings.Key())
	}
	plain := key(func(*source.Site) {})
	if key(func(*source.Site) {}) != plain {
		t.Fatal("the key is another one each time")
	}
	free := []string{"Name", "Rules", "BaseURL", "Links"} // of the links, the key has what came of them
	for i := range reflect.TypeFor[source.Site]().NumField() {
		name := reflect.TypeFor[source.Site]().Field(i).Name
		changed := key(func(s *source.Site) { alter(t, reflect.ValueOf(s).Elem().Field(i)) })
		if isFree := slices.Contains(free, name); isFree == (changed != plain) {
			t.Errorf("%s: the key changed: %v", name, changed != plain)
		}
	}
}

// alter sets a value to another one.
func alter(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case string:
		v.SetString(v.String() + "x")
	case bool:
		v.SetBool(!v.Bool())
	case []string:
		v.Set(reflect.ValueOf([]string{"altered"}))
	case uuid.UUID:
		v.Set(reflect.ValueOf(uuid.Max))
	case *source.Rendered:
		v.Set(reflect.ValueOf(&source.Rendered{Body: []string{"altered"}}))
	case *time.Location:
		v.Set(reflect.ValueOf(time.FixedZone("altered", 3600)))
	case baseurl.URL:
		v.Set(reflect.ValueOf(baseurl.URL{Scheme: "https", Hostname: "altered.example"}))
	case map[string]string:
		v.Set(reflect.ValueOf(map[string]string{"a": "b"}))
	case map[string][]string:
		v.Set(reflect.ValueOf(map[string][]string{"a": {"b"}}))
	case map[string]diag.Severity:
		v.Set(reflect.ValueOf(map[string]diag.Severity{"a": diag.Off}))
	default:
		t.Fatalf("no other value of %s is known", v.Type())
	}
}
