import type { Parameter, Sender } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import { namedApplication } from "../applications/application-credentials-wire.ts";
import { type Asked, applicationIdOf, knownNames, shownRedirectUri, toAskedMetadata } from "../refusals/asked.ts";

/** A request of an operation, with its body if that could be read. */
export type AskedRequest = EdgeRequest & { readonly body?: unknown };

/** The one Authorization header; `undefined` when there is none. */
export const authorizationOf = ({ headers }: EdgeRequest): string | undefined =>
  typeof headers.authorization === "string" ? headers.authorization : undefined;

const NO_FIELDS: Readonly<Record<string, unknown>> = {};
const NO_PARAMETERS: Pick<URLSearchParams, "get" | "keys"> = new URLSearchParams();

/** Every request comes by here, and most have no query. */
const parametersOf = (text: string) => (text === "" ? NO_PARAMETERS : new URLSearchParams(text));

/** The members of a body; empty unless it is an object. */
export const fieldsOf = ({ body }: Pick<AskedRequest, "body">): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : NO_FIELDS;

/** What a request asks for: parameters in the order address, form, body; an application also by HTTP Basic. */
export function askedBy(request: AskedRequest): Asked {
  const fields = fieldsOf(request);
  const inAddress = parametersOf(request.rawQuery);
  // A body that could be read has all of its form's parameters.
  const inForm = fields === NO_FIELDS ? parametersOf(request.rawForm) : NO_PARAMETERS;
  const valueNamed = (name: string): unknown => fields[name] || inForm.get(name) || inAddress.get(name);
  return {
    applicationId: applicationIdOf(valueNamed("client_id") || byBasic(request)),
    parameters: knownNames([...inAddress.keys(), ...inForm.keys(), ...Object.keys(fields)]),
    redirectUri: shownRedirectUri(valueNamed("redirect_uri")),
  };
}

function byBasic(request: EdgeRequest): string | undefined {
  const authorization = authorizationOf(request);
  return authorization !== undefined && /^basic /i.test(authorization)
    ? namedApplication(undefined, authorization)
    : undefined;
}

/**
 * What accompanies each call that a request makes: its id, its trace, and what it asks for, in case of a refusal. Within one
 * process only a refusal reads the last two, so they are made when they are read.
 */
export const edgeCall = (request: AskedRequest): CallOptions => ({
  requestId: request.requestId,
  get metadata() {
    return { ...request.trace, ...toAskedMetadata(askedBy(request)) };
  },
});

/** The parameters of a query or a form as sent, repeated ones included, in order. Percent-encoding is well-formed by now. */
export const toParameters = (encoded: string): Parameter[] =>
  // URLSearchParams removes one question mark; a second one belongs to the first name.
  [...new URLSearchParams(`?${encoded}`)].map(([name, value]) => ({ name, value }));

/** Longer User-Agents are truncated. */
const USER_AGENT_LENGTH_MAX = 1_024;

/** Where a form came from, for the records of sign-ins and for throttling (R-X86, R-X87). */
export function senderOf({ remoteAddress, headers }: Pick<EdgeRequest, "remoteAddress" | "headers">): Sender {
  const { "user-agent": userAgent } = headers;
  return {
    networkAddress: remoteAddress,
    userAgent: typeof userAgent === "string" ? userAgent.slice(0, USER_AGENT_LENGTH_MAX) : "",
  };
}
