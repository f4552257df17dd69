import { createHash } from "node:crypto";
import type { PersonId } from "#runtime/basis/ids.ts";
import { digestOf, sameDigest } from "../digest.ts";

/**
 * The page that a token is for; a consent token is also bound to the person who was asked. It is not bound to the
 * session: the same person may have entered the password again in another tab, and the page in this tab must still
 * work.
 */
export type FormPurpose =
  | { readonly page: "login" | "set-password" }
  | { readonly page: "consent"; readonly personId: PersonId };

/**
 * The token of a form: derived from the interaction's secret, which only this browser has and no page shows. So nothing
 * is stored, and a planted token never matches (S10).
 */
export function formToken(interactionId: string, interactionSecret: string, purpose: FormPurpose): string {
  const hash = createHash("sha256").update(`form token\n${purpose.page}\n${interactionId}\n${interactionSecret}\n`);
  if (purpose.page === "consent") hash.update(purpose.personId);
  return hash.digest("base64url");
}

export const isFormToken = (given: string, expected: string): boolean =>
  sameDigest(digestOf(given), digestOf(expected));
