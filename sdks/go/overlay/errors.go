package gatehouse

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"time"
)

// Codes of errors that the SDK itself reports. All other codes are Gatehouse's own.
const (
	// CodeInvalidArgument is for what cannot be sent, such as an empty id.
	CodeInvalidArgument = "invalid_argument"
	// CodeNoAnswer is for a connection that is refused or ends before the answer does.
	CodeNoAnswer = "no_answer"
	// CodeDeadlineExceeded is for an attempt without a whole answer within the client's deadline, and
	// for a context whose deadline passes.
	CodeDeadlineExceeded = "deadline_exceeded"
	// CodeCancelled is for a context that the caller cancels.
	CodeCancelled = "cancelled"
	// CodeNotModified is for 304, when the caller sent an entity tag.
	CodeNotModified = "not_modified"
	// CodeUnexpectedAnswer is for an answer that the contract does not have, such as a proxy's page.
	CodeUnexpectedAnswer = "unexpected_answer"
)

// Error is the error of every call: a problem of the gateway (RFC 9457), an error of sign-on
// (RFC 6749 §5.2), a call without an answer, or a bad argument.
type Error struct {
	// Status is the HTTP status; 0 when there is no answer.
	Status int
	// Code is a stable word for programs: client_not_found, too_many_requests, no_answer, …
	Code string
	// Title is the kind of error, the same for every occurrence; empty when Gatehouse gives none.
	Title string
	// Detail is a sentence about this occurrence.
	Detail string
	// RequestID identifies the request in Gatehouse's logs; quote it when you ask for help.
	RequestID string
	// RetryAfter is the time to wait before the next attempt; nil when the answer names none.
	RetryAfter *time.Duration
	// Violations are the parts of the request that the gateway refused, on 400.
	Violations []Violation
	// OAuthError and OAuthErrorDescription are the members of sign-on's errors; equal to Code and Detail.
	OAuthError            string
	OAuthErrorDescription string

	cause error
}

// Violation is one part of a request that was refused.
type Violation struct {
	// Location is path, query, header or body; the problem's member "in".
	Location string
	// Name is the parameter's name, or a JSON pointer into the body.
	Name string
	// Message says what is wrong with it.
	Message string
}

// Error is one line: status, code, detail and request id, as far as there are any.
func (e *Error) Error() string {
	line := "gatehouse: "
	if e.Status != 0 {
		line += fmt.Sprintf("%d ", e.Status)
	}
	line += e.Code + ": " + e.Detail
	if e.RequestID != "" {
		line += " (request " + e.RequestID + ")"
	}
	return line
}

// Unwrap is why there is no answer, or why it cannot be read: for example [context.DeadlineExceeded].
func (e *Error) Unwrap() error { return e.cause }

// Result makes an [*Error] of what a generated operation returns:
//
//	metadata, err := gatehouse.Result(client.API().SignOnAPI.GetOpenidConfiguration(ctx).Execute())
func Result[T any](value T, response *http.Response, err error) (T, error) {
	err = resultOf(response, err)
	if err == nil {
		switch string(bytes.TrimSpace(bodyOf(response))) {
		case "":
			err = unreadable(response, io.ErrUnexpectedEOF)
		case "null":
			err = unreadable(response, errors.New("the answer is null"))
		}
	}
	if err != nil {
		var none T
		return none, err
	}
	return value, nil
}

// Done is [Result] for an operation whose answer has no body.
func Done(response *http.Response, err error) error { return resultOf(response, err) }

func resultOf(response *http.Response, err error) error {
	// Of our transport, which sent nothing or did not read all of the answer.
	var refused *Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return refused
	case response == nil && !wasSent(err):
		return &Error{Code: CodeInvalidArgument, Detail: "No request can be made of these arguments: " + err.Error(), cause: err}
	case response == nil:
		return unanswered(err)
	case response.StatusCode < http.StatusMultipleChoices:
		return unreadable(response, err)
	default:
		return stated(response)
	}
}

// wasSent is false for an error of the generated code, which found no request to send: [http.Client] has
// a type of its own for all others.
func wasSent(err error) bool {
	var failed *url.Error
	return errors.As(err, &failed) && failed.Op != "parse"
}

