import type {
  CreatePasswordLinkRequest,
  CreatePasswordLinkResponse,
} from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import { PasswordLinkPurpose as PurposeMessage } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import type { PersonId } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { isUniqueViolation } from "#runtime/database/database.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { digestOf } from "../digest.ts";
import { personKeyViolations } from "../person-key.ts";
import type { SignOnTables } from "../tables.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import { assertNotErased } from "./erased-person.ts";
import { PASSWORD_LINK_LIFETIME_MS, type PasswordLinkPurpose, passwordLinkUrl } from "./password-link.ts";
import type { PasswordLinkRepository } from "./password-link-repository.ts";

interface PasswordLinksDeps {
  readonly changes: Changes<SignOnTables>;
  readonly credentials: Pick<CredentialRepository, "findPasswordHash">;
  readonly links: PasswordLinkRepository;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly issuer: string;
  readonly random: Random;
}

const WITHOUT_PURPOSE = {
  field: "purpose",
  reason: "must be PASSWORD_LINK_PURPOSE_INVITATION or PASSWORD_LINK_PURPOSE_RESET",
};

/**
 * Makes a link by which the person sets a password (R-S19), and withdraws the previous one. Only its digest is stored.
 * @throws INVALID_ARGUMENT for a malformed key, or without a purpose; NOT_FOUND (person_not_found); FAILED_PRECONDITION (erased,
 * person_disabled, password_exists).
 */
export const createPasswordLink =
  (deps: PasswordLinksDeps) =>
  async ({ key, purpose: named }: CreatePasswordLinkRequest, call: Call): Promise<CreatePasswordLinkResponse> => {
    const purpose = lowerWordOf(PurposeMessage, named);
    const violations = [...personKeyViolations(key), ...(purpose === undefined ? [WITHOUT_PURPOSE] : [])];
    if (purpose === undefined || violations.length > 0) throw invalidArgument(violations);
    const person = await deps.workforce.getPerson({ key }, { requestId: call.requestId });
    const personId = person.personId as PersonId;
    assertNotErased(person);
    if (person.disabled) throw personDisabled();
    if (purpose === "invitation" && (await deps.credentials.findPasswordHash(personId)) !== undefined)
      throw passwordExists();
    const token = newSecret(deps.random);
    const expiresAt = await store(
      deps,
      { digest: digestOf(token), personId, purpose, personState: person.state },
      call,
    );
    return { personId, link: passwordLinkUrl(deps.issuer, token), expiresAt };
  };

interface NewLink {
  readonly digest: Buffer;
  readonly personId: PersonId;
  readonly purpose: PasswordLinkPurpose;
  readonly personState: string;
}

/**
 * When two links for one person are made at once, the second sees the first only after its commit and is made again;
 * the later link is the valid one.
 */
async function store(deps: PasswordLinksDeps, link: NewLink, call: Call): Promise<Date> {
  const { changes, links } = deps;
  const { personId, purpose } = link;
  try {
    return await changes.run(
      async ({ db, at, audit }) => {
        const expiresAt = new Date(at.getTime() + PASSWORD_LINK_LIFETIME_MS);
        await links.withdrawAllOf(db, personId, at);
        await links.create(db, { ...link, createdAt: at, expiresAt });
        await audit({ actor: call.actor, action: "passwordLink.create", object: personId, facts: { purpose } });
        return expiresAt;
      },
      { requestId: call.requestId },
    );
  } catch (error) {
    if (isUniqueViolation(error)) return store(deps, link, call);
    throw error;
  }
}

const personDisabled = () =>
  failedPrecondition("person_disabled", "The person is disabled. Enable the person first, then make the link.");

const passwordExists = () =>
  failedPrecondition(
    "password_exists",
    "The person has a password already. Make a link for a reset instead: gatehouse people reset.",
  );
