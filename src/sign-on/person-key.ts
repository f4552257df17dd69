import type { ListSessionsRequest } from "#generated/proto/gatehouse/sign_on/v1/people.ts";
import { isEmailAddress } from "#runtime/basis/email-address.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";

/** What a request names a person by. */
export type PersonKey = ListSessionsRequest["key"];

/** What is wrong with a key; nothing when it is an id or an e-mail address, whether somebody has it or not (R-X207). */
export function personKeyViolations(key: PersonKey): readonly FieldViolation[] {
  if (key?.$case === "email")
    return isEmailAddress(key.value.trim()) ? [] : [{ field: "email", reason: "must be an e-mail address" }];
  return idViolations("person", "person_id", key?.value ?? "");
}
