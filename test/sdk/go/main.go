// Answers the lines of the conformance harness: each asks the SDK for one thing, and gets what a caller gets.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"log"
	"net/http"
	"os"
	"strconv"
	"sync"
	"time"

	gatehouse "gatehouse.example/sdk/go"
)

type line struct {
	BaseURL string  `json:"baseUrl"`
	APIKey  *string `json:"apiKey"`

	OperationID string               `json:"operationId"`
	Parameters  map[string]string    `json:"parameters"`
	Basic       *gatehouse.BasicAuth `json:"basic"`
	Bearer      *string              `json:"bearer"`
	Retries     int                  `json:"retries"`

	// Body is an object for an operation, and text for an event.
	Body    json.RawMessage   `json:"body"`
	Headers map[string]string `json:"headers"`

	Door      string   `json:"door"`
	Arguments []string `json:"arguments"`
	Options   options  `json:"options"`
	Keep      string   `json:"keep"`

	CancelAfterMs *int `json:"cancelAfterMs"`
	Times         int  `json:"times"`

	Secrets          []string `json:"secrets"`
	Now              int64    `json:"now"`
	ToleranceSeconds *int     `json:"toleranceSeconds"`
}

type options struct {
	Retries        *int            `json:"retries"`
	DeadlineMs     *int            `json:"deadlineMs"`
	LongestWaitMs  *int            `json:"longestWaitMs"`
	AnswerBytesMax *int            `json:"answerBytesMax"`
	EntityTags     json.RawMessage `json:"entityTags"`
}

func (o options) given() []gatehouse.Option {
	given := []gatehouse.Option{}
	if o.Retries != nil {
		given = append(given, gatehouse.WithRetries(*o.Retries))
	}
	if o.DeadlineMs != nil {
		given = append(given, gatehouse.WithDeadline(time.Duration(*o.DeadlineMs)*time.Millisecond))
	}
	if o.LongestWaitMs != nil {
		given = append(given, gatehouse.WithLongestWait(time.Duration(*o.LongestWaitMs)*time.Millisecond))
	}
	if o.AnswerBytesMax != nil {
		given = append(given, gatehouse.WithAnswerBytes(*o.AnswerBytesMax))
	}
	if string(o.EntityTags) == "false" {
		return append(given, gatehouse.WithoutEntityTags())
	}
	if o.EntityTags != nil {
		limits := parsed[struct{ Answers, Bytes *int }](o.EntityTags)
		answers, bytes := 100, 16<<20
		if limits.Answers != nil {
			answers = *limits.Answers
		}
		if limits.Bytes != nil {
			bytes = *limits.Bytes
		}
		given = append(given, gatehouse.WithEntityTags(answers, bytes))
	}
	return given
}

// freshConnections counts as the SDK does: Go's own transport sends a read again, as the README says, when a connection
// that it kept open turns out to be closed.
var freshConnections = &http.Transport{DisableKeepAlives: true}

// noKey is sent where the line has no API key; no key has this form.
const noKey = "none"

func open(asked line, given ...gatehouse.Option) (*gatehouse.Client, error) {
	key := noKey
	if asked.APIKey != nil {
		key = *asked.APIKey
	}
	return gatehouse.New(asked.BaseURL, key, append(given, gatehouse.WithTransport(freshConnections))...)
}

var kept = map[string]*gatehouse.Client{}

