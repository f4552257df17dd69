package gatehouse

import (
	"crypto/ed25519"
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

// OrSecret accepts a second secret or public key too, while the first one is being replaced.
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
// verified (Standard Webhooks). The secret is "whsec_…", with white space around it or not, or in its
// place a public key of the subscription, "whpk_…", which verifies signatures v1a. Of several, one that
// fits is enough. Capitals in the names of headers do not matter, as in a map that another server or a
// cloud function has made. The body is the bytes as they were received: a body that was parsed and
// written again has another signature.
//
// The error is an [*EventRefused], or an [*Error] for a secret or public key that is none.
func VerifyEvent(secret string, header http.Header, body []byte, options ...VerifyOption) (*Event, error) {
	v := &verification{secrets: []string{secret}, now: time.Now(), tolerance: toleranceDefault}
	for _, option := range options {
		option(v)
	}
	keys, err := keysOf(v.secrets)
	if err != nil {
		return nil, err
	}
	header = canonical(header)
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
	signed := append([]byte(id+"."+timestamp+"."), body...)
	if !isSigned(keys, strings.Join(header.Values("webhook-signature"), " "), signed) {
		return nil, refuse(BadSignature, "no signature fits the body and a key of yours")
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

// canonical gives the headers by the names that [http.Header.Get] looks for.
func canonical(header http.Header) http.Header {
	found := make(http.Header, len(header))
	for name, values := range header {
		for _, value := range values {
			found.Add(name, value)
		}
	}
	return found
}

// VerifyFeedEvent is [VerifyEvent] for an event of a subscription's feed, as ReadEvents of the generated
// client gives it. The time of the signature is that at which the page was read.
func VerifyFeedEvent(secret string, event FeedEvent, options ...VerifyOption) (*Event, error) {
	header := http.Header{}
	header.Set("webhook-id", event.Headers.WebhookId)
	header.Set("webhook-timestamp", event.Headers.WebhookTimestamp)
	header.Set("webhook-signature", event.Headers.WebhookSignature)
	return VerifyEvent(secret, header, []byte(event.Body), options...)
}

// key verifies signatures of its own scheme alone. Its prefix says which: were it the header that says,
// a public key could be taken for a secret.
type key interface {
	// signaturePrefix is what its signatures begin with in the header.
	signaturePrefix() string
	// verifier tells whether a signature of what is signed is the key's.
	verifier(signed []byte) func(signature []byte) bool
}

type secretKey []byte

func (secretKey) signaturePrefix() string { return "v1," }

// The comparison takes constant time.
func (k secretKey) verifier(signed []byte) func([]byte) bool {
	mac := hmac.New(sha256.New, k)
	mac.Write(signed)
	expected := mac.Sum(nil)
	return func(signature []byte) bool { return hmac.Equal(signature, expected) }
}

type publicKey ed25519.PublicKey

func (publicKey) signaturePrefix() string { return "v1a," }

func (k publicKey) verifier(signed []byte) func([]byte) bool {
	return func(signature []byte) bool { return ed25519.Verify(ed25519.PublicKey(k), signed, signature) }
}

func keysOf(texts []string) ([]key, error) {
	keys := make([]key, len(texts))
	for at, text := range texts {
		text = strings.TrimSpace(text)
		secret, isSecret := decoded(text, "whsec_")
		public, isPublic := decoded(text, "whpk_")
		switch {
		case isSecret && len(secret) > 0:
			keys[at] = secretKey(secret)
		case isPublic && len(public) == ed25519.PublicKeySize:
			keys[at] = publicKey(public)
		default:
			return nil, invalidArgument("a signing secret is whsec_ with base64 behind it, a public key whpk_ with base64 of 32 bytes")
		}
	}
	return keys, nil
}

// decoded gives the bytes whose base64, padded or not, is behind the prefix, and whether there are any such.
func decoded(text, prefix string) ([]byte, bool) {
	coded, found := strings.CutPrefix(text, prefix)
	bytes, err := base64.RawStdEncoding.DecodeString(strings.TrimRight(coded, "="))
	return bytes, found && err == nil
}

// A subscription has six keys at most. Each signature by a key pair costs a look at the whole body, and
// anyone can send thousands.
const signaturesMax = 16

// isSigned is true when one of the first signatures in the header is that of one of the keys.
func isSigned(keys []key, signatures string, signed []byte) bool {
	given := strings.Fields(signatures)
	given = given[:min(len(given), signaturesMax)]
	for _, key := range keys {
		fits := key.verifier(signed)
		for _, text := range given {
			if signature, is := decoded(text, key.signaturePrefix()); is && fits(signature) {
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
