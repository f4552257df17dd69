package gatehouse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	backOffFirst = 500 * time.Millisecond
	backOffMax   = 8 * time.Second
)

// transport sends one request of the generated client, in as many attempts as the options allow.
type transport struct {
	base http.RoundTripper
	// prefix is the path of the base URL.
	prefix      string
	apiKey      string
	deadline    time.Duration
	retries     int
	longestWait time.Duration
	// answerBytes is the bound of one answer's body, its content coding undone.
	answerBytes int
	// remembered is nil when it is turned off.
	remembered *rememberedAnswers
	turnstile  *turnstile
}

// RoundTrip adds the API key and the entity tag of a remembered answer, and returns that answer when
// Gatehouse says that it has not changed. Only reads of the gateway are retried and remembered.
func (t *transport) RoundTrip(request *http.Request) (*http.Response, error) {
	for name, values := range request.Header {
		if slices.ContainsFunc(values, unsendable) {
			return nil, invalidArgument("the header %s has characters that no header has", name)
		}
	}
	request = request.Clone(request.Context())
	if request.Header.Get("Accept") == "application/json" {
		// The generated code names the media type of success alone; the errors of the gateway have their own.
		request.Header.Set("Accept", "application/json, application/problem+json")
	}
	if !t.isGateway(request) {
		return t.attempt(request)
	}
	if request.Header.Get("x-api-key") == "" {
		request.Header.Set("x-api-key", t.apiKey)
	}
	// A caller that sends a tag has a copy of its own.
	if request.Method != http.MethodGet || t.remembered == nil || request.Header.Get("If-None-Match") != "" {
		return t.attempts(request)
	}
	address := request.URL.String() + " " + request.Header.Get("x-api-key")
	remembered := t.remembered.recall(address)
	if remembered != nil {
		request.Header.Set("If-None-Match", remembered.entityTag)
	}
	response, err := t.attempts(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode == http.StatusNotModified && remembered != nil {
		return remembered.answer(response), nil
	}
	entityTag := response.Header.Get("ETag")
	if entityTag != "" && response.StatusCode == http.StatusOK && isStorable(response.Header) {
		// A body that was cut on its way is not remembered: each 304 would confirm it again, until something changes.
		if body := bodyOf(response); json.Valid(body) {
			t.remembered.keep(address, &answer{entityTag: entityTag, header: response.Header.Clone(), body: body})
		}
	}
	return response, nil
}

// isStorable is false for an answer that is to be kept nowhere (RFC 9111 §5.2.2.5), as those about webhooks.
func isStorable(header http.Header) bool {
	return !strings.Contains(strings.ToLower(strings.Join(header.Values("Cache-Control"), ",")), "no-store")
}

// unsendable is true for a value that no header can have (RFC 9110 §5.5).
func unsendable(value string) bool {
	return strings.ContainsFunc(value, func(r rune) bool { return (r < ' ' && r != '\t') || r == '\x7f' })
}

func (t *transport) isGateway(request *http.Request) bool {
	path, isBelow := strings.CutPrefix(request.URL.Path, t.prefix)
	return isBelow && gatewayPath.MatchString(path)
}

// attempts sends a request to the gateway, and again when that is safe and may help.
func (t *transport) attempts(request *http.Request) (*http.Response, error) {
	send := func() (*http.Response, error) { return t.attempt(request) }
	if request.Method != http.MethodGet || t.retries == 0 {
		return send()
	}
	place := t.turnstile.newPlace()
	defer t.turnstile.leave(place)
	passage := passage{
		place:        place,
		send:         send,
		leavesAtOnce: asksToWait(request),
		limitedFor:   t.limitedFor,
	}
	for retry := 0; ; retry++ {
		response, err := t.turnstile.pass(request.Context(), passage)
		if retry == t.retries {
			return response, err
		}
		wait := backOff(retry)
		if err != nil {
			// A deadline is not retried: the caller would wait a multiple of it.
			if unanswered(err).Code != CodeNoAnswer {
				return nil, err
			}
		} else {
			if response.StatusCode != http.StatusTooManyRequests && response.StatusCode != http.StatusServiceUnavailable {
				return response, nil
			}
			if asked := retryAfter(response.Header, time.Now()); asked != nil {
				if *asked > t.longestWait {
					return response, nil
				}
				wait = *asked
			}
		}
		// An answer that the caller can still use is better than an expired context.
		if ends, ok := request.Context().Deadline(); ok && time.Until(ends) < wait {
			return response, err
		}
		// Over the limit, the turnstile waits.
		if err == nil && t.limitedFor(response) != nil {
			continue
		}
		if err := sleep(request.Context(), wait); err != nil {
			return nil, err
		}
	}
}

// asksToWait is true for a read of the feed that the server may answer later: when there is an event.
func asksToWait(request *http.Request) bool {
	seconds, err := strconv.ParseFloat(request.URL.Query().Get("wait"), 64)
	return err == nil && seconds > 0
}

// limitedFor says for how long the key is over its limit, by an answer whose time is not too long to
// be waited for; nil when it is not.
func (t *transport) limitedFor(response *http.Response) *time.Duration {
	if response.StatusCode != http.StatusTooManyRequests {
		return nil
	}
	wait := retryAfter(response.Header, time.Now())
	if wait == nil || *wait > t.longestWait {
		return nil
	}
	return wait
}

// attempt sends a request once and reads the whole answer within the deadline.
func (t *transport) attempt(request *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithTimeout(request.Context(), t.deadline)
	defer cancel()
	response, err := t.base.RoundTrip(request.WithContext(ctx))
	if err != nil {
		return nil, t.withDeadline(ctx, request.Context(), err)
	}
	// One byte more tells a larger one; a bound is never as high as the highest number.
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(t.answerBytes)+1))
	_ = response.Body.Close()
	if err != nil {
		return nil, t.withDeadline(ctx, request.Context(), err)
	}
	if len(body) > t.answerBytes {
		return nil, tooLarge(response, t.answerBytes)
	}
	response.Body = io.NopCloser(bytes.NewReader(body))
	if response.StatusCode < http.StatusMultipleChoices {
		// Gatehouse's answers are JSON, whatever a proxy calls them: the generated code would not look at them.
		response.Header.Set("Content-Type", "application/json")
	}
	// Of a redirect that leads nowhere, http.Client would give its own error and no answer.
	if _, err := response.Location(); err != nil {
		response.Header.Del("Location")
	}
	return response, nil
}

