import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { pagedOperation } from "../gateway/paged-operation.ts";
import { present, tenantIn } from "../wire.ts";
import { toWireUser } from "./user-wire.ts";

/** GET …/clients/{clientId}/users (R-G7), in pages when asked (R-G9). */
export const listUsersOperation = pagedOperation(
  "listUsers",
  "user",
  ({ params, page, gateway, known }) => gateway.listUsers({ ...tenantIn(params), ...page, ...known }),
  ({ users }) => users.map(({ user, manager }) => toWireUser(present(user), manager)),
);

/** GET …/clients/{clientId}/users/{userId} (R-G7). A deleted user is shown with status DELETED. */
export const getUserOperation = gatewayOperation(
  "getUser",
  ({ params, gateway, known }) => gateway.getUser({ ...tenantIn(params), userId: params.userId, ...known }),
  ({ user, manager }) => toWireUser(present(user), manager),
);
