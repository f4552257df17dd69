package gatehouse

import (
	"context"
	"net/http"
	"sync"
	"time"
)

// turnstile is where the reads of one key pass. After an answer that the key is over its limit they
// wait together until its time has passed, and then go one after another: together they would be over
// the limit again at once. When none waits any more, all pass freely.
type turnstile struct {
	// turn has one element while no waiting read has its turn.
	turn chan struct{}

	mutex   sync.Mutex
	opensAt time.Time
	waiting int
}

func newTurnstile() *turnstile {
	t := &turnstile{turn: make(chan struct{}, 1)}
	t.turn <- struct{}{}
	return t
}

// pass sends when it is this read's turn. limitedFor says of an answer for how long the key is over
// its limit; nil when it is not.
func (t *turnstile) pass(
	ctx context.Context, send func() (*http.Response, error), limitedFor func(*http.Response) *time.Duration,
) (*http.Response, error) {
	if t.waits() {
		defer t.leave()
		select {
		case <-t.turn:
			defer func() { t.turn <- struct{}{} }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		// Answers to what was sent earlier may have moved it meanwhile.
		for left := t.left(); left > 0; left = t.left() {
			if err := sleep(ctx, left); err != nil {
				return nil, err
			}
		}
	}
	response, err := send()
	if err == nil {
		if limited := limitedFor(response); limited != nil {
			t.close(*limited)
		}
	}
	return response, err
}

// waits is true, and counts the read, when it must wait.
func (t *turnstile) waits() bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if t.waiting == 0 && !time.Now().Before(t.opensAt) {
		return false
	}
	t.waiting++
	return true
}

func (t *turnstile) leave() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.waiting--
}

func (t *turnstile) left() time.Duration {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	return time.Until(t.opensAt)
}

func (t *turnstile) close(limited time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if at := time.Now().Add(limited); at.After(t.opensAt) {
		t.opensAt = at
	}
}
