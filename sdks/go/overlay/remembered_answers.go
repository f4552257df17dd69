package gatehouse

import (
	"bytes"
	"container/list"
	"io"
	"net/http"
	"slices"
	"strconv"
	"sync"
)

// rememberedAnswers holds the latest answers by address, with their entity tags; the least recently used ones
// are dropped first.
type rememberedAnswers struct {
	answersMax, bytesMax int

	lock   sync.Mutex
	recent *list.List // of *entry, the latest first
	by     map[string]*list.Element
	bytes  int
}

type entry struct {
	address string
	*answer
}

// answer is what Gatehouse sent. It is never changed.
type answer struct {
	entityTag string
	header    http.Header
	body      []byte
}

func newRememberedAnswers(answersMax, bytesMax int) *rememberedAnswers {
	return &rememberedAnswers{answersMax: answersMax, bytesMax: bytesMax, recent: list.New(), by: map[string]*list.Element{}}
}

// recall returns nil for an address without an answer.
func (m *rememberedAnswers) recall(address string) *answer {
	m.lock.Lock()
	defer m.lock.Unlock()
	element := m.by[address]
	if element == nil {
		return nil
	}
	m.recent.MoveToFront(element)
	return element.Value.(*entry).answer
}

// keep replaces the answer of an address. An answer above the bound is not kept.
func (m *rememberedAnswers) keep(address string, latest *answer) {
	m.lock.Lock()
	defer m.lock.Unlock()
	if element := m.by[address]; element != nil {
		m.drop(element)
	}
	if len(latest.body) > m.bytesMax {
		return
	}
	m.by[address] = m.recent.PushFront(&entry{address, latest})
	m.bytes += len(latest.body)
	for m.recent.Len() > 0 && (m.recent.Len() > m.answersMax || m.bytes > m.bytesMax) {
		m.drop(m.recent.Back())
	}
}

func (m *rememberedAnswers) drop(element *list.Element) {
	dropped := m.recent.Remove(element).(*entry)
	delete(m.by, dropped.address)
	m.bytes -= len(dropped.body)
}

// ofTheBody are headers that a 304 has of itself, not of the answer that it confirms (RFC 9111 §3.2).
var ofTheBody = []string{"Content-Encoding", "Content-Length", "Content-Range", "Content-Type", "Transfer-Encoding"}

// answer is the remembered one with the headers of the 304 that confirms it (RFC 9111 §4.3.4).
func (a *answer) answer(confirmation *http.Response) *http.Response {
	header := a.header.Clone()
	for name, values := range confirmation.Header {
		if !slices.Contains(ofTheBody, name) {
			header[name] = values
		}
	}
	header.Set("Content-Length", strconv.Itoa(len(a.body)))
	response := *confirmation
	response.Status, response.StatusCode = "200 OK", http.StatusOK
	response.Header = header
	response.Body = io.NopCloser(bytes.NewReader(a.body))
	response.ContentLength = int64(len(a.body))
	return &response
}
