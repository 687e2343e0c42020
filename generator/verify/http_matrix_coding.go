package verify

import (
	"context"
	"net/http"
	"slices"
	"strings"
)

// codingCase is one Accept-Encoding, and what may come for it. A plain answer
// always may: nobody has to compress.
type codingCase struct {
	accept string
	may    []string
}

var codingCases = []codingCase{
	{"gzip", []string{"gzip"}},
	{"br", []string{"br"}},
	{"zstd", []string{"zstd"}},
	{"gzip, deflate, br, zstd", []string{"gzip", "br", "zstd"}},
	{"GZIP;q=0.5", []string{"gzip"}},
	{"gzip;q=0", nil},
	{"br;q=0, zstd;q=0, gzip;q=0", nil},
	{"br;q=0, gzip", []string{"gzip"}},
	{"identity", nil},
	{"sivu-verify", nil}, // a coding that nobody knows
}

func (m *matrix) compressionTrials() []trial {
	return eachOf([]string{
		m.linked(allLists, "", false), m.linked(allLists, "", true), m.linked(oneRecord, "", false),
	}, m.tryCodings)
}

func (m *matrix) tryCodings(ctx context.Context, address string) error {
	plain, err := m.client.open(ctx, address, wantSum)
	if err != nil || plain.Status != http.StatusOK || plain.Header.Get("Content-Encoding") != "" {
		return err
	}
	for _, c := range codingCases {
		r := request{address: address, header: []headerField{{"Accept-Encoding", c.accept}}}
		if err := m.tryCoding(ctx, r, c, plain); err != nil {
			return err
		}
	}
	return nil
}

func (m *matrix) tryCoding(ctx context.Context, r request, c codingCase, plain *answer) error {
	a, err := m.client.do(ctx, r)
	if err != nil {
		return err
	}
	find := func(due, came string) { m.find(ruleCompression, r.address, r.label(), due, came) }
	const due = "the bytes of the plain answer"
	coding := strings.ToLower(a.Header.Get("Content-Encoding"))
	switch {
	case isRedirect(a.Status):
		m.find(ruleRedirect, r.address, r.label(), due, a.short())
		return nil
	case a.Status != http.StatusOK:
		find(due, a.short())
		return nil
	case a.Long && !plain.Long:
		find(due, "more than is read of any body")
		return nil
	case a.Sum != plain.Sum:
		find(due, m.came(a))
	}
	if coding == "" || coding == "identity" {
		return nil
	}
	if !slices.Contains(c.may, coding) {
		find("a coding that was asked for", "Content-Encoding: "+coding)
	}
	if !names(a.Header, "Vary", "Accept-Encoding") {
		find("Vary: Accept-Encoding", showField(a.Header, "Vary"))
	}
	if !names(a.Header, "Vary", "Accept") {
		m.find(ruleVary, r.address, r.label(), "Vary: Accept", showField(a.Header, "Vary"))
	}
	return m.tryCodedHead(ctx, r, coding)
}

// tryCodedHead asks for the header alone. It may leave the coding out, and must
// not name another.
func (m *matrix) tryCodedHead(ctx context.Context, r request, coding string) error {
	r.method = http.MethodHead
	head, ok, err := m.get(ctx, r, "200")
	if err != nil || !ok {
		return err
	}
	came := strings.ToLower(head.Header.Get("Content-Encoding"))
	switch {
	case head.Status != http.StatusOK:
		m.find(ruleHead, r.address, r.label(), "200", head.short())
	case came != "" && came != coding:
		m.find(ruleHead, r.address, r.label(), "Content-Encoding: "+coding, "Content-Encoding: "+came)
	}
	return nil
}
