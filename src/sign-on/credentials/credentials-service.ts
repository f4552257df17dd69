import type { SetPasswordRequest, SetPasswordResponse } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { invalidArgument } from "#runtime/basis/errors.ts";
import { parseId } from "#runtime/basis/ids.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { AuthorizationCodeRepository } from "../authorization-codes/authorization-code-repository.ts";
import type { TokenFamilyRepository } from "../refresh-tokens/token-family-repository.ts";
import type { SessionRepository } from "../sessions/session-repository.ts";
import type { SignOnTables } from "../tables.ts";
import type { CredentialRepository } from "./credential-repository.ts";
import { PASSWORD_LENGTH_MAX, PASSWORD_LENGTH_MIN } from "./password.ts";
import type { Passwords } from "./passwords.ts";

interface CredentialsDeps {
  readonly changes: Changes<SignOnTables>;
  readonly credentials: CredentialRepository;
  readonly passwords: Passwords;
  readonly sessions: SessionRepository;
  readonly codes: AuthorizationCodeRepository;
  readonly families: TokenFamilyRepository;
}

/**
 * Sets a person's password; every session, unspent code and token family of the person ends with the old one (R-S20). Whether the person exists is not
 * asked: a credential of nobody opens nothing.
 * @throws INVALID_ARGUMENT for a malformed id or a password of the wrong length.
 */
export const setPassword =
  ({ changes, credentials, passwords, sessions, codes, families }: CredentialsDeps) =>
  async ({ personId, password }: SetPasswordRequest, call: Call): Promise<SetPasswordResponse> => {
    const id = parseId("person", personId);
    const length = [...password].length;
    const violations = [
      ...(id === undefined ? [{ field: "person_id", reason: "must be person_ and 21 letters or digits" }] : []),
      ...(length < PASSWORD_LENGTH_MIN || length > PASSWORD_LENGTH_MAX
        ? [{ field: "password", reason: `must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters` }]
        : []),
    ];
    if (id === undefined || violations.length > 0) throw invalidArgument(violations);
    const hash = await passwords.hash(password);
    await changes.run(
      async ({ db, at, audit }) => {
        await credentials.setPasswordHash(db, id, hash, at);
        await sessions.endAllOf(db, id, at);
        // Codes before families: one that is being spent at this moment has its family by the time the next statement looks.
        await codes.expireAllOf(db, id, at);
        await families.revokeAllOf(db, id, "password changed", at);
        await audit({ actor: call.peer, action: "password.set", object: id });
      },
      { requestId: call.requestId },
    );
    return {};
  };
