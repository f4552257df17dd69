import { errors, type JWTPayload, jwtVerify } from "jose";
import type { Clock } from "#runtime/basis/clock.ts";
import type { ApplicationId, PersonId } from "#runtime/basis/ids.ts";
import { parseScopes, type Scope } from "../claims/scopes.ts";
import type { TokenFamily } from "../refresh-tokens/token-family.ts";
import type { TokenFamilyRepository } from "../refresh-tokens/token-family-repository.ts";
import { refuse } from "../refusals/refused.ts";
import type { SigningAlgorithm } from "../signing-keys/signing-key-repository.ts";
import type { SigningKeys } from "../signing-keys/signing-keys.ts";
import type { VerifiedSignature, VerifiedSignatures } from "./verified-signatures.ts";

declare const verified: unique symbol;

/** A verified access token: issued by us, unexpired, not revoked, of a live family. */
export interface VerifiedAccessToken {
  readonly [verified]: true;
  /** The claim `jti`. */
  readonly id: string;
  readonly personId: PersonId;
  readonly applicationId: ApplicationId;
  readonly scopes: readonly Scope[];
  readonly issuedAt: Date;
  readonly expiresAt: Date;
  readonly family: TokenFamily;
}

const ALGORITHMS: readonly SigningAlgorithm[] = ["ES256", "RS256"];
const TOKEN_LENGTH_MAX = 4_096;

export interface VerifyDeps {
  readonly keys: Pick<SigningKeys, "verifier">;
  readonly families: Pick<TokenFamilyRepository, "findLiveBehind">;
  readonly signatures: VerifiedSignatures;
  readonly issuer: string;
  readonly clock: Clock;
}

const invalidToken = (reason: string) => refuse("access_token.invalid", { reason });

/**
 * Verifies an access token: algorithm from a fixed list, key by exact id from our own set, every claim present, canonical encoding, a
 * live family (S32–S34).
 * @throws invalid_token, one answer for every reason.
 */
export async function verifyAccessToken(
  { keys, families, signatures, issuer, clock }: VerifyDeps,
  token: string,
): Promise<VerifiedAccessToken> {
  if (token.length > TOKEN_LENGTH_MAX) throw invalidToken("too long for a token of ours");
  const { scope, jti, ...payload } = await payloadOf({ keys, signatures, issuer, clock }, token);
  if (typeof scope !== "string" || typeof jti !== "string") throw invalidToken("scope or jti is no text");
  // jose compares any JSON number, even one like 1e999 that is not an instant.
  if (!Number.isSafeInteger(payload.iat) || !Number.isSafeInteger(payload.exp))
    throw invalidToken("iat or exp is no second");
  const scopes = parseScopes(scope);
  const family = await families.findLiveBehind(jti, clock.now());
  if (family === undefined) throw refuse("family.not_live");
  if (scopes === undefined || family.personId !== payload.sub || family.applicationId !== payload.client_id) {
    throw invalidToken("the claims do not fit the family");
  }
  return {
    id: jti,
    personId: family.personId,
    applicationId: family.applicationId,
    scopes,
    issuedAt: new Date(Number(payload.iat) * 1000),
    expiresAt: new Date(Number(payload.exp) * 1000),
    family,
  } as VerifiedAccessToken;
}

type SignatureDeps = Omit<VerifyDeps, "families">;

/** The claims of a token with a right signature. One that was verified before must still have its key and its time. */
async function payloadOf(deps: SignatureDeps, token: string): Promise<JWTPayload> {
  const { keys, signatures, clock } = deps;
  const known = signatures.find(token);
  if (known === undefined) {
    // One that is remembered was signed here, or came by this check before.
    if (!isCanonical(token)) throw invalidToken("not a canonical compact JWS");
    const verified = await verifySignature(deps, token);
    signatures.remember(token, verified);
    return verified.payload;
  }
  await keyOf(keys, known.header);
  // As jose compares: in whole seconds.
  if (Number(known.payload.exp) <= Math.floor(clock.now().getTime() / 1000)) throw refuse("access_token.expired");
  return known.payload;
}

/** @throws invalid_token for any key but one of ours, by its exact id and for its own algorithm (S32). */
async function keyOf(keys: VerifyDeps["keys"], { kid, alg }: VerifiedSignature["header"]) {
  const algorithm = ALGORITHMS.find((candidate) => candidate === alg);
  const key = typeof kid !== "string" || algorithm === undefined ? undefined : await keys.verifier(kid, algorithm);
  if (key === undefined) throw refuse("access_token.key_unknown");
  return key;
}

async function verifySignature({ keys, issuer, clock }: SignatureDeps, token: string): Promise<VerifiedSignature> {
  try {
    const { payload, protectedHeader } = await jwtVerify(token, (header) => keyOf(keys, header), {
      algorithms: [...ALGORITHMS],
      issuer,
      audience: issuer,
      typ: "at+jwt",
      requiredClaims: ["iss", "sub", "aud", "client_id", "scope", "iat", "exp", "jti"],
      currentDate: clock.now(),
    });
    return { payload, header: protectedHeader };
  } catch (error) {
    if (error instanceof errors.JOSEError) throw refusedBy(error);
    throw error;
  }
}

/** Why jose rejects a token, by the class of its error; classes without a row fall back to jose's code. */
function refusedBy(error: errors.JOSEError) {
  if (error instanceof errors.JWTExpired) return refuse("access_token.expired");
  if (error instanceof errors.JWSSignatureVerificationFailed) return refuse("access_token.signature_wrong");
  if (error instanceof errors.JWTClaimValidationFailed) return refuse("access_token.claims_wrong");
  return invalidToken(error.code);
}

/** Three parts, each the one spelling of its bytes: Node's decoder would ignore junk and stray bits (S34). */
function isCanonical(token: string): boolean {
  const parts = token.split(".");
  return (
    parts.length === 3 &&
    parts.every((part) => part !== "" && Buffer.from(part, "base64url").toString("base64url") === part)
  );
}
