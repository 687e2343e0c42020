package page

import "slices"

// Kind is a kind of page: which meta keys it must and may have (contract.md 2.3).
type Kind struct {
	Name     string
	Doc      string
	Required []Key    // must be there
	Together []Key    // all of them or none
	Optional []Key    // known, but may be missing
	Nulls    []string // must be null; filled in where they are missing
	Without  []string // must not be there
	NoURL    bool     // has no meta.url unless the page gives one
	NoBody   bool     // its texts are in meta
}

// Key is a meta key of a kind.
type Key struct {
	Name  string
	Value Value
}

// Value is the form of a key's value.
type Value uint8

// The forms of a value.
const (
	Text            Value = iota // a string
	TextOrNull                   // a string or null
	Digits                       // a string of digits 0 to 9
	AbsoluteAddress              // a string that is an absolute http or https address
)

// keys returns a Text key of each name.
func keys(names ...string) []Key {
	var list []Key
	for _, name := range names {
		list = append(list, Key{Name: name})
	}
	return list
}

var (
	description = Key{Name: "description", Value: TextOrNull}
	windowtitle = Key{Name: "windowtitle"}
)

// feedbackKeys are the sixteen of contract.md 2.3, in its order.
var feedbackKeys = []string{
	"feedback-sent", "email", "feedback-sending-error", "page-address",
	"invalid-feedback", "feedback", "feedback-captcha-infotext",
	"feedback-missing-field", "feedback-captcha-reloadtext", "name",
	"feedback-thankyoupage", "url", "invalid-email", "title",
	"send-feedback", "feedback-captcha-errortext",
}

// Kinds are all kinds of page. The first is that of a page that names none.
// A new kind is one more element.
var Kinds = []*Kind{
	{
		Name:     "page",
		Doc:      "any page",
		Required: keys("title", "url"),
		Optional: []Key{description, windowtitle},
	},
	{
		Name: "front",
		Doc:  "the front page of a language",
		Required: []Key{
			{Name: "title"}, {Name: "url"}, description, windowtitle,
			{Name: "localinfodoc", Value: Digits},
			{Name: "textbannercolor", Value: TextOrNull},
		},
		Optional: keys("socialmedia-image"),
		NoBody:   true,
	},
	{
		Name:     "article",
		Doc:      "an article, with or without a banner",
		Required: keys("title", "url"),
		Together: []Key{
			{Name: "imagebanner", Value: TextOrNull},
			{Name: "imagebanneralt", Value: TextOrNull},
			{Name: "imagebannerlink", Value: AbsoluteAddress},
		},
		Optional: []Key{description, windowtitle},
	},
	{
		Name:     "feedback",
		Doc:      "a feedback form with the texts it shows",
		Required: keys(feedbackKeys...),
		Optional: []Key{description, windowtitle},
		NoBody:   true,
	},
	{
		Name:     "feedback-thanks",
		Doc:      "the page shown after feedback was sent",
		Required: keys("title", "url"),
		Nulls: slices.DeleteFunc(slices.Clone(feedbackKeys), func(name string) bool {
			return name == "feedback-thankyoupage" || name == "url" || name == "title"
		}),
		Without: []string{"feedback-thankyoupage"},
		NoBody:  true,
	},
	{
		Name:     "not-found",
		Doc:      "what readers see in place of a page that is missing or inactive",
		Required: keys("title"),
		Optional: keys("availablelanguagestext"),
		NoURL:    true,
		NoBody:   true,
	},
}

// KindNamed returns the kind of that name, or nil.
func KindNamed(name string) *Kind {
	i := slices.IndexFunc(Kinds, func(k *Kind) bool { return k.Name == name })
	if i < 0 {
		return nil
	}
	return Kinds[i]
}

// KindNames returns the names of all kinds.
func KindNames() []string {
	var names []string
	for _, kind := range Kinds {
		names = append(names, kind.Name)
	}
	return names
}
