import type { NextStep } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import { webOrigin } from "../applications/redirect-uri.ts";
import type { PageCheckName } from "../refusals/catalogue.ts";
import type { AuthorizationErrorCode } from "../refusals/check.ts";
import { type ErrorSource, toErrorWire } from "../refusals/error-wire.ts";
import type { RefusingCall } from "../refusals/noting.ts";
import { pageReason, pageRefusal, type Refused } from "../refusals/refused.ts";
import type { ResponseMode } from "./interaction.ts";

/** Where an authorization response goes: a proven redirect URI, the response mode, and the state to repeat. */
interface ResponseTarget {
  readonly redirectUri: string;
  readonly responseMode: ResponseMode;
  readonly state: string | undefined;
}

/** Where an authorization request may be refused, and the application that sent it. */
export interface RefusalTarget extends ResponseTarget {
  readonly applicationId: ApplicationId;
}

type Known<T> = { readonly [Name in keyof T]?: T[Name] | undefined };

/** Names and values, in order. */
type ResponseParameters = readonly (readonly [name: string, value: string])[];

/** A response with a code (RFC 6749 §4.1.2) and `iss` (RFC 9207). */
export const codeParameters = (target: ResponseTarget, issuer: string, code: string): ResponseParameters =>
  complete([["code", code]], target, issuer);

/** A response with an error (RFC 6749 §4.1.2.1). */
export const errorParameters = (
  target: ResponseTarget,
  { error, sentence }: Pick<Refused<AuthorizationErrorCode>, "error" | "sentence">,
  source: ErrorSource,
): ResponseParameters => complete(Object.entries(toErrorWire(error, sentence, source)), target, source.issuer);

const complete = (own: ResponseParameters, { state }: ResponseTarget, issuer: string): ResponseParameters => [
  ...own,
  ...(state === undefined ? [] : ([["state", state]] as const)),
  ["iss", issuer],
];

/** The step that brings a response to the application, by redirect or by form; `endedInteractionId` when an interaction ends with it. */
export function responseStep(
  { redirectUri, responseMode }: ResponseTarget,
  parameters: ResponseParameters,
  endedInteractionId: string | undefined,
): NextStep {
  const ended = { endedInteractionId: endedInteractionId ?? null };
  if (responseMode === "query") {
    const location = responseLocation(redirectUri, parameters);
    return { step: { $case: "redirect", value: { location, ...ended } } };
  }
  const fields = parameters.map(([name, value]) => ({ name, value }));
  return { step: { $case: "formPost", value: { redirectUri, parameters: fields, ...ended } } };
}

/** Appends to the query that the redirect URI may already have; its own bytes stay as they are. */
export function responseLocation(redirectUri: string, parameters: ResponseParameters): string {
  const query = parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const separator = !redirectUri.includes("?")
    ? "?"
    : redirectUri.endsWith("?") || redirectUri.endsWith("&")
      ? ""
      : "&";
  return `${redirectUri}${separator}${query}`;
}

/** The step that brings a refusal to the application; notes the refusal. */
export function refusalStep(
  target: RefusalTarget,
  issuer: string,
  refused: Refused<AuthorizationErrorCode>,
  call: RefusingCall,
  endedInteractionId?: string | undefined,
): NextStep {
  call.refused(refused, target.applicationId);
  const { requestId } = call;
  return responseStep(target, errorParameters(target, refused, { requestId, issuer }), endedInteractionId);
}

/** The step that shows a refusal to the person, who can begin again at the application where that is known; notes the refusal. */
export function errorPageStep(
  check: PageCheckName,
  call: RefusingCall,
  { redirectUri, applicationId }: Known<Pick<RefusalTarget, "redirectUri" | "applicationId">> = {},
): NextStep {
  call.refused(pageRefusal(check), applicationId);
  const startAgainOrigin = redirectUri === undefined ? null : (webOrigin(redirectUri) ?? null);
  return { step: { $case: "errorPage", value: { reason: pageReason(check), startAgainOrigin } } };
}
