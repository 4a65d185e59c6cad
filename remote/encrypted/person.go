package encrypted

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"filippo.io/age"

	"github.com/chemigram/chemigram/internal/regularfile"
	"github.com/chemigram/chemigram/objects"
)

// The environment says who opens the key, and who else shall, where there is none yet.
const (
	// IdentityFile names a file with identities as age-keygen makes it.
	IdentityFile = "CHEMIGRAM_AGE_IDENTITY_FILE"
	// RecipientsFile names a file with a recipient on each line.
	RecipientsFile = "CHEMIGRAM_AGE_RECIPIENTS_FILE"
)

const (
	mostPeople   = 1000
	mostFile     = 1 << 20 // bytes of a file of identities or recipients
	remoteKey    = 32      // bytes of a remote's key
	mostWrapped  = 8 << 10 // bytes of a key that age has encrypted
	mostOpenings = 16      // identities of a file
)

// People are who opens a store, and whom a new one is made for.
type People struct {
	// Identities open the key.
	Identities []age.Identity
	// Recipients get the key of a new store, those of the identities among them.
	Recipients []string
}

// FromEnvironment reads the files that the environment names. No error has a word of what
// is in them.
func FromEnvironment() (People, error) {
	data, err := readFile(IdentityFile, "make one with age-keygen -o, and let it name that")
	if err != nil {
		return People{}, err
	}
	identities, err := age.ParseIdentities(bytes.NewReader(data))
	if err != nil || len(identities) > mostOpenings {
		return People{}, denied(fmt.Sprintf("the file that %s names has no identities that can be read: 1 to %d lines AGE-SECRET-KEY-1… or AGE-SECRET-KEY-PQ-1…, "+
			"as age-keygen makes them, without a passphrase", IdentityFile, mostOpenings))
	}
	p := People{Identities: identities}
	for _, i := range identities {
		switch i := i.(type) {
		case *age.X25519Identity:
			p.Recipients = append(p.Recipients, i.Recipient().String())
		case *age.HybridIdentity:
			p.Recipients = append(p.Recipients, i.Recipient().String())
		}
	}
	if os.Getenv(RecipientsFile) == "" {
		return p, nil
	}
	if data, err = readFile(RecipientsFile, "let it name one"); err != nil {
		return People{}, err
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := recipient(line); err != nil {
			return People{}, denied(fmt.Sprintf("the file that %s names has a line that is no recipient: lines begin with age1 or age1pq1, as age-keygen -y gives them", RecipientsFile))
		}
		p.Recipients = append(p.Recipients, line)
	}
	slices.Sort(p.Recipients)
	p.Recipients = slices.Compact(p.Recipients)
	if len(p.Recipients) > mostPeople {
		return People{}, denied(fmt.Sprintf("there are more than %d recipients", mostPeople))
	}
	return p, nil
}

// readFile reads the file that a variable of the environment names.
func readFile(variable, advice string) ([]byte, error) {
	path := os.Getenv(variable)
	if path == "" {
		return nil, denied(fmt.Sprintf("the remote is encrypted, and %s names no file with an age identity: %s", variable, advice))
	}
	data, err := regularfile.Read(path, mostFile)
	if err != nil {
		return nil, denied(fmt.Sprintf("the file that %s names cannot be read: %s", variable, advice))
	}
	return data, nil
}

func denied(message string) error {
	return &objects.Error{Op: "Open", Kind: objects.Denied, Message: message}
}

var errRecipient = errors.New("it is no recipient: it begins with age1 or age1pq1, as age-keygen -y gives it")

// recipient reads a recipient. The error has none of the text: it may be a secret key.
func recipient(text string) (age.Recipient, error) {
	list, err := age.ParseRecipients(strings.NewReader(text))
	if err != nil || len(list) != 1 || fmt.Sprint(list[0]) != text {
		return nil, errRecipient
	}
	return list[0], nil
}
