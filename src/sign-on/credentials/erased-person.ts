import type { GetPersonResponse } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";

/** An erased person gets no password, nor a link to set one (R-X260). @throws FAILED_PRECONDITION (erased). */
export function assertNotErased({ personId, erased }: Pick<GetPersonResponse, "personId" | "erased">): void {
  if (erased)
    throw failedPrecondition("erased", `${personId} is erased for good. Somebody who comes back is a new person.`);
}
