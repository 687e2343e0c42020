package source

import (
	"strings"
	"testing"

	"github.com/google/uuid"

	"example.org/sivu/generator/diag"
)

// benchmarkPage is what a page of a real site looks like: ten lines of front
// matter and a body of about 4 kB.
var benchmarkPage = []byte(`---
id: 6ba7b810-9dad-51d1-80b4-00c04fd430c8
title: Vuokra-asunto
description: "Näin löydät vuokra-asunnon"
kind: article
created: 2015-03-02T08:11:25.123456Z
modified: 2019-05-06T08:06:31.004512Z
windowtitle: Vuokra-asunto | Asuminen
imagebanner: asuminen.jpg
imagebanneralt: 'Kerrostalo'
imagebannerlink: https://www.example.org/asuminen
---

# Vuokra-asunto

` + strings.Repeat("Vuokra-asunnon löytäminen voi kestää **kauan**, jos [etsit](haku.md) asuntoa.\n", 50))

func BenchmarkRead(b *testing.B) {
	site := DefaultSite()
	site.Namespace = uuid.NameSpaceURL
	untitled := strings.Replace(string(benchmarkPage), "title: ", "topic: ", 1)
	fields, text, _ := strings.Cut(string(benchmarkPage)[len("---\n"):], "---\n")
	toml := "+++\n"
	for line := range strings.Lines(fields) {
		key, value, _ := strings.Cut(strings.TrimSpace(line), ": ")
		toml += key + " = '" + strings.Trim(value, `"'`) + "'\n"
	}
	toml += "+++\n" + text
	document := `<!doctype html>
<html lang="fi">
<head>
<title>Vuokra-asunto</title>
<meta name="dcterms.identifier" content="6ba7b810-9dad-51d1-80b4-00c04fd430c8">
<meta name="dcterms.created" content="2015-03-02T08:11:25.123456Z">
<meta name="dcterms.modified" content="2019-05-06T08:06:31.004512Z">
<meta name="sivu.kind" content="article">
<meta name="description" content="Näin löydät vuokra-asunnon">
<meta name="imagebanneralt">
</head>
<body>
<h1>Vuokra-asunto</h1>
` + strings.Repeat("<p>Vuokra-asunnon löytäminen voi kestää <b>kauan</b>.</p>\n", 60) + "</body>\n</html>\n"
	for _, bench := range []struct {
		name, format, text string
	}{
		{"yaml", "markdown", string(benchmarkPage)},
		{"untitled", "markdown", untitled},
		{"toml", "markdown", toml},
		{"document", "html", document},
	} {
		b.Run(bench.name, func(b *testing.B) {
			r := NewReader(site, nil)
			text := []byte(bench.text)
			file := &File{Path: "fi/asuminen/vuokra-asunto" + formatNamed(bench.format).Endings[0], ModTime: 1557129991_000000}
			b.ReportAllocs()
			for b.Loop() {
				r.Read(file, text, func(d diag.Diagnostic) { b.Error(d.Pos, d.Message) })
			}
		})
	}
}
