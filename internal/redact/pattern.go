package redact

import (
	"encoding/base64"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A pattern finds one kind of secret in a text.
type pattern struct {
	// hints are substrings, in lower case, of which every such secret has at least
	// one. They are looked for first: the expression takes a hundred times longer,
	// and most texts have no hint.
	hints []string
	// run is how many letters, digits, hyphens and underscores stand in a row at least
	// in every such secret.
	run int
	// secret matches the secret. What its first group matches is kept.
	secret *regexp.Regexp
	// is, when there is one, says of what the second group matches whether it is one.
	is func(string) bool
}

func (p pattern) hide(text string) string {
	if p.is == nil {
		return p.secret.ReplaceAllString(text, "${1}"+Mark)
	}
	return p.secret.ReplaceAllStringFunc(text, func(found string) string {
		groups := p.secret.FindStringSubmatch(found)
		if !p.is(groups[2]) {
			return found
		}
		return groups[1] + Mark
	})
}

var patterns = []pattern{
	{hints: []string{"private key", "pgp message"}, secret: regexp.MustCompile(`()-----BEGIN [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----[\s\S]*?(?:-----END [A-Z0-9 ]*PRIVATE KEY[A-Z ]*-----|$)`)},
	{hints: []string{"age-secret-key-"}, run: 30, secret: regexp.MustCompile(`()\bAGE-SECRET-KEY-1[A-Z0-9]{20,}`)},
	{hints: []string{"bearer"}, secret: regexp.MustCompile(`(?i)\b(bearer\s+)([A-Za-z0-9._~+/=-]{8,})`), is: looksMade},
	{hints: []string{"basic"}, secret: regexp.MustCompile(`(?i)\b(basic\s+)([A-Za-z0-9+/_-]{6,}={0,2})`), is: isBasic},
	{hints: []string{"://"}, secret: regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)[^\s/@"'<>]*:[^\s/@"'<>]+@`)},
	{hints: []string{"://"}, secret: regexp.MustCompile(`([a-zA-Z][a-zA-Z0-9+.-]*://)([^\s/@:"'<>?#]{8,})@`), is: isTokenOfURL},
	{hints: []string{"-u ", "--user"}, secret: regexp.MustCompile(`((?:\s|^)(?:-u|--user)[ =]["']?[^\s:"'/]+:)[^\s"']+`)},
	{hints: []string{"hooks.slack.com", "discord", "webhook.office"}, secret: regexp.MustCompile(`(hooks\.slack\.com/(?:services|workflows)/|discord(?:app)?\.com/api/webhooks/|webhook\.office\.com/webhookb2/)[A-Za-z0-9/_@.-]+`)},
	{hints: []string{"sig=", "key=", "signature=", "credential="}, secret: regexp.MustCompile(`(?i)([?&](?:sig|key|x-goog-signature|x-amz-signature|x-amz-credential|signature)=)[A-Za-z0-9%_./+-]{8,}=*`)},
	{hints: []string{"eyj"}, run: 20, secret: regexp.MustCompile(`()\b(?:ops_)?eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?|[A-Za-z0-9_-]{20,})`)},
	{hints: []string{"akia", "asia", "abia", "acca", "agpa", "aroa"}, run: 20, secret: regexp.MustCompile(`()\b(?:AKIA|ASIA|ABIA|ACCA|AGPA|AROA)[A-Z0-9]{16}\b`)},
	{hints: []string{"aiza"}, run: 30, secret: regexp.MustCompile(`()\bAIza[A-Za-z0-9_-]{30,}`)},
	{hints: []string{"sg."}, run: 16, secret: regexp.MustCompile(`()\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}`)},
	{hints: []string{"ya29.", "1//0"}, run: 20, secret: regexp.MustCompile(`()(?:\bya29\.[A-Za-z0-9_-]{20,}|\b1//0[A-Za-z0-9_-]{20,})`)},
	{hints: []string{"hvs.", "hvb.", "hvr."}, run: 20, secret: regexp.MustCompile(`()\bhv[sbr]\.[A-Za-z0-9_-]{20,}`)},
	{hints: []string{"dp."}, run: 20, secret: regexp.MustCompile(`()\bdp\.(?:pt|st|ct|sa|scim|audit)\.[A-Za-z0-9._-]{20,}`)},
	{hints: []string{"atatt", "atctt", "atbb", "eaa"}, run: 20, secret: regexp.MustCompile(`()\b(?:ATATT3|ATCTT3|ATBB|EAA[A-Z])[A-Za-z0-9_=-]{20,}`), is: nil},
	{hints: []string{"pat"}, run: 40, secret: regexp.MustCompile(`()\bpat[A-Za-z0-9]{14}\.[0-9a-f]{40,}`)},
	{hints: []string{":aa"}, run: 30, secret: regexp.MustCompile(`()\b\d{8,10}:AA[A-Za-z0-9_-]{32,}`)},
	{hints: []string{"."}, run: 24, secret: regexp.MustCompile(`()\b[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,}`)},
	{hints: []string{"sk", "ac", "key-"}, run: 34, secret: regexp.MustCompile(`()\b((?:SK|AC)[0-9a-f]{32}|key-[0-9a-f]{32})\b`)},
	{hints: []string{"dapi", "nrak", "ccipat"}, run: 20, secret: regexp.MustCompile(`()\b(?:dapi[0-9a-f]{32}(?:-\d)?|NRAK-[A-Z0-9]{20,}|CCIPAT_[A-Za-z0-9_]{20,})`)},
	{hints: []string{"-", "_", "."}, run: 14, secret: regexp.MustCompile(`()\b((?:` + strings.Join(prefixes, "|") + `)[A-Za-z0-9_-]{12,})`), is: looksMade},
}

// prefixes begin the keys and tokens of well-known services, each with its last "-" or
// "_".
var prefixes = []string{
	`sk-`, `sk_`, `pk_`, `pk-`, `rk_`, `whsec_`, // payment and model services
	`gh[pousr]_`, `gh[pousr]-`, `github_pat_`, `gl(?:pat|dt|rt|ptt|cbt|soat|ft|imt|agent|ffct|oas)-`,
	`xox[abceoprs]-`, `xox[abceoprs]_`, `xapp-`, `xwfp-`,
	`hf_`, `npm_`, `pypi-`, `do[opr]_v1_`, `shp(?:at|ca|pa|ss)_`, `sq0[a-z]{3}-`, `nvapi-`, `r8_`, `gsk_`, `xai-`, `pplx-`, `tvly-`,
	`lin_api_`, `lin_oauth_`, `fig[dou]_`, `dckr_(?:pat|oat)_`, `tskey-`, `sntry[su]_`, `gl(?:c|sa)_`, `ph[cx]_`, `pul-`, `PMAK-`, `ntn_`, `secret_`,
	`sb[pa]_`, `sb_secret_`, `pscale_(?:tkn|oauth|pw)_`, `rubygems_`, `CLOJARS_`, `HRKU-`, `GOCSPX-`, `bkua_`, `fo1_`, `fm2_`, `ops_`, `rdme_`,
	`duffel_(?:test|live)_`, `fio-u-`, `co_sk_`, `vercel_`, `re_`, `v1\.0-`, `AQ\.`, `ghv_`, `jina_`, `fc-`, `csk-`, `together_`, `fw_`, `voy-`, `pa-`, `sgp_`, `rnd_`, `nfp_`, `cf(?:ut|at|k)_`, `ramp_`, `posthog_`,
}

// looksMade reports whether a machine has made a text, and no person named something so:
// somewhere a part of it, between hyphens, underscores and dots, has both letters and
// digits, or small and capital letters within, or there are no words in it.
func looksMade(text string) bool {
	if _, rest, ok := strings.Cut(text, "_pat_"); ok {
		text = rest
	}
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("-_./~+=", r) }) {
		digits, letters, capitals := 0, 0, 0
		for i, r := range part {
			switch {
			case unicode.IsDigit(r):
				digits++
			case unicode.IsUpper(r) && i > 0:
				capitals++
				letters++
			default:
				letters++
			}
		}
		switch {
		case len(part) >= 20:
			return true
		case len(part) >= 8 && (digits >= 2 && letters >= 2 || capitals >= 2 && capitals < letters-1):
			return true
		case len(part) >= 12 && digits >= 12:
			return true
		}
	}
	return false
}

// isBasic reports whether a text is a name and a password in base64.
func isBasic(text string) bool {
	text = strings.TrimRight(text, "=")
	for _, encoding := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
		decoded, err := encoding.DecodeString(text)
		if err == nil && utf8.Valid(decoded) && strings.Contains(string(decoded), ":") &&
			strings.IndexFunc(string(decoded), unicode.IsControl) < 0 {
			return true
		}
	}
	return false
}

// isTokenOfURL reports whether the name of a user in a URL is rather a token.
func isTokenOfURL(user string) bool {
	digit := strings.ContainsAny(user, "0123456789")
	return looksMade(user) || len(user) >= 16 && digit || len(user) >= 24 || user == strings.ToUpper(user) && strings.Contains(user, "TOKEN")
}
