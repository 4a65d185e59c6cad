package share

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/chemigram/chemigram/versioning"
)

const (
	headsPrefix = "refs/heads/"
	tagsPrefix  = "refs/tags/"

	imagesFolder   = "images/"
	branchesFolder = "branches/"
	refsFolder     = "refs/"
	objectsFolder  = "objects/"
	rawsFolder     = "raws/"
	marksFolder    = "marks/"
)

// maxEscaped is how long a ref's name may become before its digest stands for it.
const maxEscaped = 160

// refPart is a ref as a part of an object's name. Whatever is not a lower-case letter, a
// digit or a hyphen is escaped, so that no file system folds two into one.
func refPart(ref string) (string, error) {
	if ref == belongingsRef {
		return "b-belongings", nil
	}
	kind, name := "h-", strings.TrimPrefix(ref, headsPrefix)
	if tag, ok := strings.CutPrefix(ref, tagsPrefix); ok {
		kind, name = "t-", tag
	} else if name == ref {
		return "", corrupt("%.100q is neither a branch nor a tag", ref)
	}
	if err := versioning.CheckRefName(name); err != nil {
		return "", err
	}
	var b strings.Builder
	for i := range len(name) {
		if c := name[i]; c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '-' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "=%02x", c)
		}
	}
	if b.Len() > maxEscaped {
		sum := sha256.Sum256([]byte(name))
		return kind + "==" + hex.EncodeToString(sum[:]), nil
	}
	return kind + b.String(), nil
}

// hashed is the name of an object that is known by its digest.
func hashed(folder string, sum versioning.Hash) string {
	return folder + sum.String()[:2] + "/" + sum.String()
}

func imageName(image versioning.Hash) string { return imagesFolder + image.String() }

func branchName(image versioning.Hash, part string) string {
	return branchesFolder + image.String() + "/" + part
}

func moveName(image versioning.Hash, part string, n uint64) string {
	return fmt.Sprintf("%s%s/%s/%010d", refsFolder, image, part, n)
}
