import type { SetPasswordRequest, SetPasswordResponse } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { invalidArgument } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { assertNotErased } from "./erased-person.ts";
import type { PasswordChange } from "./password-change-service.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN, type PasswordFlaw, passwordFlaw } from "./password-rules.ts";

interface CredentialsDeps {
  readonly passwordChange: PasswordChange;
  readonly workforce: PromiseClient<typeof SignInService>;
}

const REASONS: Readonly<Record<PasswordFlaw, string>> = {
  too_short: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
  too_long: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
  pattern: "must not be one piece repeated, or a row of the alphabet or the keyboard",
  common: "must not be a common password with little beside it",
  personal: "must not be made of the person's name or address, or of gatehouse, with little beside it",
};

/**
 * Sets a person's password; every session, unspent code, token family and link of the person ends with the old one (R-S20).
 * @throws INVALID_ARGUMENT for a malformed id or a password that breaks a rule (R-X15, R-X95); NOT_FOUND (person_not_found);
 * FAILED_PRECONDITION (erased).
 */
export const setPassword =
  ({ passwordChange, workforce }: CredentialsDeps) =>
  async ({ personId, password }: SetPasswordRequest, call: Call): Promise<SetPasswordResponse> => {
    const id = parseId("person", personId);
    if (id === undefined) throw invalidArgument(idViolations("person", "person_id", personId));
    const key = { $case: "personId", value: id } as const;
    const person = await workforce.getPerson({ key }, { requestId: call.requestId });
    assertNotErased(person);
    const { email, firstName, lastName } = person;
    const owner = { email, firstName: firstName ?? undefined, lastName: lastName ?? undefined };
    const flaw = passwordFlaw(password, owner);
    if (flaw !== undefined) throw invalidArgument([{ field: "password", reason: REASONS[flaw] }]);
    const given = {
      personId: id,
      password,
      actor: call.actor,
      by: "operator",
      stillAllowed: async () => true,
    } as const;
    await passwordChange.set(given, call);
    return {};
  };