// bodyOf reads the body, which the transport has in memory, and leaves it to be read again.
func bodyOf(response *http.Response) []byte {
	body, _ := io.ReadAll(response.Body)
	response.Body = io.NopCloser(bytes.NewReader(body))
	return body
}

// stated is the error that an answer other than success states.
func stated(response *http.Response) *Error {
	known := &Error{Status: response.StatusCode, RequestID: response.Header.Get("x-request-id")}
	known.RetryAfter = retryAfter(response.Header, time.Now())
	if response.StatusCode == http.StatusNotModified {
		known.Code, known.Detail = CodeNotModified, "Nothing has changed since your copy."
		return known
	}
	mediaType, _, _ := mime.ParseMediaType(response.Header.Get("Content-Type"))
	said := membersOf(bodyOf(response))
	code, isProblem := said["code"].(string)
	refusal, isRefusal := said["error"].(string)
	switch {
	case mediaType == "application/problem+json" && isProblem:
		known.Code, known.Title, known.Detail = code, textIn(said, "title"), textIn(said, "detail")
		if known.Detail == "" {
			known.Detail = known.Title
		}
		known.Violations = violationsOf(said["errors"])
	case mediaType == "application/json" && isRefusal:
		known.Code, known.Detail = refusal, textIn(said, "error_description")
		known.OAuthError, known.OAuthErrorDescription = known.Code, known.Detail
	default:
		known.Code = CodeUnexpectedAnswer
		known.Detail = fmt.Sprintf("The answer is none of Gatehouse's: status %d, media type %q.", response.StatusCode, mediaType)
	}
	return known
}

// membersOf gives the members of a JSON object. Those of other forms than the contract's, which servers on
// the way to Gatehouse may send, are left out where they are used: status and code matter more.
func membersOf(body []byte) map[string]any {
	var members map[string]any
	if json.Unmarshal(body, &members) != nil {
		return nil
	}
	return members
}

func textIn(members map[string]any, name string) string {
	text, _ := members[name].(string)
	return text
}

func violationsOf(parts any) []Violation {
	var violations []Violation
	list, _ := parts.([]any)
	for _, part := range list {
		if members, is := part.(map[string]any); is {
			violations = append(violations, Violation{
				Location: textIn(members, "in"), Name: textIn(members, "name"), Message: textIn(members, "detail"),
			})
		}
	}
	return violations
}

// unreadable is for a success whose body is not what the contract says.
func unreadable(response *http.Response, cause error) *Error {
	failure := unexpected(response, "The answer cannot be read: it is not the JSON that the contract describes.")
	failure.cause = cause
	return failure
}

// unexpected is for an answer that the contract does not have.
func unexpected(response *http.Response, detail string) *Error {
	return &Error{
		Status:    response.StatusCode,
		Code:      CodeUnexpectedAnswer,
		Detail:    detail,
		RequestID: response.Header.Get("x-request-id"),
	}
}

// tooLarge is for an answer of which no more than the bound was read.
func tooLarge(response *http.Response, bytesMax int) *Error {
	return unexpected(response, fmt.Sprintf("The answer is larger than %d bytes.", bytesMax))
}

// unanswered is for a request without an answer that can be given.
func unanswered(cause error) *Error {
	var late *lateAnswer
	var known *Error
	switch {
	case errors.As(cause, &known):
		return known
	case errors.As(cause, &late):
		return &Error{Code: CodeDeadlineExceeded, Detail: late.Error(), cause: cause}
	case errors.Is(cause, context.DeadlineExceeded):
		return &Error{Code: CodeDeadlineExceeded, Detail: "The context's deadline has passed.", cause: cause}
	case errors.Is(cause, context.Canceled):
		return &Error{Code: CodeCancelled, Detail: "The context was cancelled.", cause: cause}
	default:
		return &Error{Code: CodeNoAnswer, Detail: "Gatehouse cannot be reached: " + cause.Error(), cause: cause}
	}
}

func invalidArgument(format string, values ...any) *Error {
	return &Error{Code: CodeInvalidArgument, Detail: fmt.Sprintf(format, values...)}
}
