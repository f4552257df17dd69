import type { GetPersonResponse, SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { digestOf } from "../digest.ts";
import { endOfLink, type PasswordLink, type PasswordLinkEnd } from "./password-link.ts";
import type { PasswordLinkRepository } from "./password-link-repository.ts";
import type { PasswordOwner } from "./password-rules.ts";

export interface LinkProofDeps {
  readonly links: Pick<PasswordLinkRepository, "find">;
  readonly workforce: Pick<PromiseClient<typeof SignInService>, "getPerson">;
  readonly clock: Clock;
}

/** A valid link, and the person whose password it sets. */
export interface ProvenLink {
  readonly link: PasswordLink;
  readonly owner: PasswordOwner;
}

/** The link of a token, or why it is invalid. */
export async function proveLink(
  { links, workforce, clock }: LinkProofDeps,
  token: string,
  call: Pick<Call, "requestId">,
): Promise<ProvenLink | { readonly end: PasswordLinkEnd }> {
  const link = await links.find(digestOf(token));
  if (link === undefined) return { end: "unknown" };
  const person = await findPerson(workforce, link, call);
  const end = endOfLink(link, person && holderOf(person), clock.now());
  if (end !== undefined || person === undefined) return { end: end ?? "withdrawn" };
  const { email, firstName, lastName } = person;
  return { link, owner: { email, firstName: firstName ?? undefined, lastName: lastName ?? undefined } };
}

async function findPerson(
  workforce: LinkProofDeps["workforce"],
  { personId }: PasswordLink,
  { requestId }: Pick<Call, "requestId">,
): Promise<GetPersonResponse | undefined> {
  try {
    return await workforce.getPerson({ key: { $case: "personId", value: personId } }, { requestId });
  } catch (error) {
    if (error instanceof Failure && error.code === "NOT_FOUND") return undefined;
    throw error;
  }
}

const holderOf = ({ disabled, enabledAt, emailChangedAt, state }: GetPersonResponse) => ({
  disabled,
  state,
  enabledAt: enabledAt ?? undefined,
  emailChangedAt: emailChangedAt ?? undefined,
});
