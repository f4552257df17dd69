import { alreadyExists, type Failure } from "#runtime/basis/errors.ts";
import type { UserId, WorkerId } from "#runtime/basis/ids.ts";

/** A person has one user per tenant that is not DELETED (R-G17). */
export const userExists = (id: UserId): Failure =>
  alreadyExists("user_exists", `This e-mail address has the user ${id} in the tenant already.`);

/** A person is one worker of a tenant at a time. */
export const workerExists = (id: WorkerId): Failure =>
  alreadyExists("worker_exists", `The person is the worker ${id} of the tenant already.`);
