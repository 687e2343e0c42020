package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
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

// makeCorpus writes n pages, all languages of n/12 topics, and site.yaml into
// the folder. The same n makes the same bytes everywhere.
func makeCorpus(folder string, n int) error {
	topics := n / len(languages)
	for i, language := range languages {
		if err := os.MkdirAll(filepath.Join(folder, language.code), 0o755); err != nil {
			return err
		}
		words := strings.Fields(language.words)
		for topic := range topics {
			random := rand.New(rand.NewPCG(uint64(i), uint64(topic)))
			name := filepath.Join(folder, language.code, fmt.Sprintf("topic-%06d.md", topic))
			text := makePage(random, language.code, words, topic, topics)
			if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
				return err
			}
		}
	}
	site := "base_url: https://api.example.org\nnamespace: 3c5d1f0a-6e0e-4f5e-9a51-0d9a3f1b7c11\ndates: [fields]\n"
	return os.WriteFile(filepath.Join(folder, "site.yaml"), []byte(site), 0o644)
}

func makePage(random *rand.Rand, language string, words []string, topic, topics int) string {
	phrase := func(n int) string {
		var list []string
		for range n {
			list = append(list, words[random.IntN(len(words))])
		}
		return strings.Join(list, " ")
	}
	var b strings.Builder
	day := 1 + random.IntN(28)
	fmt.Fprintf(&b, "---\nid: %08x-%04x-4%03x-8%03x-%012x\nkind: article\ntitle: %s\n", random.Uint32(), topic&0xffff, random.IntN(1<<12), random.IntN(1<<12), random.Uint64N(1<<48), phrase(3))
	fmt.Fprintf(&b, "windowtitle: %s\ndescription: \"%s: %s\"\n", phrase(3), phrase(2), phrase(8))
	fmt.Fprintf(&b, "created: %d-%02d-%02dT08:%02d:25.%06dZ\nmodified: 2025-%02d-%02dT10:00:00Z\n", 2012+random.IntN(12), 1+random.IntN(12), day, random.IntN(60), random.IntN(1e6), 1+random.IntN(12), day)
	fmt.Fprintf(&b, "imagebanner: banner-%d.jpg\nimagebanneralt: %s\nimagebannerlink: https://www.example.org/%d\n---\n\n", topic, phrase(4), topic)
	head := b.Len()
	for section := 1; b.Len()-head < pageBytes; section++ {
		fmt.Fprintf(&b, "## %d. %s\n\n%s *%s* %s [%s](topic-%06d.md) %s **%s** %s.\n\n", section, phrase(3), phrase(14), phrase(2), phrase(8), phrase(2), random.IntN(topics), phrase(12), phrase(1), phrase(9))
		switch section % 4 {
		case 1:
			fmt.Fprintf(&b, "- %s\n- %s\n- `%s` %s\n\n", phrase(5), phrase(6), phrase(1), phrase(4))
		case 2:
			fmt.Fprintf(&b, "| %s | %s |\n|---|---|\n| %s | %d |\n| %s | %d |\n\n", phrase(1), phrase(1), phrase(2), random.IntN(1000), phrase(2), random.IntN(1000))
		case 3:
			fmt.Fprintf(&b, "> %s\n\n%s <https://www.example.org/%s> %s\n\n", phrase(10), phrase(4), language, phrase(5))
		default:
			fmt.Fprintf(&b, "1. %s\n2. %s\n\n<p class=\"note\" lang=\"%s\">%s</p>\n\n", phrase(4), phrase(4), language, phrase(8))
		}
	}
	return b.String()
}
