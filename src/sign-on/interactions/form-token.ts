import { createHash } from "node:crypto";
import { digestOf, sameDigest } from "../digest.ts";

/** Which page a token is for; a consent token is also bound to the session that was asked. */
export type FormPurpose = { readonly page: "login" } | { readonly page: "consent"; readonly sessionDigest: Buffer };

/**
 * The token of a form: derived from the interaction's secret, which only this browser has and no page shows, so nothing is stored and a
 * token planted by somebody else never fits (S10).
 */
export function formToken(interactionId: string, interactionSecret: string, purpose: FormPurpose): string {
  const hash = createHash("sha256").update(`form token\n${purpose.page}\n${interactionId}\n${interactionSecret}\n`);
  if (purpose.page === "consent") hash.update(purpose.sessionDigest);
  return hash.digest("base64url");
}

export const isFormToken = (given: string, expected: string): boolean =>
  sameDigest(digestOf(given), digestOf(expected));
