package adopt_test

var madeSites = []madeSite{
	{
		name:    "hugo with languages in folders",
		content: "content",
		files: `
-- hugo.toml --
baseURL = "https://www.kela.fi/"
defaultContentLanguage = "fi"
timeZone = "Europe/Helsinki"
[languages.fi]
contentDir = "content/finnish"
weight = 1
[languages.sv]
contentDir = "content/swedish"
weight = 2
[permalinks]
posts = "/:year/:month/:slug/"
[[cascade]]
[cascade._target]
path = "/drafts/**"
[cascade.build]
render = "never"
-- content/finnish/_index.md --
+++
title = "Etusivu"
date = 2020-01-02
+++
Tervetuloa.
-- content/finnish/posts/asuminen.md --
---
Title: Asuminen
Date: 2020-03-04 7:37:00 -0400
lastmod: 2021-03-04
tags: [koti, raha]
menu: {main: {weight: 1}}
---
Teksti. {{< note >}}Huomaa.{{< /note >}}
-- content/finnish/drafts/luonnos.md --
---
title: Luonnos
date: 2020-03-04
---
-- content/swedish/posts/asuminen.md --
---
title: Boende
date: 2020-03-05
---
-- layouts/index.html --
<!doctype html><nav>{{ .Title }}</nav>
`,
		records: []string{
			`fi fi "Etusivu" 2020-01-01`, // its midnight in Helsinki
			`fi fi/2020/03/asuminen "Asuminen" 2020-03-04`,
			`sv sv/2020/03/boende "Boende" 2020-03-04`,
		},
		says: []string{
			"languages: [fi, sv]", "generator: hugo", `site: "https://www.kela.fi"`, "addresses: page", "root_language: fi", "fallback: reference",
			"timezone: Europe/Helsinki", "finnish: fi", "swedish: sv", "created: date", "modified: lastmod", `tags: ", "`, "- menu  #", "**/drafts/**",
			"dates: [fields]",
		},
	}, {
		name:    "hugo without a configuration, by its files",
		folder:  "content",
		content: "content",
		files: `
-- content/en/_index.md --
---
title: Home
date: 2020-01-02
---
-- content/en/about.md --
---
title: About
date: 2020-01-02
---
-- content/fr/about.md --
---
title: À propos
date: 2020-01-02
---
`,
		records: []string{`en en "Home" 2020-01-02`, `en en/about "About" 2020-01-02`, `fr fr/about "À propos" 2020-01-02`},
		says:    []string{"generator: hugo"},
	}, {
		name:    "suffixes",
		content: "docs",
		files: `
-- mkdocs.yml --
site_url: https://docs.kela.fi/
docs_dir: docs
plugins:
  - search
  - i18n:
      docs_structure: suffix
      languages:
        - locale: en
          default: true
        - locale: fi
markdown_extensions:
  - pymdownx.emoji:
      emoji_index: !!python/name:material.extensions.emoji.twemoji
-- docs/index.md --
# Welcome
-- docs/index.fi.md --
# Tervetuloa
-- docs/guide/start.md --
# Getting started
-- README.md --
# The project
`,
		records: []string{`en en "Welcome" 2001-02-03`, `en en/guide/start "Getting started" 2001-02-03`, `fi fi "Tervetuloa" 2001-02-03`},
		says:    []string{"generator: mkdocs", "languages: [en, fi]", "default_language: en", "dates: [mtime]"},
		silent:  []string{"addresses:", "layout:"},
	}, {
		name:    "an editor's folders: the language is the second",
		folder:  "content",
		content: "content",
		files: `
-- content/posts/en/hello.md --
---
title: Hello
pubDate: 2022-05-06
---
-- content/posts/fr/hello.md --
---
title: Bonjour
pubDate: 2022-05-07
---
-- content/posts/pt_BR/hello.md --
---
title: Olá
pubDate: 2022-05-08
---
-- content/pages/en/about.md --
---
title: About
---
`,
		records: []string{
			`en en/pages/about "About" 2001-02-03`, `en en/posts/hello "Hello" 2022-05-06`, `fr fr/posts/hello "Bonjour" 2022-05-07`,
			`pt-BR pt-BR/posts/hello "Olá" 2022-05-08`,
		},
		says: []string{`"{section}/{language}/{path}"`, "pt_BR: pt-BR", "created: pubDate", "dates: [fields, mtime]"},
	}, {
		name:    "a language of a folder that is not the reference's, at the root",
		content: "content",
		files: `
-- content/go.md --
---
name: Go
---
-- content/no/go.md --
---
name: Go på norsk
---
-- content/api/intro.md --
An interface.
`,
		records: []string{`en en/api/intro "intro" 2001-02-03`, `en en/go "Go" 2001-02-03`, `no no/go "Go på norsk" 2001-02-03`},
		says:    []string{`languages: [en, "no"]`, "default_language: en", "title_from: [title, name, heading, path]"},
	}, {
		name:    "jekyll",
		content: ".",
		files: `
-- _config.yml --
url: "https://blogi.kela.fi"
baseurl: ""
lang: fi
permalink: pretty
timezone: Europe/Helsinki
-- index.md --
---
layout: default
title: Etusivu
---
-- _posts/2019-05-06-terve.md --
---
title: Terve
date: 2019-05-06 12:00:00 +0300
categories: [koti]
---
{% include note.html %}
-- _posts/2019-05-07-salainen.md --
---
title: Salainen
published: false
---
-- _layouts/default.html --
<!doctype html><nav></nav>{{ content }}
-- _includes/note.html --
<p>note</p>
-- README.md --
# About this repository
`,
		records: []string{`fi fi "Etusivu" 2001-02-03`, `fi fi/_posts/2019-05-06-terve "Terve" 2019-05-06`},
		says:    []string{"generator: jekyll", `site: "https://blogi.kela.fi"`, "languages: [fi]", `"published=false"`, `"README*"`, "_layouts", "addresses: page"},
	}, {
		name:    "eleventy",
		content: "src",
		files: `
-- eleventy.config.js --
export default function (config) { return { dir: { input: "src" } }; }
-- src/en/index.md --
---
title: Home
date: 2024-01-01
---
-- src/sv/index.md --
---
title: Hem
date: 2024-01-02
---
`,
		records: []string{`en en "Home" 2024-01-01`, `sv sv "Hem" 2024-01-02`},
		says:    []string{"generator: eleventy"},
	}, {
		name:    "docusaurus",
		content: ".",
		files: `
-- docusaurus.config.js --
module.exports = {
  url: 'https://docs.kela.fi',
  baseUrl: '/',
  i18n: { defaultLocale: 'en', locales: ['en', 'fr', 'pt-BR'] },
};
-- docs/intro.md --
---
id: intro
title: Introduction
sidebar_position: 1
---
-- docs/_partial.md --
A part of other pages.
-- blog/2024-01-02-news.md --
---
title: News
date: 2024-01-02
tags: [a]
---
-- i18n/fr/docusaurus-plugin-content-docs/current/intro.md --
---
id: intro
title: Présentation
---
-- i18n/fr/docusaurus-plugin-content-blog/2024-01-02-news.md --
---
title: Nouvelles
date: 2024-01-02
---
-- i18n/pt-BR/docusaurus-plugin-content-docs/current/intro.md --
---
title: Introdução
---
-- README.md --
# This repository
`,
		records: []string{
			`en en/blog/2024-01-02-news "News" 2024-01-02`, `en en/docs/intro "Introduction" 2001-02-03`,
			`fr fr/blog/2024-01-02-news "Nouvelles" 2024-01-02`, `fr fr/docs/intro "Présentation" 2001-02-03`, `pt-BR pt-BR/docs/intro "Introdução" 2001-02-03`,
		},
		says:   []string{"generator: docusaurus", `site: "https://docs.kela.fi"`, `"i18n/{language}/docusaurus-plugin-content-{section}/{path}"`, "id: ~", `"README*"`, `"**/_*"`},
		silent: []string{"addresses:"},
	}, {
		name:    "vitepress",
		content: "docs",
		files: `
-- docs/.vitepress/config.ts --
export default {
  locales: {
    root: { label: 'English', lang: 'en' },
    fi: { label: 'Suomi', lang: 'fi' }
  }
}
-- docs/guide.md --
# Guide
-- docs/fi/guide.md --
# Opas
`,
		records: []string{`en en/guide "Guide" 2001-02-03`, `fi fi/guide "Opas" 2001-02-03`},
		says:    []string{"generator: vitepress", "root_language: en"},
		silent:  []string{"addresses:"},
	}, {
		name:    "starlight",
		content: "src/content/docs",
		files: `
-- astro.config.mjs --
export default defineConfig({
	site: 'https://docs.kela.fi',
	integrations: [starlight({ defaultLocale: 'root', locales: { root: { label: 'English', lang: 'en' }, 'pt-br': { label: 'Português' } } })],
});
-- src/content/docs/index.md --
---
title: Home
sidebar: {order: 1}
---
-- src/content/docs/guides/a.mdx --
---
title: A guide
---
import Note from '../Note.astro';

<Note>A text.</Note> <Image />
-- src/content/docs/pt-br/guides/a.md --
---
title: Um guia
---
-- src/components/x.md --
Not a page.
`,
		records: []string{`en en "Home" 2001-02-03`, `en en/guides/a "A guide" 2001-02-03`, `pt-br pt-br/guides/a "Um guia" 2001-02-03`},
		says:    []string{"generator: astro", `site: "https://docs.kela.fi"`, "addresses: page", "- sidebar  #", "  Note: unwrap  # 1 use on 1 page", "  Image: drop  # 1 use on 1 page"},
	}, {
		name:    "metadata beside the pages, and an id that is none",
		folder:  "pages",
		content: "pages",
		files: `
-- pages/asuminen.md --
---
id: asuminen-1
---
Teksti.
-- pages/asuminen.json --
{"title": "Asuminen", "published": "2019-05-06", "authors": [{"name": "Maija"}]}
-- pages/elakkeet.md --
Toinen.
-- pages/elakkeet.json --
{"title": "Eläkkeet", "published": "2019-05-07"}
`,
		records: []string{`en en/asuminen "Asuminen" 2019-05-06`, `en en/elakkeet "Eläkkeet" 2019-05-07`},
		says:    []string{`sidecar: "{path}.json"`, "created: published", "id: ~", "- authors  #"},
	}, {
		name:    "a field names the language, and a page its address",
		content: ".",
		files: `
-- asuminen.md --
---
title: Asuminen
language: fi
created: 2020-01-02
---
-- boende.md --
---
title: Boende
language: sv
created: 2020-01-02
url: boende
---
-- suomi.md --
---
title: Suomi
created: 2020-01-02
language: fi
---
`,
		records: []string{`fi fi/asuminen "Asuminen" 2020-01-02`, `fi fi/suomi "Suomi" 2020-01-02`, `sv boende "Boende" 2020-01-02`},
		says:    []string{"languages: [fi, sv]", "unprefixed: [boende]", "dates: [fields]"},
		silent:  []string{"exclude:", "fields:"},
	}, {
		name:    "pages that cannot be read",
		content: "content",
		files: `
-- content/en/good.md --
---
title: Good
date: 2020-01-01
---
-- content/en/bad[1].md --
---
title: Bad
  date: [2020
---
-- content/en/twice.md --
---
title: Twice
title: Again
date: 2020-01-01
---
-- content/en/when.md --
---
title: When
date: some day
---
-- content/en/date-1.md --
---
title: One
date: 2020-01-01
---
-- content/en/date-2.md --
---
title: Two
date: 2020-01-01
---
-- content/en/date-3.md --
---
title: Three
date: 2020-01-01
---
-- content/en/date-4.md --
---
title: Four
date: 2020-01-01
---
-- content/en/date-5.md --
---
title: Five
date: 2020-01-01
---
-- content/en/date-6.md --
---
title: Six
date: 2020-01-01
---
-- content/en/date-7.md --
---
title: Seven
date: 2020-01-01
---
-- content/en/date-8.md --
---
title: Eight
date: 2020-01-01
---
`,
		records: []string{
			`en en/date-1 "One" 2020-01-01`, `en en/date-2 "Two" 2020-01-01`, `en en/date-3 "Three" 2020-01-01`, `en en/date-4 "Four" 2020-01-01`,
			`en en/date-5 "Five" 2020-01-01`, `en en/date-6 "Six" 2020-01-01`, `en en/date-7 "Seven" 2020-01-01`, `en en/date-8 "Eight" 2020-01-01`,
			`en en/good "Good" 2020-01-01`,
		},
		says: []string{
			`- "en/bad\\[1\\].md"  #`, `- en/twice.md  # "title" is given twice, first in line 2`, `- en/when.md  # "some day" is not a date`,
		},
	}, {
		name:    "hugo pages without a page of their own",
		content: "content",
		files: `
-- hugo.toml --
baseURL = "https://www.kela.fi/"
-- content/a.md --
---
title: A
date: 2020-01-02
---
-- content/b.md --
---
title: B
date: 2020-01-02
Build: {render: link}
---
-- content/c.md --
---
title: C
date: 2020-01-02
build: {render: never, list: always}
---
-- content/d.md --
---
title: D
date: 2020-01-02
build: {render: always}
---
`,
		records: []string{`en en/a "A" 2020-01-02`, `en en/d "D" 2020-01-02`},
		says:    []string{`"build.render=link"  # 1 page `, `"build.render=never"  # 1 page `},
	}, {
		name:    "links tell that addresses end with a slash, and where the site is served",
		content: ".",
		files: `
-- go.md --
See [Java](../java/) and [elsewhere](https://www.suomi.fi/a/).
-- java.md --
See <a href="https://www.kela.fi/go/">Go</a>, [Go](https://www.kela.fi/fi/go/#x) [Java](https://www.kela.fi/java) and [the home page](https://www.kela.fi).
-- c.md --
[Go]: https://kela.fi/go/

See [Go], [a][Go], [Go](http://www.kela.fi/go) and [what is no more](https://www.kela.fi/old/).
-- fi/go.md --
Lue [Java](../java/), [C](../../c/), [kuva](../a.png) ja [tiedosto](../c.md).
-- fi/java.md --
Lue [Go](../go/), [muualla](https://www.suomi.fi/b/) ja [muualla](https://www.suomi.fi/c/).
`,
		records: []string{`en en/c "c" 2001-02-03`, `en en/go "go" 2001-02-03`, `en en/java "java" 2001-02-03`, `fi fi/go "go" 2001-02-03`, `fi fi/java "java" 2001-02-03`},
		says: []string{
			"# on the site a page's address ends with a slash, and its relative links start there: so 0 of 4\n# lead nowhere and 1 into another language; from the pages' files it would be 0 and 3\naddresses: page\n",
			"# where the site itself is served, say its pages: 4 of 5 links to it lead to addresses of pages:\n# links to it are links between pages\nsite: \"https://www.kela.fi\"\n",
		},
	}, {
		name:    "links tell that they start at files, and no host is the site's",
		content: ".",
		files: `
-- guide/a.md --
See [b](b), [c](../c), [elsewhere](https://www.suomi.fi/c/), [elsewhere](https://www.suomi.fi/c), [again](https://www.suomi.fi/c/) and [elsewhere](https://www.suomi.fi/).
-- guide/b.md --
See [a](a).
-- c.md --
See [a](guide/a).
`,
		records: []string{`en en/c "c" 2001-02-03`, `en en/guide/a "a" 2001-02-03`, `en en/guide/b "b" 2001-02-03`},
		silent:  []string{"addresses:", "site:"},
	},
}
