import type { Clock } from "#runtime/basis/clock.ts";
import type { ApiKeyId, IntegrationId } from "#runtime/basis/ids.ts";
import type { LastUses } from "#runtime/process/last-uses.ts";
import type { Call, Implementation, ServiceDefinition } from "#runtime/rpc/call.ts";
import { rateLimited, scopeMissing, unauthenticated } from "../failures.ts";
import { isLimited, type RateLimit } from "../rate-limits/rate-limit.ts";
import { toRateMetadata } from "../rate-limits/rate-limit-wire.ts";
import type { RateLimiter } from "../rate-limits/rate-limiter.ts";
import { digestsMatch, parseProofMetadata, toCallerMetadata } from "./api-key.ts";
import type { CallingKey, CallingKeyRepository } from "./calling-key-repository.ts";
import type { KeyScope } from "./key-scope.ts";
import { pathOf, type Reach, type RequestPath } from "./reach.ts";
import { assertStillReached } from "./reachable.ts";

/** The integration on whose behalf a call is made, proven by its key. */
interface Caller {
  readonly integrationId: IntegrationId;
  readonly apiKeyId: ApiKeyId;
  readonly apiKeyLabel: string;
}

/** A caller that is admitted, and what it reaches of what the request names. */
interface Admitted {
  readonly caller: Caller;
  readonly reach: Reach;
}

/** A call whose caller is proven. Only `provingCaller` makes one. */
export interface GatewayCall extends Call, Admitted {}

export interface CallerDeps {
  readonly callingKeys: CallingKeyRepository;
  readonly clock: Clock;
  readonly limiter: RateLimiter;
  /** Of keys that were issued without a limit of their own. */
  readonly rateLimit: RateLimit;
  readonly keyUses: LastUses<ApiKeyId, Date>;
}

/** Compared with when there is no key, so that the work is the same. */
const NO_DIGEST = Buffer.alloc(32);

/**
 * Admits a call: its key is proven, it is within the key's rate limit, and the key has the scope (R-G2, R-X295). The
 * edge gets the key's remaining rate, also when the call is refused. A request that was admitted before and has waited
 * since is not counted again.
 * @throws UNAUTHENTICATED, which costs nothing of the limit; RESOURCE_EXHAUSTED (rate_limited); PERMISSION_DENIED
 * (scope_missing).
 */
export async function admit(
  deps: CallerDeps,
  call: Call,
  scope: KeyScope,
  path: RequestPath,
  isAgain = false,
): Promise<Admitted> {
  const { apiKey, reach } = await proveKey(deps, call, path);
  if (!isAgain) call.reply(toCallerMetadata(apiKey.id));
  const limit = apiKey.rateLimit ?? deps.rateLimit;
  if (!isAgain && isLimited(limit)) {
    const allowance = await deps.limiter.take(apiKey.id, limit);
    call.reply(toRateMetadata(limit, allowance));
    if (!allowance.granted) throw rateLimited(allowance.retryAfterSeconds, apiKey.id);
  }
  if (!apiKey.scopes.includes(scope)) throw scopeMissing(scope, apiKey.id);
  deps.keyUses.note(apiKey.id, deps.clock.now());
  const caller = { integrationId: apiKey.integrationId, apiKeyId: apiKey.id, apiKeyLabel: apiKey.label };
  return { caller, reach };
}

/**
 * Finds whose key the call carries, and what it reaches; one read by the look-up part (R-X332), and none where the same key was
 * accepted for the same path since the last commit. Kept keys are found by the digest of the whole key, so that the time shows
 * nothing to somebody without it, and refused ones are not kept.
 * @throws UNAUTHENTICATED, the same for a missing, unknown, expired and revoked key (R-G2, R-G15).
 */
async function proveKey({ callingKeys, clock }: CallerDeps, call: Call, path: RequestPath): Promise<CallingKey> {
  const proof = parseProofMetadata(call.metadata);
  if (proof === undefined) throw unauthenticated("api_key.missing");
  const accepted = callingKeys.accepted();
  const name = `${proof.digest.toString("latin1")} ${path.instanceIntegrationId} ${path.tenantId}`;
  const found = accepted?.get(name) ?? (await callingKeys.find(proof.lookUp, path));
  const matches = digestsMatch(found?.digest ?? NO_DIGEST, proof.digest);
  if (found === undefined || !matches) throw unauthenticated("api_key.unknown");
  const { id, expiresAt, revokedAt } = found.apiKey;
  if (revokedAt !== null) throw unauthenticated("api_key.revoked", id);
  if (expiresAt !== null && clock.now() >= expiresAt) throw unauthenticated("api_key.expired", id);
  accepted?.keep(name, found);
  return found;
}

/**
 * Puts the proof of the caller, the limit of its key and the scope `read` before every method of a service, so that none
 * can be reached without. A stream lasts as long as its client takes: the proof comes again after each further reply is read
 * and before it is sent, so that nothing is shown to a key, or of a tenant, that has ended meanwhile (R-X427).
 */
export function provingCaller<S extends ServiceDefinition>(
  deps: CallerDeps,
  definition: S,
  methods: Implementation<S, GatewayCall>,
): Implementation<S> {
  // The call stays the object it is: its signal is made by itself when somebody asks for it.
  const prove = async (request: object, call: Call): Promise<GatewayCall> =>
    Object.assign(call, await admit(deps, call, "read", pathOf(request)));
  const unary = (method: UnaryMethod) => async (request: never, call: Call) =>
    method(request, await prove(request, call));
  const streaming = (method: StreamingMethod) =>
    async function* (request: never, call: Call) {
      const proven = await prove(request, call);
      let isFirst = true;
      for await (const reply of method(request, proven)) {
        if (!isFirst) {
          const { reach } = await admit(deps, call, "read", pathOf(request), true);
          assertStillReached(proven.reach, reach);
        }
        isFirst = false;
        yield reply;
      }
    };
  const proven = Object.entries(methods).map(([name, method]) => [
    name,
    definition[name]?.responseStream ? streaming(method as StreamingMethod) : unary(method as UnaryMethod),
  ]);
  return Object.fromEntries(proven) as Implementation<S>;
}

type UnaryMethod = (request: never, call: GatewayCall) => Promise<unknown>;
type StreamingMethod = (request: never, call: GatewayCall) => AsyncIterable<unknown>;
