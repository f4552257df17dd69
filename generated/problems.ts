// Made by `make generate`. Do not edit.

/** Every kind of problem (RFC 9457) by code: status, title, sentence in answers, cause, fix and section of a guide. */
export const PROBLEMS = {
  "invalid_request": {
    "status": 400,
    "title": "Invalid request",
    "detail": "The request is not valid.",
    "cause": "A part of the request is not as the contract requires. `errors` names each part. It is absent if the request was refused before any operation got it; `detail` then says why.",
    "fix": "Correct the named parts. Copy ids from an earlier answer; never build them.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "unauthorized": {
    "status": 401,
    "title": "Unauthorized",
    "detail": "The API key (header x-api-key) is missing or wrong.",
    "cause": "The header `x-api-key` is missing or sent more than once, or its API key is not whole, unknown, expired or revoked. The answer is the same for all of these.",
    "fix": "Send the whole API key (64 characters) in one header `x-api-key`; a proxy may add another. If it is still refused, ask the operator for a new one.",
    "guide": "keys-and-secrets#an-api-key"
  },
  "scope_missing": {
    "status": 403,
    "title": "Scope missing",
    "detail": "This API key lacks a scope.",
    "cause": "The key is valid, but not for this operation. The answer names the missing scope, `read` or `webhooks`.",
    "fix": "Use a key that has the scope, or ask the operator to issue one.",
    "guide": "keys-and-secrets#an-api-key"
  },
  "too_many_requests": {
    "status": 429,
    "title": "Too many requests",
    "detail": "This API key has made too many requests.",
    "cause": "The key is over its limit of requests, or your integration has reached another limit, which `detail` names (pings, test events, test messages, reads of a feed that wait). `ratelimit-policy` has the limit of requests, `ratelimit` those that remain; they say nothing about the other limits.",
    "fix": "Wait for the seconds in `retry-after`, then send fewer requests. Conditional requests (`If-None-Match`) count too. Let one reader wait at each feed. Ask the operator if you need a higher limit of requests.",
    "guide": "read-the-gateway#when-there-are-too-many-requests"
  },
  "instance_integration_not_found": {
    "status": 404,
    "title": "Instance integration not found",
    "detail": "Instance integration not found",
    "cause": "Your key's integration has no instance integration with this id.",
    "fix": "Take the id from `GET /v1/instance-integrations`.",
    "guide": "read-the-gateway#ask-what-you-may-read"
  },
  "instance_integration_not_configured": {
    "status": 404,
    "title": "Instance integration not configured",
    "detail": "Instance integration not configured",
    "cause": "The instance integration exists, but is not configured. Its set-up is not finished, or the operator has taken it out of service.",
    "fix": "Ask the operator to configure it, then send the same request again.",
    "guide": "read-the-gateway#ask-what-you-may-read"
  },
  "client_not_found": {
    "status": 404,
    "title": "Client not found",
    "detail": "Client not found",
    "cause": "No client with this id belongs to the connected instance.",
    "fix": "Take the id from the list of the instance integration's clients.",
    "guide": "read-the-gateway#ask-what-you-may-read"
  },
  "user_not_found": {
    "status": 404,
    "title": "User not found",
    "detail": "User not found",
    "cause": "No user with this id belongs to the client.",
    "fix": "Take the id from an event or from another answer about the same client.",
    "guide": "read-the-gateway#version-1-or-version-2"
  },
  "worker_not_found": {
    "status": 404,
    "title": "Worker not found",
    "detail": "Worker not found",
    "cause": "No worker with this id belongs to the client.",
    "fix": "Take the id from an event or from another answer about the same client.",
    "guide": "read-the-gateway#version-1-or-version-2"
  },
  "subscription_not_found": {
    "status": 404,
    "title": "Subscription not found",
    "detail": "Subscription not found",
    "cause": "Your integration has no subscription with this id, or it was deleted.",
    "fix": "Take the id from `GET /v1/webhooks/subscriptions`.",
    "guide": "manage-webhooks#create-a-subscription"
  },
  "secret_not_found": {
    "status": 404,
    "title": "Signing secret not found",
    "detail": "Signing secret not found",
    "cause": "The subscription has no live signing secret with this number.",
    "fix": "Take the number from the secrets of the subscription.",
    "guide": "manage-webhooks#replace-the-signing-secret"
  },
  "event_not_found": {
    "status": 404,
    "title": "Event not found",
    "detail": "Event not found",
    "cause": "No event with this id concerns the subscription, or it is no longer kept.",
    "fix": "Take the id from the header `webhook-id` of a delivery, or from the events of the subscription.",
    "guide": "manage-webhooks#look-at-deliveries"
  },
  "delivery_not_found": {
    "status": 404,
    "title": "Delivery not found",
    "detail": "Delivery not found",
    "cause": "Your integration has no delivery with this id, or it is no longer kept.",
    "fix": "Take the id from `GET /v1/webhooks/deliveries`.",
    "guide": "manage-webhooks#look-at-deliveries"
  },
  "recovery_not_found": {
    "status": 404,
    "title": "Recovery not found",
    "detail": "Recovery not found",
    "cause": "Your integration has no recovery with this id, or it is no longer kept.",
    "fix": "Take the id from `GET /v1/webhooks/recoveries`.",
    "guide": "recover-after-an-outage#by-the-gateway"
  },
  "subscription_disabled": {
    "status": 409,
    "title": "Subscription disabled",
    "detail": "The subscription is disabled.",
    "cause": "The subscription is disabled; `stateReason` says why. It cannot be paused or resumed.",
    "fix": "Repair the endpoint, then enable the subscription.",
    "guide": "receive-events#acknowledge"
  },
  "subscription_pull_only": {
    "status": 409,
    "title": "Subscription without an endpoint",
    "detail": "The subscription has no endpoint.",
    "cause": "The subscription is pull-only, so nothing is posted to it.",
    "fix": "Give it an `endpointUrl` first, or read its events from the feed.",
    "guide": "manage-webhooks#create-a-subscription"
  },
  "too_many_secrets": {
    "status": 409,
    "title": "Too many signing secrets",
    "detail": "Three secrets sign already.",
    "cause": "Three signing secrets of this kind are live, which is the most.",
    "fix": "Revoke one of them, or wait until one expires.",
    "guide": "keys-and-secrets#a-signing-secret"
  },
  "current_secret": {
    "status": 409,
    "title": "Current signing secret",
    "detail": "The current secret cannot be revoked.",
    "cause": "The secret is the current one, without which nothing could be signed.",
    "fix": "Rotate it without an overlap. The answer has the new secret, and the old one signs nothing more.",
    "guide": "keys-and-secrets#a-signing-secret"
  },
  "cursor_expired": {
    "status": 410,
    "title": "Cursor expired",
    "detail": "The cursor is older than what is kept.",
    "cause": "Events behind the cursor are no longer kept, so that some would be missing.",
    "fix": "Read on with the cursor in `keptFrom`, where the kept part begins, and read the current state of what you missed.",
    "guide": "manage-webhooks#read-events"
  },
  "subscription_paused": {
    "status": 409,
    "title": "Subscription paused",
    "detail": "The subscription is paused.",
    "cause": "Nothing is sent while the subscription is paused.",
    "fix": "Resume the subscription first.",
    "guide": "manage-webhooks#pause-and-end"
  },
  "delivery_pending": {
    "status": 409,
    "title": "Delivery pending",
    "detail": "The delivery is still pending.",
    "cause": "An attempt of the delivery is under way or due, so that it cannot be sent again yet.",
    "fix": "Wait until its attempts have ended; `dueAt` says when the next one is.",
    "guide": "receive-events#acknowledge"
  },
  "body_removed": {
    "status": 409,
    "title": "Body removed",
    "detail": "The body of the delivery is no longer kept.",
    "cause": "Bodies are kept for a limited time, after which a delivery cannot be sent again.",
    "fix": "Read the current state from the gateway.",
    "guide": "recover-after-an-outage#what-cannot-be-sent-again"
  },
  "recovery_not_over": {
    "status": 409,
    "title": "Unfinished recovery",
    "detail": "The subscription has an unfinished recovery.",
    "cause": "A subscription has one recovery at a time.",
    "fix": "Wait until the other one has ended, or cancel it.",
    "guide": "recover-after-an-outage#by-the-gateway"
  },
  "event_type_not_subscribed": {
    "status": 409,
    "title": "Event type not subscribed",
    "detail": "The subscription does not ask for this event type.",
    "cause": "The event types of the subscription do not include the type.",
    "fix": "Choose one of its types, or add the type to `eventTypes`.",
    "guide": "receive-events#filter-by-type-and-client"
  },
  "too_many_subscriptions": {
    "status": 409,
    "title": "Too many subscriptions",
    "detail": "The integration has as many subscriptions as it may.",
    "cause": "An integration may have 100 subscriptions.",
    "fix": "Delete a subscription that is not needed any more, or give one of them more event types.",
    "guide": "receive-events#filter-by-type-and-client"
  },
  "recovery_cancelled": {
    "status": 409,
    "title": "Recovery cancelled",
    "detail": "The recovery was cancelled.",
    "cause": "A cancelled recovery does not go on.",
    "fix": "Start another recovery.",
    "guide": "recover-after-an-outage#by-the-gateway"
  },
  "subscription_pending": {
    "status": 409,
    "title": "Subscription pending",
    "detail": "The endpoint of the subscription has not acknowledged a ping.",
    "cause": "The endpoint is new or changed, and nothing is sent to it before it acknowledges a ping.",
    "fix": "Ping the subscription. Its endpoint has to answer with 2xx.",
    "guide": "manage-webhooks#create-a-subscription"
  },
  "not_found": {
    "status": 404,
    "title": "Not found",
    "detail": "Nothing is offered at this address.",
    "cause": "There is no operation at this address.",
    "fix": "Compare the path with the contract. A slash at the end makes it another address; `detail` then names the one without it, if that exists.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "method_not_allowed": {
    "status": 405,
    "title": "Method not allowed",
    "detail": "The method is not offered at this address.",
    "cause": "The address exists, but not for this method.",
    "fix": "Use one of the methods in the `allow` header of the answer.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "request_timeout": {
    "status": 408,
    "title": "Request timeout",
    "detail": "The request did not arrive in time.",
    "cause": "The request did not arrive in time.",
    "fix": "Send the whole request at once, without pauses.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "precondition_failed": {
    "status": 412,
    "title": "Precondition failed",
    "detail": "The answer has none of the entity tags in If-Match.",
    "cause": "The request has the header `If-Match`, and what is at the address has none of the entity tags in it. It has changed since you read it, or a read asks for another content coding than that of your copy, which has another tag. A write was not done.",
    "fix": "Read it again without `If-Match`. For a write, apply your change to what is there now, and send it with the new `ETag`. To ask whether something has changed, send `If-None-Match`.",
    "guide": "read-the-gateway#ask-only-for-changes"
  },
  "payload_too_large": {
    "status": 413,
    "title": "Payload too large",
    "detail": "The body is too large.",
    "cause": "The body is larger than this address accepts.",
    "fix": "Send a smaller body.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "uri_too_long": {
    "status": 414,
    "title": "URI too long",
    "detail": "The address is too long.",
    "cause": "The address, or a part of it, is longer than the server accepts.",
    "fix": "Send a shorter address.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "unsupported_media_type": {
    "status": 415,
    "title": "Unsupported media type",
    "detail": "The media type or the content coding of the body is not accepted here.",
    "cause": "This address does not accept the body's `content-type`, or the body has a `content-encoding`, which no address accepts.",
    "fix": "Send one of the media types that the contract lists, without a content coding.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "headers_too_large": {
    "status": 431,
    "title": "Request headers too large",
    "detail": "The headers of the request are too large.",
    "cause": "The headers of the request are larger than the server accepts.",
    "fix": "Send fewer or shorter headers.",
    "guide": "read-the-gateway#when-a-request-is-refused"
  },
  "internal_error": {
    "status": 500,
    "title": "Internal error",
    "detail": "Something went wrong on our side.",
    "cause": "Something went wrong on our side.",
    "fix": "Try again. A change may have been made all the same; look before you repeat it. If the problem persists, give the operator the `requestId`.",
    "guide": "manage-webhooks#when-no-answer-comes"
  },
  "unavailable": {
    "status": 503,
    "title": "Temporarily unavailable",
    "detail": "The service cannot answer at the moment.",
    "cause": "A part of the service is unreachable or overloaded at the moment.",
    "fix": "Try again after the seconds given in `retry-after`. A change may have been made all the same; look before you repeat it.",
    "guide": "read-the-gateway#wait-then-repeat"
  }
} as const;

export type ProblemCode = keyof typeof PROBLEMS;
