package gatehouse

import (
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

// turnstile is where the reads of one key pass. After an answer that the key is over its limit they
// wait together until its time has passed, and then go one after another: together they would be over
// the limit again at once. When none waits any more, all pass freely. A read that comes again has its
// old place, and so is in front of those that came after it.
type turnstile struct {
	mutex   sync.Mutex
	opensAt time.Time
	places  uint64
	hasTurn bool
	// queue is in the order of the places.
	queue []*waiting
	timer *time.Timer
}

// waiting is one read in the queue.
type waiting struct {
	place uint64
	// turn is closed when it is this read's turn.
	turn chan struct{}
}

// passage is one read as the turnstile sees it.
type passage struct {
	// place is the same across all attempts; lower is earlier.
	place uint64
	send  func() (*http.Response, error)
	// leavesAtOnce ends the turn as soon as the read is sent: the server may keep its answer back for long.
	leavesAtOnce bool
	// limitedFor says of an answer for how long the key is over its limit; nil when it is not.
	limitedFor func(*http.Response) *time.Duration
}

func newTurnstile() *turnstile { return &turnstile{} }

// newPlace is the place of a read that comes now.
func (t *turnstile) newPlace() uint64 {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.places++
	return t.places
}

// pass sends when it is this read's turn.
func (t *turnstile) pass(ctx context.Context, p passage) (*http.Response, error) {
	if mine := t.enter(p.place); mine != nil {
		select {
		case <-mine.turn:
		case <-ctx.Done():
			t.giveUp(mine)
			return nil, ctx.Err()
		}
		if p.leavesAtOnce {
			t.leave()
		} else {
			defer t.leave()
		}
	}
	response, err := p.send()
	if err == nil {
		if limited := p.limitedFor(response); limited != nil {
			t.close(*limited)
		}
	}
	return response, err
}

// enter puts a read into the queue; nil when it need not wait.
func (t *turnstile) enter(place uint64) *waiting {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if !t.hasTurn && len(t.queue) == 0 && !time.Now().Before(t.opensAt) {
		return nil
	}
	mine := &waiting{place: place, turn: make(chan struct{})}
	at, _ := slices.BinarySearchFunc(t.queue, place, func(other *waiting, place uint64) int {
		if other.place < place {
			return -1
		}
		return 1
	})
	t.queue = slices.Insert(t.queue, at, mine)
	t.next()
	return mine
}

// giveUp takes a read out of the queue whose caller waits no longer, or gives its turn back.
func (t *turnstile) giveUp(mine *waiting) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if at := slices.Index(t.queue, mine); at >= 0 {
		t.queue = slices.Delete(t.queue, at, at+1)
	} else {
		t.hasTurn = false
	}
	t.next()
}

func (t *turnstile) leave() {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.hasTurn = false
	t.next()
}

// next gives the turn to the first in the queue, once it is free and the time has passed. The caller
// has the mutex.
func (t *turnstile) next() {
	if t.timer != nil {
		t.timer.Stop()
	}
	if t.hasTurn || len(t.queue) == 0 {
		return
	}
	if left := time.Until(t.opensAt); left > 0 {
		t.timer = time.AfterFunc(left, func() {
			t.mutex.Lock()
			defer t.mutex.Unlock()
			t.next()
		})
		return
	}
	t.hasTurn = true
	close(t.queue[0].turn)
	t.queue = slices.Delete(t.queue, 0, 1)
}

func (t *turnstile) close(limited time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if at := time.Now().Add(limited); at.After(t.opensAt) {
		t.opensAt = at
	}
}
