import type { PersonId } from "#runtime/basis/ids.ts";
import { readIdTokenHint } from "../../id-tokens/id-token-hint.ts";
import type { AuthorizationRequest } from "../../interactions/interaction.ts";
import { refuse } from "../../refusals/refused.ts";
import type { SigningKeys } from "../../signing-keys/signing-keys.ts";
import type { ParsedRequest } from "./authorization-request.ts";

export interface HintDeps {
  readonly keys: Pick<SigningKeys, "verifier">;
  readonly issuer: string;
}

/**
 * The request with the people who may sign in: the person of its `id_token_hint`, and those of `claims` (OIDC Core
 * §3.1.2.1, §5.5.1). An unreadable hint, for example one whose key was deleted, is ignored. With `prompt=none` it is
 * refused, since the application could not learn whether it is still the same person (R-X108).
 * @throws Refused login_required when no person fits all of these.
 */
export async function withExpectedPerson(
  deps: HintDeps,
  { request, idTokenHint }: ParsedRequest,
): Promise<AuthorizationRequest> {
  const hint = idTokenHint === undefined ? undefined : await readIdTokenHint(deps, idTokenHint);
  if (idTokenHint !== undefined && hint === undefined && request.prompts.includes("none"))
    throw refuse("id_token_hint.unreadable");
  const expectedPersonIds = both(request.expectedPersonIds, hint === undefined ? undefined : [hint.personId]);
  if (expectedPersonIds?.length === 0) throw refuse("session.nobody_asked_for");
  return { ...request, expectedPersonIds };
}

const both = (
  one: readonly PersonId[] | undefined,
  other: readonly PersonId[] | undefined,
): readonly PersonId[] | undefined =>
  one === undefined || other === undefined ? (one ?? other) : one.filter((id) => other.includes(id));
