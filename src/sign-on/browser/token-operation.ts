import {
  ApplicationAuthentication,
  type ApplicationCredentials,
  type IntrospectTokenRequest,
  type RevokeTokenRequest,
} from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { AnyReply, BrokenRequest, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import type { CallOptions } from "#runtime/rpc/call.ts";
import { type CredentialParameters, given, toCredentials } from "../applications/application-credentials-wire.ts";
import type { OAuthErrorCode } from "../refusals/check.ts";
import { toErrorWire } from "../refusals/error-wire.ts";
import { Refused, refuse } from "../refusals/refused.ts";
import { authorizationOf, edgeCall, fieldsOf } from "./edge-call.ts";
import { CROSS_ORIGIN, type OAuthTools, oauthFault, oauthRefusal } from "./oauth-error.ts";

interface FromApplication {
  readonly application: ApplicationCredentials | null;
}

/** An endpoint that applications authenticate at: reads the body, calls services once, and returns their answer. */
interface TokenEndpoint<Body, Message extends FromApplication, Answer, Shown extends AnyReply> {
  readonly tools: OAuthTools;
  /** The parameters of the endpoint, read from the body only. */
  readonly parameters: readonly string[];
  /** Which failed authentications get 401 and a challenge in place of 400; unless given, those by a header. With `always`, none at all is one. */
  readonly challenged?: "always";
  /** @throws Refused when the application's credentials do not have the form of R-S2. */
  read(body: Body, authorization: string | undefined): Message;
  ask(message: Message, call: CallOptions): Promise<Answer>;
  show(answer: Answer): Shown;
  /** Refuses a readable body that violates the contract, in one sentence about its first mistake. */
  explain(fields: Readonly<Record<string, unknown>>): Refused<OAuthErrorCode>;
}

export function tokenOperation<Body, Message extends FromApplication, Answer, Shown extends AnyReply>(
  endpoint: TokenEndpoint<Body, Message, Answer, Shown>,
) {
  const { tools, parameters, explain } = endpoint;
  return {
    async handle(request: EdgeRequest & { readonly body: Body }) {
      const misplaced = whatIsMisplaced(request, parameters);
      if (misplaced !== undefined) return refusedReply(misplaced, request, tools, false);
      const authorization = authorizationOf(request);
      const challenged = endpoint.challenged === "always" || authorization !== undefined;
      try {
        const message = endpoint.read(request.body, authorization);
        const answer = await endpoint.ask(message, edgeCall(request));
        return { ...endpoint.show(answer), caller: authenticated(message) };
      } catch (error) {
        // A refusal by services arrives as a plain failure, and services have noted it.
        if (isOAuthRefused(error)) return refusedReply(error, request, tools, challenged);
        return failedCall(error, request, tools, challenged);
      }
    },
    async invalid(request: BrokenRequest, parts: readonly InvalidPart[]) {
      const unreadable = whatIsMisplaced(request, parameters) ?? whyUnreadable(request, parts);
      return refusedReply(unreadable ?? explain(fieldsOf(request)), request, tools, false);
    },
  };
}

/** The application that a message which services accepted had the secret of (R-X432); a public one proves nothing by its id. */
const authenticated = ({ application }: FromApplication): string | undefined =>
  application?.authentication === ApplicationAuthentication.NONE ? undefined : application?.applicationId;

/** The parameters of revocation and introspection. */
const TOKEN_REFERENCE = ["token", "token_type_hint", "client_id", "client_secret"] as const;

type TokenReference = Pick<RevokeTokenRequest & IntrospectTokenRequest, "application" | "token">;

/** An endpoint that is asked about one token (RFC 7009, RFC 7662). */
export const tokenReferenceOperation = <Answer, Shown extends AnyReply>(
  endpoint: Pick<TokenEndpoint<unknown, TokenReference, Answer, Shown>, "tools" | "challenged" | "ask" | "show">,
) =>
  tokenOperation({
    ...endpoint,
    parameters: TOKEN_REFERENCE,
    read(body: CredentialParameters & { readonly token: string }, authorization) {
      const isAbsent = authorization === undefined && given(body.client_id) === undefined;
      // A missing authentication has failed too (RFC 6749 §5.2); elsewhere client_id may be the only one (R-S2).
      if (isAbsent && endpoint.challenged === "always") throw refuse("application.absent");
      return { application: toCredentials(body, authorization), token: body.token };
    },
    explain: (fields) => withoutText(fields, ["token"]),
  });

/** Refuses a body whose required text is missing or has another type. */
export const withoutText = (fields: Readonly<Record<string, unknown>>, names: readonly string[]) => {
  const missing = names.find((name) => fields[name] === undefined || fields[name] === "");
  return missing === undefined ? refuse("parameter.no_text") : refuse("parameter.missing", { name: missing });
};

/**
 * Refuses parameters in the address. Others log and store addresses, so a secret in one is exposed (S31, RFC 6749
 * §2.3.1).
 */
function whatIsMisplaced({ rawQuery, countOf }: EdgeRequest, names: readonly string[]) {
  const query = rawQuery === "" ? undefined : new URLSearchParams(rawQuery);
  const name = names.find((candidate) => query?.has(candidate));
  if (name !== undefined) return refuse("parameter.in_address", { name });
  return countOf("authorization") > 1 ? refuse("authorization_header.repeated") : undefined;
}

/** Refuses a body that is unreadable, or is JSON without names (R-S1); `undefined` for one that has parameters. */
function whyUnreadable({ body }: BrokenRequest, [first]: readonly InvalidPart[]) {
  if (first?.in === "header")
    return refuse("body.media_type", { types: "application/json or application/x-www-form-urlencoded" });
  if (first?.name === "/" && body === undefined) return refuse("body.malformed", { problem: first.detail });
  const hasNoNames = body === null || Array.isArray(body) || !["object", "undefined"].includes(typeof body);
  return hasNoNames ? refuse("body.malformed", { problem: "must be one flat JSON object" }) : undefined;
}

const isOAuthRefused = (error: unknown): error is Refused<OAuthErrorCode> =>
  error instanceof Refused && oauthRefusal(error) !== undefined;

/** The answer to a refusal that the edge decides by itself. */
const refusedReply = (
  refused: Refused<OAuthErrorCode>,
  request: EdgeRequest,
  tools: OAuthTools,
  challenged: boolean,
) => ({
  ...errorReply(refused.error, refused.sentence, request, tools, challenged),
  refused,
});

/** The answer to a failed call of an application: the refusal that services decided, or a fault of Gatehouse. */
function failedCall(error: unknown, request: EdgeRequest, tools: OAuthTools, challenged: boolean) {
  const refusal = oauthRefusal(error);
  return refusal === undefined
    ? oauthFault(error, request, tools)
    : errorReply(refusal.code, refusal.description, request, tools, challenged);
}

const BASIC_CHALLENGE = 'Basic realm="sign-on", charset="UTF-8"';

/** Answers an error, and a failed authentication of the application with its challenge (RFC 6749 §5.2). */
function errorReply(
  error: OAuthErrorCode,
  sentence: string,
  { requestId }: EdgeRequest,
  { issuer }: OAuthTools,
  challenged: boolean,
) {
  const body = toErrorWire(error, sentence, { requestId, issuer });
  return error === "invalid_client" && challenged ? unauthenticated(body) : badRequest(body);
}

/** 400, as RFC 6749 §5.2 asks. */
const badRequest = (body: ReturnType<typeof toErrorWire>) => ({ status: 400, headers: CROSS_ORIGIN, body }) as const;

/** 401 with the challenge that belongs to it. */
const unauthenticated = (body: ReturnType<typeof toErrorWire>) =>
  ({ status: 401, headers: { ...CROSS_ORIGIN, "www-authenticate": BASIC_CHALLENGE }, body }) as const;
