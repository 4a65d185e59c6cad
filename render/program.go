package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// A Program is an outside program that is asked something: it reads from its
// standard input and answers on its standard output. No shell reads its arguments, and
// its process group ends with it.
type Program struct {
	// Path of the program, absolute, or its name on PATH.
	Path string
	// Args are its arguments.
	Args []string
	// Most is how many bytes it may answer.
	Most int
}

// Ask starts the program, gives it the question and waits for its answer and its end.
// It fails when the program cannot be started, exits with another status than 0,
// answers too much, or has not ended when ctx does.
func (p Program) Ask(ctx context.Context, question []byte) ([]byte, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	path, err := exec.LookPath(p.Path)
	if err != nil {
		return nil, err
	}
	answer := limited{most: p.Most, over: cancel}
	said := output{}
	cmd := exec.CommandContext(ctx, path, p.Args...)
	cmd.Env = os.Environ()
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(question), &answer, &said
	err = runGroup(cmd)
	switch {
	case answer.exceeded:
		return nil, fmt.Errorf("it answered more than %d bytes", p.Most)
	case ctx.Err() != nil:
		return nil, errors.New("its time was over")
	case err != nil:
		if text := strings.TrimSpace(said.String()); text != "" {
			return nil, fmt.Errorf("%w: %s", err, text)
		}
		return nil, err
	}
	return answer.data, nil
}

// limited keeps what is written, up to a limit.
type limited struct {
	data     []byte
	most     int
	exceeded bool
	over     func()
}

func (l *limited) Write(b []byte) (int, error) {
	if len(l.data)+len(b) > l.most {
		l.exceeded = true
		l.over()
		return 0, errors.New("too much")
	}
	l.data = append(l.data, b...)
	return len(b), nil
}
