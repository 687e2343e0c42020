package verify

// What DESIGN.md says where the contract is silent.
const silent = "DESIGN.md, where the contract is silent"

// The rules of HTTP. Each answer that is not as due breaks one of them.
var (
	ruleStatus = &Rule{
		Name: "status", Section: "contract.md 4",
		Doc: "a good address answers with status 200, and whole",
	}
	ruleContentType = &Rule{
		Name: "content-type", Section: "contract.md 4",
		Doc: "Content-Type is application/json, without a parameter",
	}
	ruleAllow = &Rule{
		Name: "allow-header", Section: "contract.md 4",
		Doc: "Allow is GET, HEAD, OPTIONS",
	}
	ruleVary = &Rule{
		Name: "vary-header", Section: "contract.md 4",
		Doc: "Vary names Accept",
	}
	ruleErrorHeaders = &Rule{
		Name: "error-headers", Section: silent, Loose: true,
		Doc: "errors carry the same Allow, Content-Type and Vary as other answers",
	}
	ruleCORS = &Rule{
		Name: "cors-header", Section: silent, Loose: true,
		Doc: "Access-Control-Allow-Origin is *; a preview names loopback origins only",
	}
	rulePreflight = &Rule{
		Name: "preflight", Section: silent, Loose: true,
		Doc: "a preflight gets the answer to OPTIONS, with Access-Control-Allow-Methods",
	}
	rulePageQuery = &Rule{
		Name: "page-query", Section: "contract.md 4.1",
		Doc: "page picks the list page, wherever it stands in the query; other parameters are ignored, and of a repeated one the last counts",
	}
	ruleFormatQuery = &Rule{
		Name: "format-query", Section: "contract.md 4.1",
		Doc: "format=api picks the api variant, wherever it stands in the query; other formats are ignored",
	}
	ruleNotFoundStatus = &Rule{
		Name: "not-found-status", Section: silent, Loose: true,
		Doc: "unknown records and list pages answer with status 404",
	}
	ruleNotFoundBody = &Rule{
		Name: "not-found-body", Section: silent, Loose: true,
		Doc: "the body of a 404 is " + notFoundBody,
	}
	ruleMethodStatus = &Rule{
		Name: "method-status", Section: "contract.md 1",
		Doc: "methods other than GET, HEAD and OPTIONS answer with status 405",
	}
	ruleMethodBody = &Rule{
		Name: "method-body", Section: silent, Loose: true,
		Doc: "the body of a 405 is " + methodBody,
	}
	ruleHead = &Rule{
		Name: "head", Section: "contract.md 4.3",
		Doc: "HEAD answers with the status and headers of GET, and no body",
	}
	ruleOptionsStatus = &Rule{
		Name: "options-status", Section: "contract.md 4.3",
		Doc: "OPTIONS answers with status 200",
	}
	ruleOptionsBody = &Rule{
		Name: "options-body", Section: silent, Loose: true,
		Doc: "the body of OPTIONS is " + optionsBody,
	}
	ruleSlash = &Rule{
		Name: "slash-redirect", Section: silent, Loose: true,
		Doc: "without the slash at its end an address answers with 308 to the one with it, the query kept, or with 404",
	}
	ruleConditional = &Rule{
		Name: "conditional-request", Section: "RFC 9110, section 13",
		Doc: "a validator that was sent gives 304 without a body, and another one gives 200",
	}
	ruleCompression = &Rule{
		Name: "compression", Section: "RFC 9110, section 12.5.3",
		Doc: "a compressed answer was asked for, has the bytes of the plain one, and its Vary names Accept-Encoding",
	}
	ruleStateHidden = &Rule{
		Name: "state-hidden", Section: "DESIGN.md, the files of a snapshot", Loose: true,
		Doc: "nothing below .sivu is served",
	}
	ruleRedirect = &Rule{
		Name: "redirect", Section: "contract.md 4",
		Doc: "no answer sends clients elsewhere",
	}
)

var httpRules = []*Rule{
	ruleStatus, ruleContentType, ruleAllow, ruleVary,
	ruleErrorHeaders, ruleCORS, rulePreflight,
	rulePageQuery, ruleFormatQuery,
	ruleNotFoundStatus, ruleNotFoundBody, ruleMethodStatus, ruleMethodBody,
	ruleHead, ruleOptionsStatus, ruleOptionsBody,
	ruleSlash, ruleConditional, ruleCompression, ruleStateHidden, ruleRedirect,
}
