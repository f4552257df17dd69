package gatehouse

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"sync"
	"time"
)

const (
	// underWayMax is of reads that have waited. So many at most are refused once more where a gateway gives
	// more turns than it lets pass.
	underWayMax = 8
	// Turns are whole seconds apart, and as far from them as the refusals that brought them from each other.
	moment = 500 * time.Millisecond
)

// turnstile is where the reads of one key pass. A read that is refused because the key is over its
// limit waits, in front of those that came after it, and brings a turn: the time that the answer names.
// At each turn the first read that waits is sent, whichever brought it. Those that wait when no turn is
// left go one after another: together they would be over the limit at once. When none waits any more,
// all pass freely.
type turnstile struct {
	mutex  sync.Mutex
	places uint64
	// queue is in the order of the places.
	queue []*place
	// turns has the earliest first, and never more than reads that wait.
	turns []time.Time
	// underWay counts the reads that have waited and have no answer yet.
	underWay int
	timer    *time.Timer
}

// place is one read in the order of all, the same across all its attempts.
type place struct {
	// number is lower for an earlier read.
	number     uint64
	isWaiting  bool
	isUnderWay bool
	// begun is closed when a read that waits may be sent.
	begun chan struct{}
}

// passage is one read as the turnstile sees it.
type passage struct {
	place *place
	send  func() (*http.Response, error)
	// leavesAtOnce lets others go on as soon as the read is sent: the server may keep its answer back for long.
	leavesAtOnce bool
	// limitedFor says after which time a read may come again that was refused because its key is over the
	// limit; nil for every other answer.
	limitedFor func(*http.Response) *time.Duration
}

func newTurnstile() *turnstile { return &turnstile{} }

// newPlace is the place of a read that comes now, and leaves it in the end.
func (t *turnstile) newPlace() *place {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	t.places++
	return &place{number: t.places}
}

// pass sends as soon as the read may go.
func (t *turnstile) pass(ctx context.Context, p passage) (*http.Response, error) {
	if begun := t.enter(p.place); begun != nil {
		select {
		case <-begun:
		case <-ctx.Done():
			t.leave(p.place)
			return nil, ctx.Err()
		}
	}
	if p.leavesAtOnce {
		t.leave(p.place)
	}
	response, err := p.send()
	if err == nil {
		if limited := p.limitedFor(response); limited != nil {
			t.refuse(p.place, *limited)
			return response, nil
		}
	}
	t.leave(p.place)
	return response, err
}

// enter puts a read into the queue if it has to wait, and returns what is closed when it may be sent; nil
// when it need not wait.
func (t *turnstile) enter(p *place) <-chan struct{} {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	// One that was refused waits already, or its turn has come meanwhile.
	if !p.isWaiting && !p.isUnderWay && (len(t.queue) > 0 || t.underWay > 0) {
		t.wait(p)
	}
	if p.isWaiting {
		return p.begun
	}
	return nil
}

// leave is for a read that is not sent again. The turns that it brought are for those that wait.
func (t *turnstile) leave(p *place) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	if p.isWaiting {
		p.isWaiting = false
		at := slices.Index(t.queue, p)
		t.queue = slices.Delete(t.queue, at, at+1)
	}
	t.end(p)
	t.turns = t.turns[:min(len(t.turns), len(t.queue))]
	t.next()
}

// refuse makes a read wait until it may come again.
func (t *turnstile) refuse(p *place, limited time.Duration) {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	now := time.Now()
	// A read that is refused at its turn shows that there are more turns than the key may use: those of the
	// same moment are void.
	for p.isUnderWay && len(t.turns) > 0 && t.turns[0].Before(now.Add(moment)) {
		t.turns = slices.Delete(t.turns, 0, 1)
	}
	if !p.isUnderWay || len(t.turns) == 0 {
		turn := now.Add(limited)
		at, _ := slices.BinarySearchFunc(t.turns, turn, time.Time.Compare)
		t.turns = slices.Insert(t.turns, at, turn)
	}
	t.end(p)
	t.wait(p)
	t.next()
}

// wait puts a read at its place in the queue. The caller has the mutex, here and below.
func (t *turnstile) wait(p *place) {
	p.isWaiting, p.begun = true, make(chan struct{})
	at, _ := slices.BinarySearchFunc(t.queue, p.number, func(other *place, number uint64) int {
		return cmp.Compare(other.number, number)
	})
	t.queue = slices.Insert(t.queue, at, p)
}

func (t *turnstile) end(p *place) {
	if p.isUnderWay {
		p.isUnderWay = false
		t.underWay--
	}
}

// next begins a read for each turn that has come; without turns one, once none is under way.
func (t *turnstile) next() {
	if t.timer != nil {
		t.timer.Stop()
	}
	for len(t.turns) > 0 && t.underWay < underWayMax {
		if left := time.Until(t.turns[0]); left > 0 {
			t.timer = time.AfterFunc(left, func() {
				t.mutex.Lock()
				defer t.mutex.Unlock()
				t.next()
			})
			return
		}
		t.turns = slices.Delete(t.turns, 0, 1)
		t.begin()
	}
	if len(t.queue) > 0 && len(t.turns) == 0 && t.underWay == 0 {
		t.begin()
	}
}

// begin lets the first of the queue be sent.
func (t *turnstile) begin() {
	first := t.queue[0]
	t.queue = slices.Delete(t.queue, 0, 1)
	first.isWaiting, first.isUnderWay = false, true
	t.underWay++
	close(first.begun)
}
