import type { CallInit } from "../support/http.ts";

/** What a form that another site sent looks like to us (S10). */
export const FOREIGN_HEADERS: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ["from another site", { "sec-fetch-site": "cross-site", origin: "https://evil.example" }],
  ["from another site that hides its origin", { "sec-fetch-site": "cross-site" }],
  ["from a neighbouring host", { "sec-fetch-site": "same-site", origin: "http://shop.localhost" }],
  ["from no page at all", { "sec-fetch-site": "none" }],
  ["from another origin, in a browser that says no more", { origin: "https://evil.example" }],
  ["from a frame without an origin", { origin: "null" }],
  ["from our host on another port", { origin: "http://localhost:1" }],
];

/** Bodies that are no form, or not one of ours (S14). */
export const NO_FORMS: readonly (readonly [string, number, CallInit])[] = [
  ["JSON", 415, { json: { form_token: "x", email: "x", password: "x", decision: "approve" } }],
  ["plain text", 415, { body: "form_token=x&email=x&password=x", headers: { "content-type": "text/plain" } }],
  ["a multipart form", 415, { body: "--x--", headers: { "content-type": "multipart/form-data; boundary=x" } }],
  ["a body without a type", 415, { body: "form_token=x" }],
  ["no body", 415, {}],
  ["a form without fields", 400, { form: {} }],
  [
    "a field twice",
    400,
    {
      form: [
        ["form_token", "x"],
        ["form_token", "x"],
      ],
    },
  ],
  [
    "malformed percent-encoding",
    400,
    { body: "form_token=%zz", headers: { "content-type": "application/x-www-form-urlencoded" } },
  ],
  [
    "bytes that are no UTF-8",
    400,
    { body: "form_token=%ff", headers: { "content-type": "application/x-www-form-urlencoded" } },
  ],
];
