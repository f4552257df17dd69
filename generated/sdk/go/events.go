package gatehouse

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Event is a genuine event. A receiver needs ID, to find what it has received already, and Data.
type Event struct {
	// ID is the same on every attempt to deliver the event.
	ID string
	// Type says what happened: worker.updated, …
	Type string
	// Data is what the event is about, as it was at that moment: a [*ClientSnapshot], [*UserSnapshot],
	// [*WorkerSnapshot], [*OrganizationUnitTypeSnapshot], [*OrganizationUnitSnapshot] or
	// [*OrganizationLocationSnapshot]; of an operational event a [*SubscriptionSnapshot],
	// [*DeliverySnapshot], [*SecretSnapshot] or [*RecoverySnapshot]; of a ping a [*WebhookSnapshot]. It
	// is nil for an event that is newer than this package: of another type, or of another version.
	Data any
	// Body is everything, as it was sent.
	Body json.RawMessage
}

// The events that this package has types of, each with a new value of its data.
var snapshots = map[string]func() any{
	"client.created":                 func() any { return new(ClientSnapshot) },
	"user.created":                   func() any { return new(UserSnapshot) },
	"user.updated":                   func() any { return new(UserSnapshot) },
	"worker.onboarded":               func() any { return new(WorkerSnapshot) },
	"worker.updated":                 func() any { return new(WorkerSnapshot) },
	"organization_unit_type.created": func() any { return new(OrganizationUnitTypeSnapshot) },
	"organization_unit.created":      func() any { return new(OrganizationUnitSnapshot) },
	"organization_location.created":  func() any { return new(OrganizationLocationSnapshot) },
	"organization_location.deleted":  func() any { return new(OrganizationLocationSnapshot) },
	"subscription.failing":           func() any { return new(SubscriptionSnapshot) },
	"delivery.exhausted":             func() any { return new(DeliverySnapshot) },
	"subscription.disabled":          func() any { return new(SubscriptionSnapshot) },
	"subscription.enabled":           func() any { return new(SubscriptionSnapshot) },
	"secret.expiring":                func() any { return new(SecretSnapshot) },
	"recovery.finished":              func() any { return new(RecoverySnapshot) },
	"webhook.ping":                   func() any { return new(WebhookSnapshot) },
}

// RefusalReason says why what was received is not a genuine event.
type RefusalReason string

const (
	MissingHeader RefusalReason = "missing_header"
	BadSignature  RefusalReason = "bad_signature"
	TooOld        RefusalReason = "too_old"
	TooNew        RefusalReason = "too_new"
	NotJSON       RefusalReason = "not_json"
)

// EventRefused is the error for what is not a genuine event: answer with a status that is not 2xx,
// and believe nothing of it.
type EventRefused struct {
	Reason RefusalReason
	detail string
}

func (e *EventRefused) Error() string { return "gatehouse: " + string(e.Reason) + ": " + e.detail }

func refuse(reason RefusalReason, format string, values ...any) *EventRefused {
	return &EventRefused{Reason: reason, detail: fmt.Sprintf(format, values...)}
}

type verification struct {
	secrets   []string
	now       time.Time
	tolerance time.Duration
}

// VerifyOption changes how an event is verified.
type VerifyOption func(*verification)

// OrSecret accepts a second secret too, while the first one is being replaced.
func OrSecret(secret string) VerifyOption {
	return func(v *verification) { v.secrets = append(v.secrets, secret) }
}

// At verifies as if it were another time.
func At(now time.Time) VerifyOption { return func(v *verification) { v.now = now } }

// WithTolerance sets how far the time of the signature may be from now, either way; 5 minutes by default.
func WithTolerance(tolerance time.Duration) VerifyOption {
	return func(v *verification) { v.tolerance = tolerance }
}

const toleranceDefault = 300 * time.Second

// VerifyEvent returns the event in a request that was received, once its signature and its time are
// verified (Standard Webhooks). The secret is "whsec_…". The body is the bytes as they were received: a
// body that was parsed and written again has another signature.
//
// The error is an [*EventRefused], or an [*Error] for a secret that is none.
func VerifyEvent(secret string, header http.Header, body []byte, options ...VerifyOption) (*Event, error) {
	v := &verification{secrets: []string{secret}, now: time.Now(), tolerance: toleranceDefault}
	for _, option := range options {
		option(v)
	}
	keys, err := keysOf(v.secrets)
	if err != nil {
		return nil, err
	}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		if header.Get(name) == "" {
			return nil, refuse(MissingHeader, "the header %s is missing", name)
		}
	}
	id, timestamp := header.Get("webhook-id"), header.Get("webhook-timestamp")
	seconds, err := strconv.ParseUint(timestamp, 10, 48)
	if err != nil {
		return nil, refuse(MissingHeader, "the header webhook-timestamp is not a number of seconds")
	}
	if !isSigned(keys, strings.Join(header.Values("webhook-signature"), " "), id+"."+timestamp+".", body) {
		return nil, refuse(BadSignature, "no signature fits the body and the secret")
	}
	// In seconds: a duration would overflow on a far date.
	age, tolerance := v.now.Unix()-int64(seconds), int64(v.tolerance/time.Second)
	if age > tolerance {
		return nil, refuse(TooOld, "the event was signed %d seconds ago", age)
	}
	if age < -tolerance {
		return nil, refuse(TooNew, "the event is signed for a time %d seconds from now", -age)
	}
	return eventOf(id, body)
}

const secretPrefix = "whsec_"

func keysOf(secrets []string) ([][]byte, error) {
	keys := make([][]byte, len(secrets))
	for at, secret := range secrets {
		text, found := strings.CutPrefix(secret, secretPrefix)
		key, err := base64.StdEncoding.DecodeString(text)
		if !found || err != nil || len(key) == 0 {
			return nil, invalidArgument("a signing secret is whsec_ with base64 behind it")
		}
		keys[at] = key
	}
	return keys, nil
}

// isSigned is true when one of the signatures in the header is that of one of the keys. The
// comparison takes constant time.
func isSigned(keys [][]byte, signatures, prefix string, body []byte) bool {
	for _, key := range keys {
		mac := hmac.New(sha256.New, key)
		mac.Write([]byte(prefix))
		mac.Write(body)
		expected := mac.Sum(nil)
		for _, signature := range strings.Fields(signatures) {
			text, isV1 := strings.CutPrefix(signature, "v1,")
			given, err := base64.StdEncoding.DecodeString(text)
			if isV1 && err == nil && hmac.Equal(given, expected) {
				return true
			}
		}
	}
	return false
}

func eventOf(id string, body []byte) (*Event, error) {
	var sent struct {
		Type        string          `json:"type"`
		SpecVersion int             `json:"specVersion"`
		DataVersion int             `json:"dataVersion"`
		Data        json.RawMessage `json:"data"`
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(body, &object); err != nil || object == nil {
		return nil, refuse(NotJSON, "the body is not a JSON object")
	}
	// Members of another type remain empty; a later version may have changed them.
	err := json.Unmarshal(body, &sent)
	event := &Event{ID: id, Type: sent.Type, Body: json.RawMessage(body)}
	snapshot := snapshots[sent.Type]
	if err != nil || snapshot == nil || sent.SpecVersion != 1 || sent.DataVersion != 1 {
		return event, nil
	}
	if data := snapshot(); json.Unmarshal(sent.Data, data) == nil {
		event.Data = data
	}
	return event, nil
}
