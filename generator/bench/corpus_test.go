//go:build linux || darwin || freebsd

package bench

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// languages are those of the contract, each with words to make text of.
var languages = []struct{ code, words string }{
	{"fi", "asunto vuokra sopimus muutto kunta palvelu hakemus lupa työ koulu terveys neuvonta ilmoitus maksu päätös kieli kurssi perhe lapsi vero eläke pankki"},
	{"en", "home rent contract moving town service application permit work school health advice notice payment decision language course family child tax pension bank"},
	{"sv", "bostad hyra avtal flytt kommun tjänst ansökan tillstånd arbete skola hälsa rådgivning anmälan avgift beslut språk kurs familj barn skatt pension bank"},
	{"ru", "жильё аренда договор переезд город услуга заявление разрешение работа школа здоровье совет уведомление оплата решение язык курс семья ребёнок налог пенсия банк"},
	{"et", "eluase üür leping kolimine vald teenus taotlus luba töö kool tervis nõustamine teade makse otsus keel kursus pere laps maks pension pank"},
	{"so", "guri kiro heshiis guuritaan degmo adeeg codsi ogolaansho shaqo dugsi caafimaad talo ogeysiis lacag go'aan luqad koorso qoys ilmo canshuur hawlgab bangi"},
	{"es", "vivienda alquiler contrato mudanza municipio servicio solicitud permiso trabajo escuela salud consejo aviso pago decisión idioma curso familia niño impuesto pensión banco"},
	{"tr", "konut kira sözleşme taşınma belediye hizmet başvuru izin iş okul sağlık danışma bildirim ödeme karar dil kurs aile çocuk vergi emeklilik banka"},
	{"zh", "住房 租金 合同 搬家 城市 服务 申请 许可 工作 学校 健康 咨询 通知 付款 决定 语言 课程 家庭 孩子 税务 养老金 银行"},
	{"fa", "خانه اجاره قرارداد جابه‌جایی شهر خدمات درخواست اجازه کار مدرسه سلامت مشاوره اطلاعیه پرداخت تصمیم زبان دوره خانواده کودک مالیات بازنشستگی بانک"},
	{"ar", "سكن إيجار عقد انتقال مدينة خدمة طلب تصريح عمل مدرسة صحة مشورة إشعار دفع قرار لغة دورة أسرة طفل ضريبة معاش بنك"},
	{"fr", "logement loyer contrat déménagement commune service demande permis travail école santé conseil avis paiement décision langue cours famille enfant impôt retraite banque"},
}

// pageBytes is about how long a page is, without its front matter.
const pageBytes = 4000

// siteText is the site.yaml of a corpus.
const siteText = "base_url: https://api.example.org\nnamespace: 3c5d1f0a-6e0e-4f5e-9a51-0d9a3f1b7c11\ndates: [fields]\n"

// makeCorpus writes n pages, all languages of n/12 topics, and site.yaml into
// the folder, all of them as old as corpusTime. The same n makes the same bytes
// everywhere.
func makeCorpus(folder string, n int) error {
	maker := newPageMaker(n)
	var text []byte
	for i, language := range languages {
		if err := os.MkdirAll(filepath.Join(folder, language.code), 0o755); err != nil {
			return err
		}
		for topic := range maker.topics {
			text = maker.appendPage(text[:0], i, topic)
			if err := writeAt(corpusTime, filepath.Join(folder, language.code, pageName(topic)), text); err != nil {
				return err
			}
		}
	}
	return writeAt(corpusTime, filepath.Join(folder, "site.yaml"), []byte(siteText))
}

func pageName(topic int) string { return fmt.Sprintf("topic-%06d.md", topic) }

// pageMaker makes the pages of a corpus, so quickly that it can make them while
// they are read. Any number of goroutines may use it.
type pageMaker struct {
	topics int
	words  [][]string // by language
}

func newPageMaker(n int) *pageMaker {
	m := &pageMaker{topics: n / len(languages)}
	for _, language := range languages {
		m.words = append(m.words, strings.Fields(language.words))
	}
	return m
}

// appendPage appends the page on a topic in a language.
func (m *pageMaker) appendPage(dst []byte, language, topic int) []byte {
	p := &pageText{
		b:        dst,
		random:   rand.New(rand.NewPCG(uint64(language), uint64(topic))),
		words:    m.words[language],
		language: languages[language].code,
	}
	p.head(topic)
	start := len(p.b)
	for section := 1; len(p.b)-start < pageBytes; section++ {
		p.section(section, m.topics)
	}
	return p.b
}

// pageText is a page in the making.
type pageText struct {
	b        []byte
	random   *rand.Rand
	words    []string
	language string
}