// withDeadline says whose deadline has passed, if one has.
func (t *transport) withDeadline(attempt, caller context.Context, err error) error {
	if caller.Err() != nil {
		return caller.Err()
	}
	if attempt.Err() != nil {
		return &lateAnswer{t.deadline}
	}
	return err
}

// lateAnswer is an attempt that did not end within the client's deadline.
type lateAnswer struct{ deadline time.Duration }

func (e *lateAnswer) Error() string {
	return fmt.Sprintf("There was no whole answer within %s.", e.deadline)
}
func (e *lateAnswer) Unwrap() error { return context.DeadlineExceeded }

// backOff is the wait before a retry (the first is 0) when the answer names none: any time up to one
// that doubles, so that many callers do not come back at once.
func backOff(retry int) time.Duration {
	return rand.N(min(backOffFirst<<min(retry, 10), backOffMax))
}

// retryAfterMax is what a longer time is taken for (RFC 9111 §1.2.2).
const retryAfterMax = time.Duration(1<<31) * time.Second

const (
	dayName      = `(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)`
	wholeDayName = `(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day`
	monthName    = `(?P<month>Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)`
	clockTime    = `(?P<time>[0-9]{2}:[0-9]{2}:[0-9]{2})`
	fullYear     = `(?P<year>[1-9][0-9]{3})`
)

// httpDates are the three forms of a date (RFC 9110 §5.6.7), read by its parts: what a platform takes for
// a date differs.
var httpDates = []*regexp.Regexp{
	regexp.MustCompile(`^` + dayName + `, (?P<day>[0-9]{2}) ` + monthName + ` ` + fullYear + ` ` + clockTime + ` GMT$`),
	regexp.MustCompile(`^` + wholeDayName + `, (?P<day>[0-9]{2})-` + monthName + `-(?P<year>[0-9]{2}) ` + clockTime + ` GMT$`),
	regexp.MustCompile(`^` + dayName + ` ` + monthName + ` (?P<day>[ 0-9][0-9]) ` + clockTime + ` ` + fullYear + `$`),
}

// retryAfter reads the header's seconds or date (RFC 9110 §10.2.3), 2^31 seconds at most; nil when it has neither.
func retryAfter(header http.Header, now time.Time) *time.Duration {
	value := strings.Join(header.Values("Retry-After"), ", ")
	seconds, err := strconv.ParseUint(value, 10, 64)
	if err == nil || errors.Is(err, strconv.ErrRange) {
		wait := time.Duration(min(seconds, uint64(retryAfterMax/time.Second))) * time.Second
		return &wait
	}
	for _, form := range httpDates {
		if parts := form.FindStringSubmatch(value); parts != nil {
			at, err := instantOf(form, parts, now)
			if err != nil {
				return nil
			}
			wait := min(max(at.Sub(now), 0), retryAfterMax)
			return &wait
		}
	}
	return nil
}

// instantOf is the time of a date. The error is for one that no calendar has.
func instantOf(form *regexp.Regexp, parts []string, now time.Time) (time.Time, error) {
	part := func(name string) string { return strings.TrimSpace(parts[form.SubexpIndex(name)]) }
	of, err := strconv.Atoi(part("year"))
	if len(part("year")) == 2 {
		// The year that is at most fifty years ahead.
		earliest := now.UTC().Year() - 49
		of = earliest + ((of-earliest)%100+100)%100
	}
	if err != nil {
		return time.Time{}, err
	}
	return time.Parse("2 Jan 2006 15:04:05", fmt.Sprintf("%s %s %d %s", part("day"), part("month"), of, part("time")))
}

func sleep(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
