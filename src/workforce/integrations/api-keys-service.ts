import {
  type ApiKey as ApiKeyMessage,
  ApiKeyScope,
  type FindApiKeyRequest,
  type FindApiKeyResponse,
  IssueApiKeyRequest,
  IssueApiKeyResponse,
  type ListApiKeysRequest,
  type ListApiKeysResponse,
  type RevokeApiKeyRequest,
  type RevokeApiKeyResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { isInstant } from "#runtime/basis/day.ts";
import { lowerWordOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { alreadyExists } from "#runtime/basis/errors.ts";
import { newId } from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { readBoundedPage } from "../page.ts";
import { isLimited, RATE_MAX, type RateLimit } from "../rate-limits/rate-limit.ts";
import { type FieldReader, LENGTHS, readFields } from "../request-fields.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { newApiKey, proofOf } from "./api-key.ts";
import { type ApiKeyFilter, type ApiKeyRepository, apiKeyRepository } from "./api-key-repository.ts";
import type { ApiKey } from "./api-key-row.ts";
import { type IntegrationRepository, integrationRepository } from "./integration-repository.ts";
import { DEFAULT_SCOPES, inOrder, type KeyScope } from "./key-scope.ts";

interface ApiKeysDeps {
  readonly apiKeys: ApiKeyRepository;
  readonly integrations: IntegrationRepository;
  readonly changes: WorkforceChanges;
  readonly clock: Clock;
  readonly random: Random;
}

/**
 * Makes a key, which appears only in this answer (R-G11). Several may be live at once. With `check_only` none is made, and
 * only the fields are checked.
 * @throws NOT_FOUND (integration_not_found); ALREADY_EXISTS (api_key_issued) for a repeat, since the secret is not kept
 * (R-G18).
 */
export const issueApiKey =
  ({ changes, clock, random }: ApiKeysDeps) =>
  async (request: IssueApiKeyRequest, call: Call): Promise<IssueApiKeyResponse> => {
    const { integrationId, label, expiresAt, rateLimit, scopes } = readFields((fields) => {
      const expiresAt = request.expiresAt ?? null;
      const mayExpire = expiresAt === null || (expiresAt > clock.now() && isInstant(expiresAt));
      fields.check(mayExpire, "expires_at", "must lie in the future, and before the year 10000");
      fields.optionalText("request_id", request.requestId, LENGTHS.requestId);
      return {
        integrationId:
          request.checkOnly && request.integrationId === ""
            ? undefined
            : fields.id("integration_id", "integration", request.integrationId),
        label: fields.text("label", request.label, LENGTHS.label),
        expiresAt,
        rateLimit: readRateLimit(fields, request.rateLimit),
        scopes: readScopes(fields, request.scopes),
      };
    });
    if (request.checkOnly || integrationId === undefined) return { apiKey: null, secret: "" };
    const [secret, id] = [newApiKey(random), newId("apiKey", random)];
    const identified: IssueApiKeyRequest & { requestId: string } = { ...request, requestId: request.requestId ?? "" };
    const answer = await changes.run(
      async ({ db, at, wrote }) => {
        if (!(await integrationRepository(db).find(integrationId)))
          throw unknownReference("integration", "integration_id", integrationId);
        const apiKey: ApiKey = {
          id,
          integrationId,
          label,
          createdAt: at,
          expiresAt,
          revokedAt: null,
          lastUsedAt: null,
          rateLimit,
          scopes,
        };
        const proof = proofOf(secret);
        if (proof === undefined) throw new Error("A new API key does not have the form of one.");
        await apiKeyRepository(db).create(apiKey, proof);
        const answer: IssueApiKeyResponse = { apiKey: toMessage(apiKey), secret };
        const facts = { integrationId, scopes: scopes.join(" ") };
        return wrote("apiKey.issue", { actor: call.actor, object: id, facts }, answer);
      },
      repeatable(identified, call, IssueApiKeyRequest, WITHOUT_SECRET),
    );
    // A try of this very call has made it, and the answer to its commit was lost (R-X333).
    if (answer.apiKey?.id === id) return { ...answer, secret };
    throw alreadyExists(
      "api_key_issued",
      `This request id has made the key ${answer.apiKey?.id} already, whose secret is not kept. Revoke that one, and send a new request id.`,
    );
  };

/** What is remembered of an answer for repeats: all but the secret (R-G11, R-G18). */
const WITHOUT_SECRET = {
  encode: (answer: IssueApiKeyResponse) => IssueApiKeyResponse.encode({ ...answer, secret: "" }),
  decode: (bytes: Uint8Array) => IssueApiKeyResponse.decode(bytes),
};

/** A key without a limit has no burst either, whatever was said. */
function readRateLimit(fields: FieldReader, given: RateLimit | null): RateLimit | null {
  if (given === null) return null;
  const { perSecond, burst } = given;
  fields.check(perSecond >= 0 && perSecond <= RATE_MAX, "rate_limit.per_second", `must be 0 to ${RATE_MAX}`);
  const burstMatters = isLimited(given);
  fields.check(!burstMatters || (burst >= 1 && burst <= RATE_MAX), "rate_limit.burst", `must be 1 to ${RATE_MAX}`);
  return { perSecond, burst: burstMatters ? burst : 0 };
}

/** Without any, the ones that every key had before there were scopes. */
function readScopes(fields: FieldReader, given: readonly ApiKeyScope[]): readonly KeyScope[] {
  const scopes = given.map((scope) => lowerWordOf(ApiKeyScope, scope));
  fields.check(!scopes.includes(undefined), "scopes", "must be known scopes");
  return given.length === 0 ? DEFAULT_SCOPES : inOrder(scopes.filter((scope) => scope !== undefined));
}

const toMessage = (apiKey: ApiKey): ApiKeyMessage => ({
  ...apiKey,
  scopes: apiKey.scopes.map((scope) => valueOfLower(ApiKeyScope, scope)),
});

/**
 * Refuses the key from now on: it is read again for every request (R-G11). Revoking twice changes nothing.
 * @throws NOT_FOUND (api_key_not_found).
 */
export const revokeApiKey =
  ({ changes }: ApiKeysDeps) =>
  async (request: RevokeApiKeyRequest, call: Call): Promise<RevokeApiKeyResponse> => {
    const { apiKeyId } = readFields((fields) => ({
      apiKeyId: fields.id("api_key_id", "apiKey", request.apiKeyId),
    }));
    return changes.run(
      async ({ db, at, unchanged, wrote }) => {
        const apiKeys = apiKeyRepository(db);
        const revoked = await apiKeys.revoke(apiKeyId, at);
        const apiKey = await apiKeys.find(apiKeyId);
        if (apiKey === undefined) throw unknownReference("api_key", "api_key_id", apiKeyId);
        const answer = { apiKey: toMessage(apiKey) };
        return revoked ? wrote("apiKey.revoke", { actor: call.actor, object: apiKeyId }, answer) : unchanged(answer);
      },
      { requestId: call.requestId },
    );
  };

/**
 * Lists the keys of an integration, or of all, by creation time, then id, a page at a time.
 * @throws NOT_FOUND (integration_not_found).
 */
export const listApiKeys =
  ({ apiKeys, integrations, clock }: ApiKeysDeps) =>
  async (request: ListApiKeysRequest): Promise<ListApiKeysResponse> => {
    const page = readBoundedPage(request, "apiKey");
    const filter = readFields((fields): ApiKeyFilter => {
      const until = request.expiresBefore ?? undefined;
      return {
        ...(request.integrationId !== "" && {
          integrationId: fields.id("integration_id", "integration", request.integrationId),
        }),
        ...(until !== undefined && { expiring: { from: clock.now(), until } }),
      };
    });
    const { integrationId } = filter;
    if (integrationId !== undefined && !(await integrations.find(integrationId)))
      throw unknownReference("integration", "integration_id", integrationId);
    const { entries, next } = cutPage(await apiKeys.list(filter, page), page, (apiKey) => apiKey);
    return { apiKeys: entries.map(toMessage), next };
  };

/**
 * Which key a secret is, an expired or revoked one included; none when its public part or its digest is of no key here.
 * @throws INVALID_ARGUMENT when the text cannot be a key, one that was mistyped or cut included.
 */
export const findApiKey =
  ({ apiKeys }: ApiKeysDeps) =>
  async (request: FindApiKeyRequest): Promise<FindApiKeyResponse> => {
    const proof = readFields((fields) => {
      const proof = proofOf(request.secret.trim());
      fields.check(proof !== undefined, "secret", "must be a whole API key: ghk_ and 60 letters or digits");
      return proof;
    });
    const found = proof && (await apiKeys.findByProof(proof));
    return { apiKey: found === undefined ? null : toMessage(found) };
  };
