package gatehouse

import (
	"context"
	"iter"
	"net/http"
	"net/url"
	"regexp"
	"slices"
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
		cursor, seen, nextNoted := "", "", 1
		for pages := 1; ; pages++ {
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
				yield(none, unexpected(response, "The link to the next page has no cursor."))
				return
			}
			if next == seen {
				yield(none, unexpected(response, "The pages go round in a circle."))
				return
			}
			// One of them is enough to find a circle of any length: noted again after 1, 2, 4, … pages.
			if pages == nextNoted {
				seen, nextNoted = next, nextNoted*2
			}
			cursor = next
		}
	}
}

var (
	linkTarget    = regexp.MustCompile(`^[\s,]*<([^>]*)>\s*`)
	linkParameter = regexp.MustCompile(`^;\s*([^\s=;,"]+)\s*(?:=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?\s*`)
)

// nextCursor is the cursor in the link to the next page (RFC 8288 §3), empty if the link has none;
// false on the last page. The link itself is not followed: behind a proxy it may name another
// address, and the API key is for ours.
func nextCursor(header http.Header) (string, bool) {
	rest := strings.Join(header.Values("Link"), ", ")
	for {
		target := linkTarget.FindStringSubmatch(rest)
		if target == nil {
			return "", false
		}
		rest = rest[len(target[0]):]
		var relations *string
		for {
			parameter := linkParameter.FindStringSubmatch(rest)
			if parameter == nil {
				break
			}
			rest = rest[len(parameter[0]):]
			// Of several "rel" the first counts (RFC 8288 §3.3).
			if value := parameter[2] + parameter[3]; relations == nil && strings.EqualFold(parameter[1], "rel") {
				relations = &value
			}
		}
		if relations != nil && slices.Contains(strings.Fields(strings.ToLower(*relations)), "next") {
			address, err := url.Parse(strings.TrimSpace(target[1]))
			if err != nil {
				return "", true
			}
			return address.Query().Get("cursor"), true
		}
	}
}
