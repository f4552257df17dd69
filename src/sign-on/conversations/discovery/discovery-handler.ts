import { hash } from "node:crypto";
import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import { matchesEntityTag, passesIfMatch } from "#runtime/http/entity-tag.ts";
import type { BrokenRequest, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { ANY_ORIGIN, READABLE_BY_ALL } from "../../browser/cross-origin.ts";
import { edgeCall } from "../../browser/edge-call.ts";
import { NO_STORE, type OAuthTools, oauthFault } from "../../browser/oauth-error.ts";
import { toErrorWire } from "../../refusals/error-wire.ts";
import { refuse } from "../../refusals/refused.ts";
import { toJwks, toOpenidConfiguration } from "./discovery-wire.ts";

/** Digest of the document, equal in all processes. */
const entityTagOf = (body: object): string => `"${hash("sha256", JSON.stringify(body), "base64url").slice(0, 22)}"`;

const refusal = (refused: ReturnType<typeof refuse<"request.malformed">>, requestId: string, issuer: string) => {
  const body = toErrorWire(refused.error, refused.sentence, { requestId, issuer });
  return { headers: { ...NO_STORE, ...READABLE_BY_ALL }, body, refused } as const;
};

const malformed =
  (issuer: string) =>
  async ({ requestId }: BrokenRequest) =>
    ({ status: 400, ...refusal(refuse("request.malformed"), requestId, issuer) }) as const;

interface DiscoveryOptions {
  readonly issuer: string;
  readonly grantTypes: readonly string[];
  /** Of the pages, as BCP 47 tags. */
  readonly languages: readonly string[];
  readonly maxAgeSeconds: number;
}

/**
 * GET /.well-known/openid-configuration. Built once; nothing in it depends on the request, in particular not on its
 * Host header (S36).
 */
export function getOpenidConfigurationOperation({
  issuer,
  grantTypes,
  languages,
  maxAgeSeconds,
}: DiscoveryOptions): Operation<operations["getOpenidConfiguration"]> {
  const body = toOpenidConfiguration(issuer, grantTypes, languages);
  const headers = { "cache-control": `public, max-age=${maxAgeSeconds}`, ...ANY_ORIGIN };
  return { handle: async () => ({ status: 200, headers, body }), invalid: malformed(issuer) };
}

/** GET /.well-known/oauth-authorization-server: the same document where OAuth looks for it (RFC 8414 §3). */
export const getAuthorizationServerMetadataOperation = (
  options: DiscoveryOptions,
): Operation<operations["getAuthorizationServerMetadata"]> => getOpenidConfigurationOperation(options);

/** GET /.well-known/jwks.json; 304 when the caller has the current one, 412 when `If-Match` names another (RFC 9110 §13.1). */
export const getJwksOperation = (
  tokens: PromiseClient<typeof TokensService>,
  tools: OAuthTools,
): Operation<operations["getJwks"]> => ({
  async handle(request) {
    try {
      const reply = await tokens.getJwks({}, edgeCall(request));
      const body = toJwks(reply);
      const entityTag = entityTagOf(body);
      const headers = {
        "cache-control": `public, max-age=${reply.maxAgeSeconds}`,
        etag: entityTag,
        ...ANY_ORIGIN,
        "access-control-expose-headers": "etag, x-request-id",
      } as const;
      if (!passesIfMatch(request.headers["if-match"], entityTag))
        return { status: 412, ...refusal(refuse("request.precondition_failed"), request.requestId, tools.issuer) };
      if (matchesEntityTag(request.headers["if-none-match"], entityTag)) return { status: 304, headers };
      return { status: 200, headers, body };
    } catch (error) {
      const fault = oauthFault(error, request, tools);
      // Written twice, so that each status keeps its own headers in the types.
      return fault.status === 503
        ? { ...fault, headers: { ...fault.headers, ...READABLE_BY_ALL } }
        : { ...fault, headers: { ...fault.headers, ...READABLE_BY_ALL } };
    }
  },
  invalid: malformed(tools.issuer),
});
