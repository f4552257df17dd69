import { type CryptoKey, compactVerify, errors, importJWK, type JWK } from "jose";
import type { TokenSignature } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { isText } from "#runtime/basis/text.ts";
import type { TokenProblem } from "./token-problem.ts";
import type { TokenRecordRepository } from "./token-record-repository.ts";

interface CheckedSignature {
  readonly signature: TokenSignature;
  readonly problems: readonly TokenProblem[];
}

const ALGORITHMS = ["RS256", "ES256"];

/**
 * Result of checking a JWT signature: whether a key of ours made it, retired keys included, and whether that key is
 * still valid.
 */
export async function checkSignature(
  records: TokenRecordRepository,
  token: string,
  header: Readonly<Record<string, unknown>>,
): Promise<CheckedSignature> {
  const algorithm = typeof header.alg === "string" ? header.alg.slice(0, 20) : "none";
  const keyId = typeof header.kid === "string" ? header.kid.slice(0, 100) : "";
  const found = (right: boolean, ...problems: readonly TokenProblem[]): CheckedSignature => ({
    signature: { algorithm, keyId, right },
    problems,
  });
  if (!ALGORITHMS.includes(algorithm))
    return found(false, {
      name: "signature.algorithm",
      sentence: "It is not signed by an algorithm that is ever accepted here (RS256, ES256).",
    });
  // The header is anybody's text, and a store may refuse such text.
  const key = isText(keyId) ? await records.findKey(keyId) : undefined;
  if (key === undefined)
    return found(false, {
      name: "signature.key_unknown",
      sentence: "It was signed by a key that was never this server's. It may come from another environment.",
    });
  if (!(await isRight(token, JSON.parse(key.publicJwk) as JWK, algorithm)))
    return found(false, {
      name: "signature.wrong",
      sentence: "Its signature is wrong: it was changed, cut, or copied with something else.",
    });
  return key.state === "retired"
    ? found(true, {
        name: "signature.key_retired",
        sentence: "The key that signed it is retired or was revoked: no token that it signed is valid any more.",
      })
    : found(true);
}

async function isRight(token: string, jwk: JWK, algorithm: string): Promise<boolean> {
  try {
    const key = (await importJWK(jwk, algorithm)) as CryptoKey;
    await compactVerify(token, key, { algorithms: [algorithm] });
    return true;
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return false;
    throw error;
  }
}
