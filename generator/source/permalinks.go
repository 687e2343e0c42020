package source

import (
	"regexp"
	"slices"

	"example.org/sivu/generator/diag"
)

// permalinkTokens are what a pattern of "permalinks" may hold.
var permalinkTokens = []string{"{year}", "{month}", "{day}", "{slug}", "{title}", "{path}", "{section}"}

var anyToken = regexp.MustCompile(`\{[^{}]*\}?|\}`)

func checkPermalink(name, text string) (message, hint string) {
	if problem := urlProblem(text); problem != "" {
		return name + " " + problem, "write it as in \"{year}/{month}/{slug}\", below the language"
	}
	for _, token := range anyToken.FindAllString(text, -1) {
		if !slices.Contains(permalinkTokens, token) {
			return name + " holds " + diag.Quote(token), diag.DidYouMean(token, permalinkTokens, "known are "+diag.JoinQuoted(permalinkTokens, "and"))
		}
	}
	return "", ""
}