func door(asked line) (any, error) {
	client := kept[asked.Keep]
	if client == nil || asked.Keep == "" {
		made, err := open(asked, asked.Options.given()...)
		if err != nil {
			return nil, err
		}
		client, kept[asked.Keep] = made, made
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	if asked.CancelAfterMs != nil {
		time.AfterFunc(time.Duration(*asked.CancelAfterMs)*time.Millisecond, cancel)
	}
	if asked.Times > 0 {
		return atOnce(asked.Times, func() (any, error) { return called(ctx, client, asked) })
	}
	return called(ctx, client, asked)
}

func atOnce(times int, call func() (any, error)) (any, error) {
	values, failures := make([]any, times), make([]error, times)
	var calls sync.WaitGroup
	for at := range times {
		calls.Add(1)
		go func() {
			defer calls.Done()
			values[at], failures[at] = call()
		}()
	}
	calls.Wait()
	return values, errors.Join(failures...)
}

func called(ctx context.Context, client *gatehouse.Client, asked line) (any, error) {
	argument := func(at int) string {
		if at < len(asked.Arguments) {
			return asked.Arguments[at]
		}
		return ""
	}
	switch asked.Door {
	case "instanceIntegrations":
		return client.InstanceIntegrations(ctx)
	case "clients":
		return client.Clients(ctx, argument(0))
	case "client":
		return client.Client(ctx, argument(0), argument(1))
	case "jobTitles":
		return client.JobTitles(ctx, argument(0), argument(1))
	case "organizationStructure":
		return client.OrganizationStructure(ctx, argument(0), argument(1))
	case "workers":
		return collected(client.Workers(ctx, argument(0), argument(1)))
	case "workersUntilError":
		return untilError(client.Workers(ctx, argument(0), argument(1)))
	case "worker":
		return client.Worker(ctx, argument(0), argument(1), argument(2))
	case "users":
		return collected(client.Users(ctx, argument(0), argument(1)))
	case "user":
		return client.User(ctx, argument(0), argument(1), argument(2))
	case "follow":
		var target any
		err := client.Follow(ctx, argument(0), &target)
		return target, err
	}
	return nil, fmt.Errorf("no door %s", asked.Door)
}

func collected[T any](sequence iter.Seq2[T, error]) ([]T, error) {
	list := []T{}
	for element, err := range sequence {
		if err != nil {
			return nil, err
		}
		list = append(list, element)
	}
	return list, nil
}

func untilError(workers iter.Seq2[gatehouse.WorkerV2, error]) (any, error) {
	ids, code := []string{}, ""
	for worker, err := range workers {
		var failure *gatehouse.Error
		switch {
		case errors.As(err, &failure):
			code = failure.Code
		case err != nil:
			return nil, err
		default:
			ids = append(ids, worker.Id)
		}
	}
	return map[string]any{"ids": ids, "code": code}, nil
}

var errUnsupported = errors.New("the SDK has no such operation")

func operation(asked line) (any, error) {
	client, err := open(asked, gatehouse.WithRetries(asked.Retries), gatehouse.WithoutEntityTags())
	if err != nil {
		return nil, err
	}
	ctx := context.Background()
	if asked.Basic != nil {
		ctx = context.WithValue(ctx, gatehouse.ContextBasicAuth, *asked.Basic)
	}
	if asked.Bearer != nil {
		ctx = context.WithValue(ctx, gatehouse.ContextAccessToken, *asked.Bearer)
	}
	gateway, signOn := client.API().GatewayAPI, client.API().SignOnAPI
	installation, tenant := asked.Parameters["instanceIntegrationId"], asked.Parameters["clientId"]
	tag := asked.Headers["if-none-match"]
	limit, limitErr := strconv.ParseInt(asked.Parameters["limit"], 10, 32)
	cursor, hasCursor := asked.Parameters["cursor"]
	switch asked.OperationID {
	case "listInstanceIntegrations":
		return execute(tagged(gateway.ListInstanceIntegrations(ctx), tag))
	case "listClients":
		return execute(tagged(gateway.ListClients(ctx, installation), tag))
	case "getClient":
		return execute(tagged(gateway.GetClient(ctx, installation, tenant), tag))
	case "listJobTitles":
		return execute(tagged(gateway.ListJobTitles(ctx, installation, tenant), tag))
	case "getOrganizationStructure":
		return execute(tagged(gateway.GetOrganizationStructure(ctx, installation, tenant), tag))
	case "listWorkers":
		return execute(tagged(gateway.ListWorkers(ctx, installation, tenant), tag))
	case "getWorkerV2":
		return execute(tagged(gateway.GetWorkerV2(ctx, installation, tenant, asked.Parameters["workerId"]), tag))
	case "getUser":
		return execute(tagged(gateway.GetUser(ctx, installation, tenant, asked.Parameters["userId"]), tag))
	case "listWorkersV2":
		request := tagged(gateway.ListWorkersV2(ctx, installation, tenant), tag)
		if limitErr == nil {
			request = request.Limit(int32(limit))
		}
		if hasCursor {
			request = request.Cursor(cursor)
		}
		return execute(request)
	case "listUsers":
		request := tagged(gateway.ListUsers(ctx, installation, tenant), tag)
		if limitErr == nil {
			request = request.Limit(int32(limit))
		}
		if hasCursor {
			request = request.Cursor(cursor)
		}
		return execute(request)
	case "exchangeToken":
		return execute(signOn.ExchangeToken(ctx).TokenRequest(parsed[gatehouse.TokenRequest](asked.Body)))
	case "introspectToken":
		return execute(signOn.IntrospectToken(ctx).TokenReference(parsed[gatehouse.TokenReference](asked.Body)))
	case "revokeToken":
		return nil, gatehouse.Done(signOn.RevokeToken(ctx).TokenReference(parsed[gatehouse.TokenReference](asked.Body)).Execute())
	case "getUserinfo":
		return execute(signOn.GetUserinfo(ctx))
	case "getOpenidConfiguration":
		return execute(signOn.GetOpenidConfiguration(ctx))
	case "getAuthorizationServerMetadata":
		return execute(signOn.GetAuthorizationServerMetadata(ctx))
	case "getJwks":
		return execute(tagged(signOn.GetJwks(ctx), tag))
	}
	return ownWebhooks(ctx, gateway, asked)
}

// ownWebhooks asks one operation of an integration's own webhooks.
func ownWebhooks(ctx context.Context, gateway *gatehouse.GatewayAPIService, asked line) (any, error) {
	id := func(name string) string { return asked.Parameters[name] }
	switch asked.OperationID {
	case "listSubscriptions":
		return execute(gateway.ListSubscriptions(ctx))
	case "createSubscription":
		return execute(gateway.CreateSubscription(ctx).SubscriptionRequest(parsed[gatehouse.SubscriptionRequest](asked.Body)))
	case "getSubscription":
		return execute(gateway.GetSubscription(ctx, id("subscriptionId")))
	case "updateSubscription":
		return execute(gateway.UpdateSubscription(ctx, id("subscriptionId")).SubscriptionChanges(parsed[gatehouse.SubscriptionChanges](asked.Body)))
	case "deleteSubscription":
		return nil, gatehouse.Done(gateway.DeleteSubscription(ctx, id("subscriptionId")).Execute())
	case "pauseSubscription":
		return execute(gateway.PauseSubscription(ctx, id("subscriptionId")))
	case "resumeSubscription":
		return execute(gateway.ResumeSubscription(ctx, id("subscriptionId")))
	case "enableSubscription":
		return execute(gateway.EnableSubscription(ctx, id("subscriptionId")))
	case "pingSubscription":
		return execute(gateway.PingSubscription(ctx, id("subscriptionId")))
	case "signTestMessages":
		return execute(gateway.SignTestMessages(ctx, id("subscriptionId")).TestMessagesRequest(parsed[gatehouse.TestMessagesRequest](asked.Body)))
	case "sendTestEvent":
		return execute(gateway.SendTestEvent(ctx, id("subscriptionId")).TestEventRequest(parsed[gatehouse.TestEventRequest](asked.Body)))
	case "listSigningSecrets":
		return execute(gateway.ListSigningSecrets(ctx, id("subscriptionId")))
	case "rotateSigningSecret":
		return execute(gateway.RotateSigningSecret(ctx, id("subscriptionId")).SecretRotation(parsed[gatehouse.SecretRotation](asked.Body)))
	case "revokeSigningSecret":
		parsedNumber, err := strconv.ParseInt(id("secretNumber"), 10, 32)
		if err != nil {
			return nil, err
		}
		number := int32(parsedNumber)
		return nil, gatehouse.Done(gateway.RevokeSigningSecret(ctx, id("subscriptionId"), number).Execute())
	case "listPublicKeys":
		return execute(gateway.ListPublicKeys(ctx, id("subscriptionId")))
	case "readEvents":
		read := gateway.ReadEvents(ctx, id("subscriptionId"))
		if after := id("after"); after != "" {
			read = read.After(after)
		}
		return execute(read)
	case "listEvents":
		return execute(gateway.ListEvents(ctx))
	case "explainEvent":
		return execute(gateway.ExplainEvent(ctx, id("subscriptionId"), id("eventId")))
	case "listDeliveries":
		return execute(gateway.ListDeliveries(ctx))
	case "getDelivery":
		return execute(gateway.GetDelivery(ctx, id("deliveryId")))
	case "resendDelivery":
		return execute(gateway.ResendDelivery(ctx, id("deliveryId")))
	case "listRecoveries":
		return execute(gateway.ListRecoveries(ctx))
	case "startRecovery":
		return execute(gateway.StartRecovery(ctx).RecoveryRequest(parsed[gatehouse.RecoveryRequest](asked.Body)))
	case "startRecoveries":
		return execute(gateway.StartRecoveries(ctx).RecoveriesRequest(parsed[gatehouse.RecoveriesRequest](asked.Body)))
	case "getRecovery":
		return execute(gateway.GetRecovery(ctx, id("recoveryId")))
	case "pauseRecovery":
		return execute(gateway.PauseRecovery(ctx, id("recoveryId")))
	case "resumeRecovery":
		return execute(gateway.ResumeRecovery(ctx, id("recoveryId")))
	case "cancelRecovery":
		return execute(gateway.CancelRecovery(ctx, id("recoveryId")))
	case "listEventTypes":
		return execute(gateway.ListEventTypes(ctx))
	}
	return nil, errUnsupported
}

type taggable[R any] interface{ IfNoneMatch(string) R }

func tagged[R taggable[R]](request R, tag string) R {
	if tag == "" {
		return request
	}
	return request.IfNoneMatch(tag)
}

type executable[T any] interface {
	Execute() (T, *http.Response, error)
}

func execute[T any](request executable[T]) (T, error) { return gatehouse.Result(request.Execute()) }

func verify(asked line) (any, error) {
	header := http.Header{}
	for name, value := range asked.Headers {
		header.Set(name, value)
	}
	given := []gatehouse.VerifyOption{gatehouse.At(time.Unix(asked.Now, 0))}
	for _, secret := range asked.Secrets[1:] {
		given = append(given, gatehouse.OrSecret(secret))
	}
	if asked.ToleranceSeconds != nil {
		given = append(given, gatehouse.WithTolerance(time.Duration(*asked.ToleranceSeconds)*time.Second))
	}
	event, err := gatehouse.VerifyEvent(asked.Secrets[0], header, []byte(parsed[string](asked.Body)), given...)
	if err != nil {
		return nil, err
	}
	return map[string]any{"type": event.Type, "known": event.Data != nil}, nil
}

func answer(text []byte) map[string]any {
	asked := parsed[line](text)
	var value any
	var err error
	var name string
	switch asked.Door {
	case "":
		name = "body"
		value, err = operation(asked)
	case "verify":
		name = "event"
		value, err = verify(asked)
	default:
		name = "value"
		value, err = door(asked)
	}
	if err == nil {
		return map[string]any{name: value}
	}
	var failure *gatehouse.Error
	var refused *gatehouse.EventRefused
	switch {
	case errors.As(err, &failure):
		return map[string]any{"error": said(failure)}
	case errors.As(err, &refused):
		return map[string]any{"eventRefused": refused.Reason}
	case errors.Is(err, errUnsupported):
		return map[string]any{"unsupported": err.Error()}
	}
	return map[string]any{"crash": err.Error()}
}

func said(failure *gatehouse.Error) map[string]any {
	violations := []map[string]string{}
	for _, one := range failure.Violations {
		violations = append(violations, map[string]string{"location": one.Location, "name": one.Name, "message": one.Message})
	}
	members := map[string]any{
		"status": failure.Status, "code": failure.Code, "title": failure.Title, "detail": failure.Detail,
		"requestId": failure.RequestID, "error": failure.OAuthError, "errorDescription": failure.OAuthErrorDescription,
		"violations": violations,
	}
	if failure.RetryAfter != nil {
		members["retryAfter"] = failure.RetryAfter.Seconds()
	}
	for name, value := range members {
		if value == "" {
			delete(members, name)
		}
	}
	return members
}

func parsed[T any](text []byte) T {
	var value T
	if err := json.Unmarshal(text, &value); err != nil {
		log.Fatalf("%v: %s", err, text)
	}
	return value
}

func main() {
	lines := bufio.NewScanner(os.Stdin)
	lines.Buffer(nil, 64<<20)
	answers := json.NewEncoder(os.Stdout)
	for lines.Scan() {
		if err := answers.Encode(answer(lines.Bytes())); err != nil {
			log.Fatal(err)
		}
	}
	if err := lines.Err(); err != nil {
		log.Fatal(err)
	}
}
