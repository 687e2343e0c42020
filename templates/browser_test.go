package templates_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// patience is how long a test waits for what does not come. What comes is never
// judged by the time it takes.
const patience = 60 * time.Second

// chromium starts the browser that all tests share, and returns it as a context of
// chromedp; nil where there is none on this machine.
var chromium = sync.OnceValues(startChromium)

// profile is the folder of the browser, once it was started.
var profile string

func TestMain(m *testing.M) {
	status := m.Run()
	if profile != "" {
		if ctx, err := chromium(); err == nil {
			chromedp.Cancel(ctx)
		}
		os.RemoveAll(profile)
	}
	os.Exit(status)
}

func startChromium() (context.Context, error) {
	path := browserPath()
	if path == "" {
		return nil, nil
	}
	var err error
	if profile, err = os.MkdirTemp("", "preview-test-"); err != nil {
		return nil, err
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:],
		chromedp.ExecPath(path), chromedp.UserDataDir(profile),
		chromedp.NoSandbox, chromedp.DisableGPU, chromedp.NoFirstRun,
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true),
		// Nothing leaves the machine; *.example are a stranger's names, as in DNS rebinding.
		chromedp.Flag("host-resolver-rules", "MAP *.example 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	allocator, _ := chromedp.NewExecAllocator(context.Background(), options...) // which ends with the browser, in TestMain
	ctx, _ := chromedp.NewContext(allocator)
	if err := chromedp.Do(ctx); err != nil {
		return nil, fmt.Errorf("chromium does not start: %w", err)
	}
	return ctx, nil
}

func browserPath() string {
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// tab is a window of the browser, and a person in front of it. The test fails
// if the page complains: an error in the console, an exception, a breach of its
// Content-Security-Policy, or a request that goes elsewhere.
type tab struct {
	t    *testing.T
	ctx  context.Context
	base string

	mu         sync.Mutex
	complaints []string
	excused    []string

	frames map[target.ID]context.Context // that were looked into
}

// open shows an address of a library in a new tab.
func open(t *testing.T, l *library, address string) *tab {
	t.Helper()
	return openAt(t, l.base, address)
}

// openAt shows an address of any preview, given its base address, in a new tab.
func openAt(t *testing.T, base, address string) *tab {
	t.Helper()
	b := newTab(t, base)
	b.must(chromedp.Listen(b.ctx, b.listen))
	call(b, network.Enable, network.EnableParams{})
	call(b, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{
		Source: `addEventListener('securitypolicyviolation', (e) => console.error('policy: ' + e.violatedDirective + ' ' + e.blockedURI));`,
	})
	t.Cleanup(b.noComplaints)
	b.size(1280, 900)
	b.visit(address)
	return b
}

// testAll skips a test that is part of make test-all only. Others run beside it,
// each in a window of its own.
func testAll(t *testing.T) {
	t.Helper()
	if os.Getenv("SIVU_ALL") == "" {
		t.Skip("part of make test-all")
	}
	t.Parallel()
}

// needsBrowser returns the browser. It skips a test where there is none, unless
// that is forbidden.
func needsBrowser(t *testing.T) context.Context {
	t.Helper()
	ctx, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	if ctx == nil {
		if os.Getenv("SIVU_REQUIRE_BROWSER") == "1" {
			t.Fatal("no chromium on this machine, and SIVU_REQUIRE_BROWSER=1 asks for one")
		}
		t.Skip("no chromium on this machine; apt-get install chromium, and SIVU_REQUIRE_BROWSER=1 makes this an error")
	}
	return ctx
}

// newTab opens an empty tab in a window of its own, which counts as the one that
// is looked at. It ends with the test.
func newTab(t *testing.T, base string) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(needsBrowser(t), chromedp.WithNewWindow(true))
	t.Cleanup(cancel)
	b := &tab{t: t, ctx: ctx, base: base, frames: map[target.ID]context.Context{}}
	call(b, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	return b
}

// listen runs for each event of the tab, and must be quick.
func (b *tab) listen(event any) {
	complaint := ""
	switch e := event.(type) {
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			complaint = fmt.Sprintf("%s: %s %s", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *runtime.EventConsoleAPICalled:
		for _, argument := range e.Args {
			complaint += fmt.Sprintf("console %s: %s %s", e.Type, argument.Value, argument.Description)
		}
	case *runtime.EventExceptionThrown:
		complaint = "exception: " + e.ExceptionDetails.Text
		if e.ExceptionDetails.Exception != nil {
			complaint += " " + e.ExceptionDetails.Exception.Description
		}
	case *network.EventRequestWillBeSent:
		if url := e.Request.URL; !strings.HasPrefix(url, b.base+"/") && !strings.HasPrefix(url, "about:") && !strings.HasPrefix(url, "data:") {
			complaint = "a request elsewhere: " + url
		}
	}
	if complaint != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.complaints = append(b.complaints, complaint)
	}
}

// excuse allows complaints that hold a text: what the test provokes.
func (b *tab) excuse(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.excused = append(b.excused, text)
}

func (b *tab) noComplaints() {
	b.mu.Lock()
	defer b.mu.Unlock()
next:
	for _, complaint := range b.complaints {
		for _, text := range b.excused {
			if strings.Contains(complaint, text) {
				continue next
			}
		}
		b.t.Error("the page complains:", complaint)
	}
}

func (b *tab) must(err error) {
	b.t.Helper()
	if err != nil {
		b.t.Fatal(err)
	}
}

func (b *tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	b.must(chromedp.Do(ctx, steps...))
}

// call gives the browser one command.
func call[P, R any](b *tab, command cdp.Command[P, R], params P) R {
	b.t.Helper()
	result, err := chromedp.Call(b.ctx, command, params)
	b.must(err)
	return result
}

// eval returns the value of an expression in the page.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// visit goes to an address below the base, and waits until it is drawn.
func (b *tab) visit(address string) {
	b.t.Helper()
	b.do(chromedp.Navigate("about:blank"), chromedp.Navigate(b.base+address))
	b.drawn()
}

// drawn waits until the first reading is over.
func (b *tab) drawn() {
	b.t.Helper()
	b.until(`document.querySelector('main h1') && !document.querySelector('.loading progress') && document.title.includes(' – ')`)
}

// until waits for a condition in the page, while anything changes there.
func (b *tab) until(condition string) {
	b.t.Helper()
	shown := ""
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		ok, err := chromedp.Run(b.ctx, chromedp.Evaluate[bool]("Boolean("+condition+")"))
		if ok {
			return
		}
		if time.Since(begin) < patience/2 {
			continue
		}
		text, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string]("location.href + '\\n' + document.body.innerText"))
		if text == shown {
			b.t.Fatalf("waited in vain for %s (%v); the page shows\n%s", condition, err, text)
		}
		begin, shown = time.Now(), text
	}
}

