// Package gatehouse reads Gatehouse's gateway and verifies its events.
//
// [Client] is the door: all workers and users by iteration, retries, deadlines, entity tags and one
// error type. The rest of the package is generated from the contracts; [Client.API] leads to it.
package gatehouse

import (
	"context"
	"encoding/json"
	"math"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"time"
)

const (
	deadlineDefault    = 40 * time.Second
	retriesDefault     = 2
	longestWaitDefault = 60 * time.Second
	answerBytesDefault = 64 << 20
	answersDefault     = 100
	bytesDefault       = 16 << 20
)

// Client calls one Gatehouse with one API key. It is safe for concurrent use; make one and keep it.
type Client struct {
	api  *APIClient
	base string
}

// Option changes how a client calls; see the functions that begin with "With".
type Option func(*transport)

// WithDeadline sets how long one attempt may take, its whole answer included; 40 s by default.
func WithDeadline(deadline time.Duration) Option {
	return func(t *transport) { t.deadline = deadline }
}

// WithRetries sets how often a read is sent again; 2 by default, 0 turns retries off.
func WithRetries(retries int) Option {
	return func(t *transport) { t.retries = retries }
}

// WithLongestWait sets the longest Retry-After that is waited for, 60 s by default. A longer one is
// returned at once, as an error with RetryAfter.
func WithLongestWait(wait time.Duration) Option {
	return func(t *transport) { t.longestWait = wait }
}

// WithAnswerBytes sets the most bytes of one answer's body, 64 MiB by default. A larger one is returned as an
// error with [CodeUnexpectedAnswer].
func WithAnswerBytes(most int) Option {
	return func(t *transport) { t.answerBytes = most }
}

// WithEntityTags bounds the answers that are remembered with their entity tags, by number and by bytes
// of their bodies; 100 answers and 16 MiB by default.
func WithEntityTags(answers, bytes int) Option {
	return func(t *transport) { t.remembered = newRememberedAnswers(answers, bytes) }
}

// WithoutEntityTags remembers no answers and sends no entity tags.
func WithoutEntityTags() Option {
	return func(t *transport) { t.remembered = nil }
}

// WithTransport sends requests by another transport than [http.DefaultTransport]: for a proxy, or
// for certificates of your own.
func WithTransport(base http.RoundTripper) Option {
	return func(t *transport) { t.base = base }
}

// New makes a client of the Gatehouse at baseURL. It sends nothing.
//
// The error is an [*Error] that names the argument: a URL that is not http or https or has a query or a
// fragment, an empty key, or an option out of range.
func New(baseURL, apiKey string, options ...Option) (*Client, error) {
	address, err := url.Parse(baseURL)
	if err != nil || (address.Scheme != "http" && address.Scheme != "https") || address.Host == "" {
		return nil, invalidArgument("baseURL does not begin with http:// or https://: %q", baseURL)
	}
	if !keyText.MatchString(apiKey) {
		return nil, invalidArgument("apiKey is empty, or has characters that no key has")
	}
	if strings.ContainsAny(baseURL, "?#") {
		return nil, invalidArgument("baseURL has a query or a fragment, and paths are put behind it: %q", baseURL)
	}
	address = address.JoinPath()
	base := strings.TrimRight(address.String(), "/")
	t := &transport{
		base:        http.DefaultTransport,
		prefix:      strings.TrimRight(address.Path, "/"),
		apiKey:      apiKey,
		deadline:    deadlineDefault,
		retries:     retriesDefault,
		longestWait: longestWaitDefault,
		answerBytes: answerBytesDefault,
		remembered:  newRememberedAnswers(answersDefault, bytesDefault),
		turnstile:   newTurnstile(),
	}
	for _, option := range options {
		if option == nil {
			return nil, invalidArgument("an option is nil")
		}
		option(t)
	}
	if t.deadline <= 0 || t.retries < 0 || t.longestWait < 0 || t.base == nil {
		return nil, invalidArgument("the deadline must be positive, retries and longest wait not negative, the transport not nil")
	}
	if t.answerBytes < 1 || t.answerBytes == math.MaxInt {
		return nil, invalidArgument("the most bytes of an answer are from 1 to %d: %d", math.MaxInt-1, t.answerBytes)
	}
	configuration := NewConfiguration()
	configuration.Servers = ServerConfigurations{{URL: base}}
	configuration.UserAgent = "gatehouse-sdk-go/" + version
	configuration.HTTPClient = &http.Client{
		Transport: t,
		// The API key is for this address only.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Client{api: NewAPIClient(configuration), base: base}, nil
}

const version = "0.0.0"

// API is the generated client of every operation. Its requests have the same key, deadline, retries
// and entity tags; [Result] makes an [*Error] of its errors.
func (c *Client) API() *APIClient { return c.api }

// InstanceIntegrations lists the instance integrations of the API key: the instances of the platform
// that it can read.
func (c *Client) InstanceIntegrations(ctx context.Context) ([]InstanceIntegration, error) {
	return Result(c.api.GatewayAPI.ListInstanceIntegrations(ctx).Execute())
}

// Clients lists the clients (companies) of an instance.
func (c *Client) Clients(ctx context.Context, instanceIntegrationID string) ([]PlatformClient, error) {
	if err := requireIDs("instanceIntegrationId", instanceIntegrationID); err != nil {
		return nil, err
	}
	return Result(c.api.GatewayAPI.ListClients(ctx, instanceIntegrationID).Execute())
}

// Client reads one client (company).
func (c *Client) Client(ctx context.Context, instanceIntegrationID, clientID string) (*PlatformClient, error) {
	if err := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID); err != nil {
		return nil, err
	}
	return Result(c.api.GatewayAPI.GetClient(ctx, instanceIntegrationID, clientID).Execute())
}

