package gatehouse

import (
	"context"
	"errors"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// pageSize is the number of elements that one request asks for.
const pageSize = 200

// Workers iterates over all workers of a client, oldest first. Pages are fetched as they are needed:
//
//	for worker, err := range client.Workers(ctx, instanceIntegrationID, clientID) {
//		if err != nil {
//			return err
//		}
//		fmt.Println(worker.FullName)
//	}
//
// An error is the last element.
func (c *Client) Workers(ctx context.Context, instanceIntegrationID, clientID string) iter.Seq2[WorkerV2, error] {
	bad := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID)
	return elements(bad, func(cursor string) ([]WorkerV2, *http.Response, error) {
		request := c.api.GatewayAPI.ListWorkersV2(ctx, instanceIntegrationID, clientID).Limit(pageSize)
		if cursor != "" {
			request = request.Cursor(cursor)
		}
		return request.Execute()
	})
}

// Users iterates over all users of a client, oldest first, as [Client.Workers] does over workers.
func (c *Client) Users(ctx context.Context, instanceIntegrationID, clientID string) iter.Seq2[PlatformUser, error] {
	bad := requireIDs("instanceIntegrationId", instanceIntegrationID, "clientId", clientID)
	return elements(bad, func(cursor string) ([]PlatformUser, *http.Response, error) {
		request := c.api.GatewayAPI.ListUsers(ctx, instanceIntegrationID, clientID).Limit(pageSize)
		if cursor != "" {
			request = request.Cursor(cursor)
		}
		return request.Execute()
	})
}

// elements asks for one page after the other, each by the cursor of the one before; for none at all
// if there is a bad argument.
func elements[T any](bad error, page func(cursor string) ([]T, *http.Response, error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var none T
		if bad != nil {
			yield(none, bad)
			return
		}
		for cursor := ""; ; {
			list, response, err := page(cursor)
			list, err = Result(list, response, err)
			if err != nil {
				yield(none, err)
				return
			}
			for _, element := range list {
				if !yield(element, nil) {
					return
				}
			}
			next, isMore := nextCursor(response.Header)
			if !isMore {
				return
			}
			if next == "" {
				yield(none, unreadable(response, errors.New("the link to the next page has no cursor")))
				return
			}
			if next == cursor {
				yield(none, unreadable(response, errors.New("the next page is this page")))
				return
			}
			cursor = next
		}
	}
}

// nextCursor is the cursor in the link to the next page (RFC 8288), empty if the link has none;
// false on the last page. The link itself is not followed: behind a proxy it may name another
// address, and the API key is for ours.
func nextCursor(header http.Header) (string, bool) {
	for _, links := range header.Values("Link") {
		for rest := links; ; {
			_, after, found := strings.Cut(rest, "<")
			if !found {
				break
			}
			target, parameters, found := strings.Cut(after, ">")
			if !found {
				break
			}
			rest = parameters
			if before, _, more := strings.Cut(parameters, "<"); more {
				parameters = before
			}
			if !isNext(parameters) {
				continue
			}
			address, err := url.Parse(target)
			if err != nil {
				return "", true
			}
			return address.Query().Get("cursor"), true
		}
	}
	return "", false
}

// isNext is true if the parameters of a link, `; rel="next"; …`, have the relation "next".
func isNext(parameters string) bool {
	for _, parameter := range strings.FieldsFunc(parameters, func(r rune) bool { return r == ';' || r == ',' }) {
		name, value, _ := strings.Cut(strings.TrimSpace(parameter), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "rel") {
			continue
		}
		for _, relation := range strings.Fields(strings.Trim(strings.TrimSpace(value), `"`)) {
			if strings.EqualFold(relation, "next") {
				return true
			}
		}
	}
	return false
}
