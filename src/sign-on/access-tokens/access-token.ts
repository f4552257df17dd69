import type { ApplicationId, PersonId } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Scope } from "../claims/scopes.ts";
import { type JwtSigner, signJwt } from "../signing-keys/signing-keys.ts";
import type { VerifiedSignatures } from "./verified-signatures.ts";

/** The claims of an access token (RFC 9068 §2.2, R-S12): nothing about the person but the subject. */
interface AccessTokenClaims {
  readonly iss: string;
  readonly sub: PersonId;
  /** The issuer: the userinfo endpoint is the resource. */
  readonly aud: string;
  readonly client_id: ApplicationId;
  readonly scope: string;
  /** Unix seconds, like `exp`. */
  readonly iat: number;
  readonly exp: number;
  /** Family id, dot, random: a token is valid only while its family is (R-S11), and needs no row of its own. */
  readonly jti: string;
}

interface AccessTokenContent {
  readonly issuer: string;
  readonly personId: PersonId;
  readonly applicationId: ApplicationId;
  readonly familyId: string;
  readonly scopes: readonly Scope[];
  readonly issuedAt: Date;
  readonly lifetimeSeconds: number;
}

/** Signs an access token, and remembers its signature as verified: an application often asks for userinfo at once. */
export async function signAccessToken(
  content: AccessTokenContent,
  {
    signer,
    random,
    signatures,
  }: {
    readonly signer: JwtSigner;
    readonly random: Random;
    readonly signatures: Pick<VerifiedSignatures, "remember">;
  },
): Promise<string> {
  const iat = Math.floor(content.issuedAt.getTime() / 1000);
  const claims: AccessTokenClaims = {
    iss: content.issuer,
    sub: content.personId,
    aud: content.issuer,
    client_id: content.applicationId,
    scope: content.scopes.join(" "),
    iat,
    exp: iat + content.lifetimeSeconds,
    jti: `${content.familyId}.${newSecret(random).slice(0, 16)}`,
  };
  const payload = { ...claims };
  const token = await signJwt(payload, signer, "at+jwt");
  signatures.remember(token, { header: { kid: signer.keyId, alg: signer.algorithm }, payload });
  return token;
}