// JobTitles lists the job titles of a client.
func (c *Client) JobTitles(ctx context.Context, instanceIntegrationID, clientID string) ([]string, error) {
	if err := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID); err != nil {
		return nil, err
	}
	return Result(c.api.GatewayAPI.ListJobTitles(ctx, instanceIntegrationID, clientID).Execute())
}

// OrganizationStructure reads the unit types, units and locations of a client.
func (c *Client) OrganizationStructure(ctx context.Context, instanceIntegrationID, clientID string) (*OrganizationStructure, error) {
	if err := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID); err != nil {
		return nil, err
	}
	return Result(c.api.GatewayAPI.GetOrganizationStructure(ctx, instanceIntegrationID, clientID).Execute())
}

// Worker reads one worker, also one whose employment has ended.
func (c *Client) Worker(ctx context.Context, instanceIntegrationID, clientID, workerID string) (*WorkerV2, error) {
	if err := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID, "workerId", workerID); err != nil {
		return nil, err
	}
	return Result(c.api.GatewayAPI.GetWorkerV2(ctx, instanceIntegrationID, clientID, workerID).Execute())
}

// User reads one user.
func (c *Client) User(ctx context.Context, instanceIntegrationID, clientID, userID string) (*PlatformUser, error) {
	if err := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID, "userId", userID); err != nil {
		return nil, err
	}
	return Result(c.api.GatewayAPI.GetUser(ctx, instanceIntegrationID, clientID, userID).Execute())
}

// Follow reads the current state at an event's link into target, a pointer to what the event is about:
// a [WorkerV2], [PlatformUser], [PlatformClient] or [OrganizationStructure].
//
// A link that leads anywhere but below the gateway is refused, since the API key is sent to it.
func (c *Client) Follow(ctx context.Context, link string, target any) error {
	parsed, err := url.Parse(link)
	if err != nil || !gatewayPath.MatchString(link) || dots.MatchString(link) || parsed.JoinPath().EscapedPath() != parsed.EscapedPath() {
		return invalidArgument("not a path of the gateway: %q", link)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+parsed.RequestURI(), nil)
	if err != nil {
		return invalidArgument("not a path of the gateway: %q", link)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", c.api.cfg.UserAgent)
	response, err := c.api.cfg.HTTPClient.Do(request)
	switch {
	case err != nil:
		return unanswered(err)
	case response.StatusCode >= http.StatusMultipleChoices:
		return stated(response)
	}
	if err := json.Unmarshal(bodyOf(response), target); err != nil {
		return unreadable(response, err)
	}
	return nil
}

var (
	gatewayPath = regexp.MustCompile(`^/v[0-9]+/`)
	// dots lead elsewhere as soon as somebody on the way reads them: decoded, or with a backslash for a slash.
	dots    = regexp.MustCompile(`(?i)%2e|\\`)
	keyText = regexp.MustCompile(`^[!-~]+$`)
	idText  = regexp.MustCompile(`^[A-Za-z0-9_-]+$`)
)

// requireIDs takes name and value of each id. Anything else than an id would address something else.
func requireIDs(namesAndValues ...string) error {
	for at := 0; at < len(namesAndValues); at += 2 {
		name, id := namesAndValues[at], namesAndValues[at+1]
		if id == "" {
			return invalidArgument("%s is missing", name)
		}
		if !idText.MatchString(id) {
			return invalidArgument("%s cannot be an id: %q", name, id)
		}
	}
	return nil
}