// add appends its arguments: texts as they are, and for a number so many words.
func (p *pageText) add(parts ...any) {
	for _, part := range parts {
		switch part := part.(type) {
		case string:
			p.b = append(p.b, part...)
		case int:
			for i := range part {
				if i > 0 {
					p.b = append(p.b, ' ')
				}
				p.b = append(p.b, p.words[p.random.IntN(len(p.words))]...)
			}
		}
	}
}

// number appends a number in decimal digits, below a bound, by chance.
func (p *pageText) number(below int) {
	p.b = strconv.AppendInt(p.b, int64(p.random.IntN(below)), 10)
}

func (p *pageText) head(topic int) {
	r := p.random
	day := 1 + r.IntN(28)
	p.b = fmt.Appendf(p.b, "---\nid: %08x-%04x-4%03x-8%03x-%012x\nkind: article\ntitle: ", r.Uint32(), topic&0xffff, r.IntN(1<<12), r.IntN(1<<12), r.Uint64N(1<<48))
	p.add(3, "\nwindowtitle: ", 3, "\ndescription: \"", 2, ": ", 8, "\"\n")
	p.b = fmt.Appendf(p.b, "created: %d-%02d-%02dT08:%02d:25.%06dZ\nmodified: 2025-%02d-%02dT10:00:00Z\n", 2012+r.IntN(12), 1+r.IntN(12), day, r.IntN(60), r.IntN(1e6), 1+r.IntN(12), day)
	p.b = fmt.Appendf(p.b, "imagebanner: banner-%d.jpg\nimagebanneralt: ", topic)
	p.add(4)
	p.b = fmt.Appendf(p.b, "\nimagebannerlink: https://www.example.org/%d\n---\n\n", topic)
}

func (p *pageText) section(n, topics int) {
	p.b = fmt.Appendf(p.b, "## %d. ", n)
	p.add(3, "\n\n", 14, " *", 2, "* ", 8, " [", 2)
	p.b = fmt.Appendf(p.b, "](topic-%06d.md) ", p.random.IntN(topics))
	p.add(12, " **", 1, "** ", 9, ".\n\n")
	switch n % 4 {
	case 1:
		p.add("- ", 5, "\n- ", 6, "\n- `", 1, "` ", 4, "\n\n")
	case 2:
		p.add("| ", 1, " | ", 1, " |\n|---|---|\n| ", 2, " | ")
		p.number(1000)
		p.add(" |\n| ", 2, " | ")
		p.number(1000)
		p.add(" |\n\n")
	case 3:
		p.add("> ", 10, "\n\n", 4, " <https://www.example.org/", p.language, "> ", 5, "\n\n")
	default:
		p.add("1. ", 4, "\n2. ", 4, "\n\n<p class=\"note\" lang=\"", p.language, "\">", 8, "</p>\n\n")
	}
}

// corpusFS is the content folder of a corpus whose pages are made when they are
// opened: a million of them need no disk.
type corpusFS struct{ *pageMaker }

func newCorpusFS(n int) *corpusFS { return &corpusFS{newPageMaker(n)} }

// corpusTime is the time of all its files.
var corpusTime = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

func (m *corpusFS) Open(name string) (fs.File, error) {
	if name == "site.yaml" {
		return newCorpusFile(name, []byte(siteText)), nil
	}
	code, base, _ := strings.Cut(name, "/")
	for i, language := range languages {
		var topic int
		if language.code != code {
			continue
		}
		if _, err := fmt.Sscanf(base, "topic-%d.md", &topic); err == nil && topic < m.topics && pageName(topic) == base {
			return newCorpusFile(base, m.appendPage(nil, i, topic)), nil
		}
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (m *corpusFS) ReadDir(name string) ([]fs.DirEntry, error) {
	var list []fs.DirEntry
	if name == "." {
		for _, language := range languages {
			list = append(list, fs.FileInfoToDirEntry(corpusInfo{name: language.code, mode: fs.ModeDir | 0o755}))
		}
		return list, nil
	}
	for topic := range m.topics {
		list = append(list, fs.FileInfoToDirEntry(corpusInfo{name: pageName(topic), size: pageBytes, mode: 0o644}))
	}
	return list, nil
}

// corpusFile is an open page.
type corpusFile struct {
	bytes.Reader

	info corpusInfo
}

func newCorpusFile(name string, text []byte) *corpusFile {
	f := &corpusFile{info: corpusInfo{name, int64(len(text)), 0o644}}
	f.Reset(text)
	return f
}

func (f *corpusFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *corpusFile) Close() error               { return nil }

// corpusInfo is what is known of a file or folder. That of a page in a list has
// about its size: to know it, the page would have to be made.
type corpusInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i corpusInfo) Name() string       { return i.name }
func (i corpusInfo) Size() int64        { return i.size }
func (i corpusInfo) Mode() fs.FileMode  { return i.mode }
func (i corpusInfo) ModTime() time.Time { return corpusTime }
func (i corpusInfo) IsDir() bool        { return i.mode.IsDir() }
func (i corpusInfo) Sys() any           { return nil }
