import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { AnyOperation, AnyReply, EdgeRequest } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { AskedRequest } from "./edge-call.ts";

type Origins = Pick<PromiseClient<typeof TokensService>, "checkOrigin">;

/** For public documents: pages of every origin may read them. */
export const ANY_ORIGIN = { "access-control-allow-origin": "*" } as const;

const READABLE = { "access-control-expose-headers": "x-request-id, www-authenticate, retry-after" } as const;

/** For a refusal or a fault instead of a public document: pages of every origin may read why, and when to ask again. */
export const READABLE_BY_ALL = { ...ANY_ORIGIN, ...READABLE } as const;

/**
 * Lets pages read the answers of an operation. If the request names an application, authenticated or not, these are
 * pages of that application's registered origins; otherwise pages of any registered origin, so that they can read the
 * refusal (R-S15, RFC 9700 §2.6). These operations ignore cookies, and credentials are never allowed.
 */
export function forRegisteredOrigins<O extends AnyOperation>(
  operation: O,
  origins: Origins,
  applicationOf: (request: AskedRequest) => string | undefined,
): O {
  const withAllowedOrigin = async (request: AskedRequest, reply: Promise<AnyReply>): Promise<AnyReply> => {
    const [answer, readable] = await Promise.all([reply, isReadable(origins, request, applicationOf)]);
    const { origin } = request.headers;
    const allowed = readable ? { ...READABLE, "access-control-allow-origin": String(origin) } : {};
    return { ...answer, headers: { ...answer.headers, vary: "Origin", ...allowed } };
  };
  return {
    ...operation,
    handle: (request: never) => withAllowedOrigin(request, operation.handle(request)),
    invalid: (request, parts) => withAllowedOrigin(request, operation.invalid(request, parts)),
  } satisfies AnyOperation as AnyOperation as O;
}

async function isReadable(
  origins: Origins,
  request: AskedRequest,
  applicationOf: (request: AskedRequest) => string | undefined,
): Promise<boolean> {
  const { origin } = request.headers;
  if (typeof origin !== "string" || request.countOf("origin") !== 1) return false;
  return isRegistered(origins, origin, request, applicationOf(request));
}

const ORIGIN_LENGTH_MAX = 300;

/** False for text that no browser sends as an origin (`null` included), and when services cannot be asked. */
export async function isRegistered(
  origins: Origins,
  origin: string,
  { requestId, trace }: Pick<EdgeRequest, "requestId" | "trace">,
  applicationId?: string,
): Promise<boolean> {
  if (origin.length > ORIGIN_LENGTH_MAX || !URL.canParse(origin) || new URL(origin).origin !== origin) return false;
  try {
    const asked = { origin, applicationId: applicationId ?? null };
    return (await origins.checkOrigin(asked, { requestId, metadata: trace })).registered;
  } catch (error) {
    if (error instanceof Failure) return false;
    throw error;
  }
}
