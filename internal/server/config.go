package server

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/chemigram/chemigram"
	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/internal/suggest"
	"github.com/chemigram/chemigram/mcp"
)

// config holds the values of the flags. Each flag overrides an environment variable:
// CHEMIGRAM_ and the flag's name in capitals.
type config struct {
	engine chemigram.Options
	groups []mcp.Group
	tools  []string // by name

	http      string
	token     string
	tokenFile string
	tokenless bool
	origins   []string
	anyHost   bool
	wide      bool
	studio    studioFlag
	logFormat string
	hideHome  bool

	transcripts  bool
	pictureBytes int

	check       bool
	prove       bool
	printConfig string
	version     bool
}

const usage = `chemigram-mcp serves Chemigram's verbs to agents over the Model Context Protocol:
over stdio, or over HTTP with -http.

	chemigram-mcp [flags] [folders below which a raw may be ingested]

Each flag can be given as an environment variable, too: -raw-roots is
CHEMIGRAM_RAW_ROOTS. Lists are separated as in PATH.

`

// parse reads the environment, then the arguments.
func parse(args []string, environ func(string) string, stderr io.Writer) (config, error) {
	var c config
	var groups string
	flags := flag.NewFlagSet("chemigram-mcp", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprint(stderr, usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&c.engine.Workspace, "workspace", "", "`folder` of images and histories (default: chemigram in the user's data folder)")
	flags.StringVar(&c.engine.Darktable, "darktable", "", "`path` of darktable-cli (default: DARKTABLE_CLI, PATH, the usual places)")
	flags.StringVar(&c.engine.Actor, "actor", "", "who edits, for the history and the audit log (default: the client's name)")
	flags.BoolVar(&c.engine.ReadOnly, "read-only", false, "offer only tools that write nothing")
	flags.Func("packs", "`folders` of vocabulary packs beside the ones that ship", list(&c.engine.Packs))
	flags.Func("raw-roots", "`folders` below which a raw may be ingested (default: anywhere)", list(&c.engine.RawRoots))
	flags.Func("export-roots", "`folders` below which an export may be written (default: anywhere)", list(&c.engine.ExportRoots))
	flags.IntVar(&c.engine.Processes, "processes", 0, "darktables that run at once (default: the number of CPUs)")
	flags.IntVar(&c.engine.Workers, "workers", 0, "prepared darktables for fast previews (default: the number of CPUs; -1: none)")
	flags.StringVar(&groups, "groups", "", "tool `groups`: "+join(mcp.Groups())+", or all (default: "+join(mcp.DefaultGroups())+"; none with -tools)")
	flags.Func("tools", "further tools by `name`, of any group, separated by commas", c.nameTools)
	flags.StringVar(&c.http, "http", "", "serve HTTP on `address`, such as 127.0.0.1:8080, at /mcp")
	flags.StringVar(&c.token, "token", "", "bearer `token` that HTTP clients have to send (better: CHEMIGRAM_TOKEN or -token-file)")
	flags.StringVar(&c.tokenFile, "token-file", "", "`file` with the bearer token that HTTP clients have to send")
	flags.BoolVar(&c.tokenless, "without-token", false, "allow -http without a token: every program and user of this machine may use it")
	flags.Func("origins", "web origins whose pages may use the server, separated by commas", func(s string) error {
		c.origins = strings.Split(s, ",")
		return nil
	})
	flags.BoolVar(&c.anyHost, "any-host", false, "accept other host names than the local ones, for a reverse proxy; needs a token")
	flags.BoolVar(&c.wide, "listen-wide", false, "allow -http, which needs a token then, and -studio on an address that other machines reach")
	flags.Var(&c.studio, "studio", "serve a page for the person on `HOST:PORT` and print its link on stderr (-studio alone: any port of 127.0.0.1)")
	flags.StringVar(&c.logFormat, "log", "text", "log `format` on stderr: text, json or off")
	flags.BoolVar(&c.transcripts, "transcripts", true, "record every call in the workspace's folder transcripts")
	flags.Int64Var(&c.engine.TranscriptBytes, "transcript-bytes", 0, "the most `bytes` of all transcripts; the oldest are removed (default 256 MiB; -1: all are kept)")
	flags.IntVar(&c.pictureBytes, "picture-bytes", mcp.DefaultPictureBytes, "the most `bytes` of a picture in an answer, before base64")
	flags.BoolVar(&c.hideHome, "hide-home", false, "write the home folder as ~ in the log")
	flags.BoolVar(&c.check, "check", false, "print the result of health_check, and exit; status 1 when something is wrong")
	flags.BoolVar(&c.prove, "prove", false, "prove the moves and masks on this very darktable, and exit; status 1 when one fails; a proof that was ended goes on")
	flags.Func("allow-failed", "moves and masks by `name` that may be used though their proof failed here, separated by commas", func(s string) error {
		c.engine.AllowFailed = strings.Split(s, ",")
		return nil
	})
	flags.StringVar(&c.printConfig, "print-config", "", "print the configuration for a `client`: "+strings.Join(clients(), ", "))
	flags.BoolVar(&c.version, "version", false, "print the version, and exit")

	if err := fromEnvironment(flags, environ); err != nil {
		return c, err
	}
	if err := flags.Parse(args); err != nil {
		return c, err
	}
	err := c.addRawRoots(flags.Args())
	if err == nil {
		c.groups, err = parseGroups(groups)
	}
	return c, cmp.Or(err, c.readToken(), c.validate())
}

// addRawRoots takes folders that are no flag's value, as bundles give them.
func (c *config) addRawRoots(folders []string) error {
	for _, folder := range folders {
		if isUnset(folder) {
			continue
		}
		info, err := os.Stat(folder)
		// A folder that is not there may be on a card that comes later.
		if err == nil && !info.IsDir() || err != nil && !strings.ContainsAny(folder, `/\`) {
			return fmt.Errorf("the argument %q is no folder: after the flags come folders with raws; see -help", folder)
		}
		if folder, err = filepath.Abs(folder); err != nil {
			return err
		}
		c.engine.RawRoots = append(c.engine.RawRoots, folder)
	}
	return nil
}

// isUnset reports whether a client left the place of a setting as it is in a bundle's
// manifest, since its user gave none.
func isUnset(value string) bool { return value == "" || strings.HasPrefix(value, "${user_config.") }

// readToken takes the token out of its file.
func (c *config) readToken() error {
	if c.tokenFile == "" {
		return nil
	}
	if c.token != "" {
		return errors.New("-token and -token-file are both given: take one")
	}
	const most = 4 << 10
	text, err := regularfile.Read(c.tokenFile, most)
	if err != nil {
		return fmt.Errorf("the token's file cannot be read: %w", err)
	}
	if c.token = strings.TrimSpace(string(text)); c.token == "" {
		return fmt.Errorf("the token's file %s is empty", c.tokenFile)
	}
	return nil
}

// bearerToken matches what can be sent as a token (RFC 6750).
var bearerToken = regexp.MustCompile(`^[A-Za-z0-9._~+/-]+=*$`)

// fromEnvironment sets flags from CHEMIGRAM_… variables.
func fromEnvironment(flags *flag.FlagSet, environ func(string) string) (err error) {
	flags.VisitAll(func(f *flag.Flag) {
		name := "CHEMIGRAM_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if value := environ(name); !isUnset(value) && err == nil {
			if setErr := flags.Set(f.Name, value); setErr != nil {
				err = fmt.Errorf("the environment variable %s is %q: %w", name, value, setErr)
			}
		}
	})
	return err
}

// list is a flag whose value is a list of folders.
func list(into *[]string) func(string) error {
	return func(value string) error {
		*into = (*into)[:0]
		for _, folder := range filepath.SplitList(value) {
			absolute, err := filepath.Abs(folder)
			if err != nil {
				return err
			}
			*into = append(*into, absolute)
		}
		return nil
	}
}

// nameTools sets the tools that are chosen by name.
func (c *config) nameTools(text string) error {
	c.tools = nil
	var known []string
	for _, tool := range mcp.EngineTools(nil) {
		known = append(known, tool.Name())
	}
	for name := range strings.SplitSeq(text, ",") {
		name = strings.TrimSpace(name)
		if !slices.Contains(known, name) {
			return fmt.Errorf("there is no tool %q; the nearest names are %q", name, suggest.Nearest(name, known))
		}
		c.tools = append(c.tools, name)
	}
	return nil
}

func parseGroups(text string) ([]mcp.Group, error) {
	switch text {
	case "":
		return nil, nil
	case "all":
		return mcp.Groups(), nil
	}
	var out []mcp.Group
	for name := range strings.SplitSeq(text, ",") {
		group := mcp.Group(strings.TrimSpace(name))
		if !slices.Contains(mcp.Groups(), group) {
			return nil, fmt.Errorf("there is no tool group %q; the groups are %s, or all", group, join(mcp.Groups()))
		}
		out = append(out, group)
	}
	return out, nil
}

// validate refuses values that are unknown or unsafe.
func (c config) validate() error {
	switch {
	case !slices.Contains([]string{"text", "json", "off"}, c.logFormat):
		return fmt.Errorf("the log format is text, json or off, not %q", c.logFormat)
	case c.printConfig != "" && !slices.Contains(clients(), c.printConfig):
		return fmt.Errorf("no client %q is known; there are %s", c.printConfig, strings.Join(clients(), ", "))
	case c.pictureBytes < 5_000 || c.pictureBytes > 8<<20:
		return fmt.Errorf("-picture-bytes is %d: take 5000 to %d", c.pictureBytes, 8<<20)
	case c.token != "" && len(c.token) < 16:
		return fmt.Errorf("a token of %s characters can be guessed: take 16 or more", strconv.Itoa(len(c.token)))
	case c.token != "" && !bearerToken.MatchString(c.token):
		return errors.New("the token has characters that a header cannot carry: take letters, digits and . _ ~ + / -")
	}
	return nil
}

// join lists groups for a message.
func join(groups []mcp.Group) string {
	words := make([]string, len(groups))
	for i, group := range groups {
		words[i] = string(group)
	}
	return strings.Join(words, ",")
}
