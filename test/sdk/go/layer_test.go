package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	gatehouse "gatehouse.example/sdk/go"
)

// gateway answers by the last id in the path: with "[]" where it is given nothing.
type gateway struct {
	*httptest.Server
	mutex   sync.Mutex
	asked   []*http.Request
	replies map[string][]http.HandlerFunc
}

func startGateway(t *testing.T, replies map[string][]http.HandlerFunc) *gateway {
	g := &gateway{replies: replies}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		g.next(r)(w, r)
	}))
	t.Cleanup(g.Server.Close)
	return g
}

func (g *gateway) next(r *http.Request) http.HandlerFunc {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	g.asked = append(g.asked, r)
	name := nameOf(r)
	if len(g.replies[name]) == 0 {
		return answered("application/json", http.StatusOK, "[]")
	}
	reply := g.replies[name][0]
	g.replies[name] = g.replies[name][1:]
	return reply
}

// names are the last ids in the paths of what was asked, in order.
func (g *gateway) names() []string {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	names := []string{}
	for _, r := range g.asked {
		names = append(names, nameOf(r))
	}
	return names
}

func nameOf(r *http.Request) string {
	parts := strings.Split(r.URL.Path, "/")
	return parts[max(0, len(parts)-2)]
}

func answered(mediaType string, status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", mediaType)
		w.Header().Set("X-Request-Id", "req_1")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

func limited(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Retry-After", "1")
	body := `{"title":"Too many","status":429,"code":"too_many_requests","detail":"Later."}`
	answered("application/problem+json", http.StatusTooManyRequests, body)(w, r)
}

func (g *gateway) open(t *testing.T, options ...gatehouse.Option) *gatehouse.Client {
	t.Helper()
	client, err := gatehouse.New(g.URL, "key", options...)
	if err != nil {
		t.Fatal(err)
	}
	return client
}

// jobTitles begins a read, and gives its error when it has ended.
func jobTitles(ctx context.Context, client *gatehouse.Client, name string) <-chan error {
	ended := make(chan error, 1)
	go func() {
		_, err := client.JobTitles(ctx, "integration", name)
		ended <- err
	}()
	return ended
}

func expectCode(t *testing.T, err error, status int, code string) *gatehouse.Error {
	t.Helper()
	var failure *gatehouse.Error
	if !errors.As(err, &failure) || failure.Status != status || failure.Code != code {
		t.Fatalf("expected %d %s, got %v", status, code, err)
	}
	return failure
}

func expectNone(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func TestOtherReadsGoOnWhileOneWaitsForEvents(t *testing.T) {
	release := make(chan struct{})
	held := func(w http.ResponseWriter, r *http.Request) {
		<-release
		answered("application/json", http.StatusOK, `{"data":[],"next":"cursor","hasMore":false}`)(w, r)
	}
	g := startGateway(t, map[string][]http.HandlerFunc{"subscription": {limited, held}})
	client := g.open(t)
	polled := make(chan error, 1)
	go func() {
		_, err := gatehouse.Result(client.API().GatewayAPI.ReadEvents(context.Background(), "subscription").Wait(25).Execute())
		polled <- err
	}()
	time.Sleep(500 * time.Millisecond)
	read := jobTitles(context.Background(), client, "a")
	select {
	case err := <-read:
		expectNone(t, err)
	case <-time.After(4 * time.Second):
		t.Error("the read waits for the one that waits for events")
	}
	close(release)
	expectNone(t, <-polled)
}

func TestAReadOverTheLimitAgainKeepsItsPlace(t *testing.T) {
	g := startGateway(t, map[string][]http.HandlerFunc{"a": {limited, limited}})
	client := g.open(t)
	first := jobTitles(context.Background(), client, "a")
	time.Sleep(500 * time.Millisecond)
	second := jobTitles(context.Background(), client, "b")
	expectNone(t, <-first, <-second)
	if names := g.names(); !slices.Equal(names, []string{"a", "a", "a", "b"}) {
		t.Fatalf("sent in this order: %v", names)
	}
}

func TestTheQueueGoesOnBehindACancelledRead(t *testing.T) {
	g := startGateway(t, map[string][]http.HandlerFunc{"a": {limited}})
	client := g.open(t)
	first := jobTitles(context.Background(), client, "a")
	time.Sleep(500 * time.Millisecond)
	ctx, cancel := context.WithCancel(context.Background())
	cancelled := jobTitles(ctx, client, "b")
	time.Sleep(100 * time.Millisecond)
	last := jobTitles(context.Background(), client, "c")
	cancel()
	expectCode(t, <-cancelled, 0, gatehouse.CodeCancelled)
	expectNone(t, <-first, <-last)
	if names := g.names(); !slices.Equal(names, []string{"a", "a", "c"}) {
		t.Fatalf("sent in this order: %v", names)
	}
}

func TestABodyLeftOutIsAnInvalidArgument(t *testing.T) {
	g := startGateway(t, nil)
	client := g.open(t)
	_, err := gatehouse.Result(client.API().GatewayAPI.UpdateSubscription(context.Background(), "subscription").Execute())
	failure := expectCode(t, err, 0, gatehouse.CodeInvalidArgument)
	if !strings.Contains(failure.Detail, "subscriptionChanges is required") {
		t.Errorf("detail: %s", failure.Detail)
	}
	if names := g.names(); len(names) != 0 {
		t.Errorf("sent: %v", names)
	}
}

func TestNoServerIsNoAnswer(t *testing.T) {
	client, err := gatehouse.New("http://127.0.0.1:9", "key", gatehouse.WithRetries(0))
	expectNone(t, err)
	_, err = gatehouse.Result(client.API().GatewayAPI.ListInstanceIntegrations(context.Background()).Execute())
	expectCode(t, err, 0, gatehouse.CodeNoAnswer)
}

func TestAnOptionThatIsNilIsAnInvalidArgument(t *testing.T) {
	_, err := gatehouse.New("http://127.0.0.1:9", "key", nil)
	expectCode(t, err, 0, gatehouse.CodeInvalidArgument)
}

func TestNullIsNoList(t *testing.T) {
	null := answered("application/json", http.StatusOK, " null\n")
	g := startGateway(t, map[string][]http.HandlerFunc{"a": {null, null}})
	client := g.open(t)
	failure := expectCode(t, <-jobTitles(context.Background(), client, "a"), http.StatusOK, gatehouse.CodeUnexpectedAnswer)
	if failure.RequestID != "req_1" {
		t.Errorf("request id: %q", failure.RequestID)
	}
	for _, err := range client.Workers(context.Background(), "integration", "a") {
		expectCode(t, err, http.StatusOK, gatehouse.CodeUnexpectedAnswer)
	}
}

func TestA304SaysNothingOfTheBodyThatItConfirms(t *testing.T) {
	first := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("ETag", `"1"`)
		w.Header().Set("X-Kept", "kept")
		answered("application/json", http.StatusOK, `["Cook"]`)(w, r)
	}
	// The server of Go leaves out Content-Type; those of others, and what is in between, need not.
	confirmed := func(w http.ResponseWriter, _ *http.Request) {
		connection, _, err := http.NewResponseController(w).Hijack()
		if err == nil {
			_, _ = connection.Write([]byte("HTTP/1.1 304 Not Modified\r\nETag: \"1\"\r\nX-Request-Id: req_2\r\nContent-Type: text/plain\r\nContent-Encoding: br\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"))
			_ = connection.Close()
		}
	}
	g := startGateway(t, map[string][]http.HandlerFunc{"a": {first, confirmed}})
	client := g.open(t)
	expectNone(t, <-jobTitles(context.Background(), client, "a"))
	titles, response, err := client.API().GatewayAPI.ListJobTitles(context.Background(), "integration", "a").Execute()
	titles, err = gatehouse.Result(titles, response, err)
	expectNone(t, err)
	if !slices.Equal(titles, []string{"Cook"}) {
		t.Errorf("job titles: %v", titles)
	}
	wanted := map[string]string{"X-Request-Id": "req_2", "X-Kept": "kept", "Content-Type": "application/json", "Content-Encoding": "", "Content-Length": "8"}
	for name, value := range wanted {
		if got := response.Header.Get(name); got != value {
			t.Errorf("%s: %q, not %q", name, got, value)
		}
	}
}

func TestErrorsOfTheGatewayAreAccepted(t *testing.T) {
	g := startGateway(t, nil)
	expectNone(t, <-jobTitles(context.Background(), g.open(t), "a"))
	if accept := g.asked[0].Header.Get("Accept"); accept != "application/json, application/problem+json" {
		t.Errorf("Accept: %s", accept)
	}
}

// signedExample is the first of the published signed examples.
type signedExample struct {
	EventType, Secret, Body string
	VerifiedAt              int64
	Headers                 map[string]string
}

func exampleOf(t *testing.T) signedExample {
	t.Helper()
	text, err := os.ReadFile(os.Getenv("GATEHOUSE_VECTORS"))
	expectNone(t, err)
	var published struct{ Vectors []signedExample }
	expectNone(t, json.Unmarshal(text, &published))
	return published.Vectors[0]
}

func TestAnEventOfTheFeedIsVerified(t *testing.T) {
	example := exampleOf(t)
	page, err := json.Marshal(map[string]any{
		"data": []any{map[string]any{
			"id": "event", "type": example.EventType, "occurredAt": "2026-06-30T08:15:27.412Z", "cursor": "cursor",
			"headers": example.Headers, "body": example.Body,
		}},
		"next": "cursor", "hasMore": false,
	})
	expectNone(t, err)
	reply := answered("application/json", http.StatusOK, string(page))
	g := startGateway(t, map[string][]http.HandlerFunc{"subscription": {reply}})
	read := g.open(t).API().GatewayAPI.ReadEvents(context.Background(), "subscription")
	given, err := gatehouse.Result(read.Execute())
	expectNone(t, err)
	at := gatehouse.At(time.Unix(example.VerifiedAt, 0))
	event, err := gatehouse.VerifyFeedEvent(example.Secret, given.Data[0], at)
	expectNone(t, err)
	if event.Type != example.EventType || event.Data == nil {
		t.Errorf("event: %+v", event)
	}
	changed := given.Data[0]
	changed.Body += " "
	_, err = gatehouse.VerifyFeedEvent(example.Secret, changed, at)
	var refused *gatehouse.EventRefused
	if !errors.As(err, &refused) || refused.Reason != gatehouse.BadSignature {
		t.Errorf("a changed body: %v", err)
	}
}

func TestASecretIsTakenAsItIsCopied(t *testing.T) {
	example := exampleOf(t)
	header := http.Header{}
	for name, value := range example.Headers {
		header.Set(name, value)
	}
	at := gatehouse.At(time.Unix(example.VerifiedAt, 0))
	unpadded := strings.TrimRight(example.Secret, "=")
	if unpadded == example.Secret {
		t.Fatal("the example's secret has no padding")
	}
	for _, secret := range []string{unpadded, example.Secret + "\n", "  " + example.Secret + " "} {
		if _, err := gatehouse.VerifyEvent(secret, header, []byte(example.Body), at); err != nil {
			t.Errorf("%q: %v", secret, err)
		}
	}
}

func TestHeadersAreFoundInAnySpelling(t *testing.T) {
	example := exampleOf(t)
	at := gatehouse.At(time.Unix(example.VerifiedAt, 0))
	spellings := map[string]func(string) string{
		"canonical":  http.CanonicalHeaderKey,
		"lower case": strings.ToLower,
		"upper case": strings.ToUpper,
	}
	for spelling, spelled := range spellings {
		header := http.Header{}
		for name, value := range example.Headers {
			header[spelled(name)] = []string{value}
		}
		if _, err := gatehouse.VerifyEvent(example.Secret, header, []byte(example.Body), at); err != nil {
			t.Errorf("%s: %v", spelling, err)
		}
	}
}
