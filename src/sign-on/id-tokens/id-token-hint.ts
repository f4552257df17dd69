import { compactVerify, errors, type JWTHeaderParameters } from "jose";
import { type ApplicationId, type PersonId, parseId } from "#runtime/basis/ids.ts";
import type { SigningKeys } from "../signing-keys/signing-keys.ts";

/** The person, application and session of an ID token of ours, possibly an expired one. */
interface IdTokenHint {
  readonly personId: PersonId;
  readonly applicationId: ApplicationId;
  /** The session it was issued in; ID tokens from before `sid` existed lack it. */
  readonly sid: string | undefined;
}

/** In characters, as many as a form can bring (R-X31): an ID token names every seat of its person. */
export const HINT_LENGTH_MAX = 65_536;

/**
 * Reads an `id_token_hint`: one of our ID tokens, unchanged, expired or not, also when its key is retired by now (OIDC
 * Core §3.1.2.1, RP-Initiated Logout §2). `undefined` for anything else: unsigned, signed by an unknown or revoked key,
 * another kind of token, or no token.
 */
export async function readIdTokenHint(
  { keys, issuer }: { readonly keys: Pick<SigningKeys, "hintVerifier">; readonly issuer: string },
  hint: string,
): Promise<IdTokenHint | undefined> {
  if (!isCanonical(hint)) return undefined;
  const claims = await verifiedClaims(keys, hint);
  if (claims === undefined || claims.iss !== issuer) return undefined;
  const personId = typeof claims.sub === "string" ? parseId("person", claims.sub) : undefined;
  const applicationId = typeof claims.aud === "string" ? parseId("application", claims.aud) : undefined;
  if (personId === undefined || applicationId === undefined) return undefined;
  return { personId, applicationId, sid: typeof claims.sid === "string" ? claims.sid : undefined };
}

async function verifiedClaims(
  keys: Pick<SigningKeys, "hintVerifier">,
  hint: string,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  const keyOf = async ({ kid }: Partial<JWTHeaderParameters>) => {
    const key = typeof kid === "string" ? await keys.hintVerifier(kid, "RS256") : undefined;
    if (key === undefined) throw new errors.JWKSNoMatchingKey();
    return key;
  };
  try {
    const { payload, protectedHeader } = await compactVerify(hint, keyOf, { algorithms: ["RS256"] });
    // Access tokens can be RS256 too; only the type distinguishes them (RFC 9068 §2.1).
    if (protectedHeader.typ !== "JWT") return undefined;
    const claims: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(payload));
    return typeof claims === "object" && claims !== null ? { ...claims } : undefined;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof SyntaxError || error instanceof TypeError)
      return undefined;
    throw error;
  }
}

/** Three parts, each the one spelling of its bytes (S34). */
function isCanonical(hint: string): boolean {
  const parts = hint.split(".");
  return (
    hint.length <= HINT_LENGTH_MAX &&
    parts.length === 3 &&
    parts.every((part) => part !== "" && Buffer.from(part, "base64url").toString("base64url") === part)
  );
}
