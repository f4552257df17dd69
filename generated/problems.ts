// Made by `make generate`. Do not edit.

/** Every kind of problem (RFC 9457) by code: status, title, sentence in answers, cause and fix. */
export const PROBLEMS = {
  "invalid_request": {
    "status": 400,
    "title": "Invalid request",
    "detail": "The request is not valid.",
    "cause": "A part of the request does not have the form that the contract requires; `errors` names each part.",
    "fix": "Compare the named parts with the contract. Ids have the prefix of their kind and 21 letters or digits; copy them from an earlier answer, never build them."
  },
  "unauthorized": {
    "status": 401,
    "title": "Unauthorized",
    "detail": "The API key is missing or wrong.",
    "cause": "The `x-api-key` header is missing, mistyped, or has a key that is unknown, expired or revoked. All of these get the same answer.",
    "fix": "Send the key in the header `x-api-key`, whole (64 characters). If the right key is refused, ask the operator for a new one."
  },
  "too_many_requests": {
    "status": 429,
    "title": "Too many requests",
    "detail": "This API key has made too many requests.",
    "cause": "The key has made more requests than its limit allows. `ratelimit-policy` shows the limit, `ratelimit` the remaining requests.",
    "fix": "Wait for the seconds in `retry-after`, then send requests more slowly. Conditional requests (`If-None-Match`) count too, but are cheap. If you need a higher limit, ask the operator."
  },
  "instance_integration_not_found": {
    "status": 404,
    "title": "Instance integration not found",
    "detail": "Instance integration not found",
    "cause": "No instance integration with this id belongs to the integration of your key.",
    "fix": "List your instance integrations with `GET /v1/instance-integrations` and take the id from there."
  },
  "instance_integration_not_configured": {
    "status": 404,
    "title": "Instance integration not configured",
    "detail": "Instance integration not configured",
    "cause": "The connection with this instance exists, but its set-up is not finished.",
    "fix": "Ask the operator to finish the set-up, then send the same request again."
  },
  "client_not_found": {
    "status": 404,
    "title": "Client not found",
    "detail": "Client not found",
    "cause": "No client with this id belongs to the connected instance.",
    "fix": "List the clients of the instance integration and take the id from there."
  },
  "user_not_found": {
    "status": 404,
    "title": "User not found",
    "detail": "User not found",
    "cause": "No user with this id belongs to the client.",
    "fix": "Take the id from an event or from another answer about the same client."
  },
  "worker_not_found": {
    "status": 404,
    "title": "Worker not found",
    "detail": "Worker not found",
    "cause": "No worker with this id belongs to the client.",
    "fix": "Take the id from an event or from another answer about the same client."
  },
  "not_found": {
    "status": 404,
    "title": "Not found",
    "detail": "Nothing is offered at this address.",
    "cause": "No operation is offered at this address.",
    "fix": "Compare method and path with the contract; a trailing slash makes another address."
  },
  "method_not_allowed": {
    "status": 405,
    "title": "Method not allowed",
    "detail": "The method is not offered at this address.",
    "cause": "The address exists, but not for this method.",
    "fix": "Use one of the methods in the `allow` header of the answer."
  },
  "request_timeout": {
    "status": 408,
    "title": "Request timeout",
    "detail": "The request did not arrive in time.",
    "cause": "The request did not arrive in time.",
    "fix": "Send the whole request at once."
  },
  "payload_too_large": {
    "status": 413,
    "title": "Payload too large",
    "detail": "The body is too large.",
    "cause": "The body is larger than this address accepts.",
    "fix": "Send a smaller body."
  },
  "uri_too_long": {
    "status": 414,
    "title": "URI too long",
    "detail": "The address is too long.",
    "cause": "The address, or a part of it, is longer than the server accepts.",
    "fix": "Send a shorter address."
  },
  "unsupported_media_type": {
    "status": 415,
    "title": "Unsupported media type",
    "detail": "The media type of the body is not accepted here.",
    "cause": "The body has a `content-type` that this address does not accept.",
    "fix": "Send one of the media types that the contract lists."
  },
  "headers_too_large": {
    "status": 431,
    "title": "Request headers too large",
    "detail": "The headers of the request are too large.",
    "cause": "The headers of the request are larger than the server accepts.",
    "fix": "Send fewer or shorter headers."
  },
  "internal_error": {
    "status": 500,
    "title": "Internal error",
    "detail": "Something went wrong on our side.",
    "cause": "Something went wrong on our side.",
    "fix": "Try again. If the problem persists, give the operator the `requestId`."
  },
  "unavailable": {
    "status": 503,
    "title": "Temporarily unavailable",
    "detail": "The service cannot answer at the moment.",
    "cause": "A part of the service is unreachable or overloaded at the moment.",
    "fix": "Try again after the seconds given in `retry-after`."
  }
} as const;

export type ProblemCode = keyof typeof PROBLEMS;