// text returns the text of the first element that a selector finds, as it is
// seen; "" where there is none.
func (b *tab) text(selector string) string {
	b.t.Helper()
	return eval[string](b, fmt.Sprintf(`(document.querySelector(%q)?.innerText ?? '').replace(/\s+/g, ' ').trim()`, selector))
}

// texts returns the texts of all elements that a selector finds and shows.
func (b *tab) texts(selector string) []string {
	b.t.Helper()
	return eval[[]string](b, fmt.Sprintf(
		`[...document.querySelectorAll(%q)].filter((e) => e.checkVisibility()).map((e) => e.innerText.replace(/\s+/g, ' ').trim())`, selector))
}

// see asserts the text of an element, and waits for it.
func (b *tab) see(selector, want string) {
	b.t.Helper()
	b.until(fmt.Sprintf(`(document.querySelector(%q)?.innerText ?? '').replace(/\s+/g, ' ').trim() === %q`, selector, want))
}

func (b *tab) click(selector string) {
	b.t.Helper()
	b.do(chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

// write types into a field.
func (b *tab) write(selector, text string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS(selector), text))
}

// choose picks an option of the list with a label.
func (b *tab) choose(label, value string) {
	b.t.Helper()
	ok := eval[bool](b, fmt.Sprintf(`(() => {
		const label = [...document.querySelectorAll('label')].find((l) => l.checkVisibility() && l.textContent.trim() === %q);
		if (!label) return false;
		label.control.value = %q;
		label.control.dispatchEvent(new Event('change', { bubbles: true }));
		return label.control.value === %q;
	})()`, label, value, value))
	if !ok {
		b.t.Fatalf("no list %q with the option %q", label, value)
	}
}

// press presses keys, one after the other.
func (b *tab) press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do(chromedp.KeyEvent(key))
	}
}

func (b *tab) size(width, height int64) {
	b.t.Helper()
	b.do(chromedp.EmulateViewport(width, height))
}

// scheme picks light or dark. Colours change at once.
func (b *tab) scheme(name string) {
	b.t.Helper()
	call(b, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: name}, {Name: "prefers-reduced-motion", Value: "reduce"}},
	})
}

// clipboard lets the page use the clipboard, and returns what it holds.
func (b *tab) clipboard() string {
	b.t.Helper()
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		_, err := chromedp.CallBrowser(b.ctx, browser.SetPermission, browser.SetPermissionParams{
			Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted, Origin: b.base,
		})
		b.must(err)
	}
	return eval[string](b, `navigator.clipboard.readText()`)
}

// inFrame returns the value of an expression in the frame of a record. The
// frame is sandboxed: the browser gives it a process of its own.
func inFrame(b *tab, r *record, expression string) string {
	b.t.Helper()
	address := b.base + "/_preview/body/" + r.id().String()
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) {
		value, err := b.frameValue(address, expression)
		if err == nil {
			return value
		}
		if time.Since(begin) > patience {
			b.t.Fatalf("no frame of %s: %v", address, err)
		}
	}
}

func (b *tab) frameValue(address, expression string) (string, error) {
	targets, err := chromedp.Targets(b.ctx)
	if err != nil {
		return "", err
	}
	for _, one := range targets {
		if one.Type != "iframe" || one.URL != address {
			continue
		}
		ctx := b.frames[one.TargetID]
		if ctx == nil {
			// It ends with the tab: to end it alone would take the tab along.
			ctx, _ = chromedp.NewContext(b.ctx, chromedp.WithTargetID(one.TargetID))
			b.frames[one.TargetID] = ctx
		}
		return chromedp.Run(ctx, chromedp.Evaluate[string](expression))
	}
	return "", errors.New("not there")
}
