// Made by `make generate`. Do not edit.

/** Every kind of problem (RFC 9457) by code: status, title, sentence in answers, cause and fix. */
export const PROBLEMS = {
  "invalid_request": {
    "status": 400,
    "title": "Invalid request",
    "detail": "The request is not valid.",
    "cause": "A part of the request is not as the contract requires. `errors` names each part.",
    "fix": "Correct the named parts. Copy ids from an earlier answer; never build them."
  },
  "unauthorized": {
    "status": 401,
    "title": "Unauthorized",
    "detail": "The API key is missing or wrong.",
    "cause": "The header `x-api-key` is missing, or its key is unknown, expired or revoked. The answer is the same for all of these.",
    "fix": "Send the whole key (64 characters) in the header `x-api-key`. If it is still refused, ask the operator for a new one."
  },
  "scope_missing": {
    "status": 403,
    "title": "Scope missing",
    "detail": "This API key lacks a scope.",
    "cause": "The key is valid, but not for this operation. The answer names the scope that it lacks, `read` or `webhooks`.",
    "fix": "Use a key that has the scope, or ask the operator to issue one."
  },
  "too_many_requests": {
    "status": 429,
    "title": "Too many requests",
    "detail": "This API key has made too many requests.",
    "cause": "The key is over its limit. `ratelimit-policy` has the limit, `ratelimit` the requests that remain.",
    "fix": "Wait for the seconds in `retry-after`, then send fewer requests. Conditional requests (`If-None-Match`) count too. Ask the operator if you need a higher limit."
  },
  "instance_integration_not_found": {
    "status": 404,
    "title": "Instance integration not found",
    "detail": "Instance integration not found",
    "cause": "Your key's integration has no instance integration with this id.",
    "fix": "Take the id from `GET /v1/instance-integrations`."
  },
  "instance_integration_not_configured": {
    "status": 404,
    "title": "Instance integration not configured",
    "detail": "Instance integration not configured",
    "cause": "The instance integration exists, but its set-up is not finished.",
    "fix": "Ask the operator to finish the set-up, then send the same request again."
  },
  "client_not_found": {
    "status": 404,
    "title": "Client not found",
    "detail": "Client not found",
    "cause": "No client with this id belongs to the connected instance.",
    "fix": "Take the id from the list of the instance integration's clients."
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
    "cause": "There is no operation at this address.",
    "fix": "Compare the path with the contract. A slash at the end makes it another address."
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
    "fix": "Send the whole request at once, without pauses."
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
    "cause": "This address does not accept the body's `content-type`.",
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
