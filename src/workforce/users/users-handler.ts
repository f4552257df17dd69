import { gatewayOperation } from "../gateway/gateway-operation.ts";
import { pagedOperation } from "../gateway/paged-operation.ts";
import { present } from "../wire.ts";
import { toWireUser } from "./user-wire.ts";

/** GET …/clients/{clientId}/users (R-G7), in pages when asked (R-G9). */
export const listUsersOperation = pagedOperation("listUsers", "user", async ({ params, page, gateway }) => {
  const { users, next } = await gateway.listUsers({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
    ...page,
  });
  return { body: users.map(({ user, manager }) => toWireUser(present(user), manager)), next };
});

/** GET …/clients/{clientId}/users/{userId} (R-G7). A deleted user is shown with status DELETED. */
export const getUserOperation = gatewayOperation<"getUser">(async ({ params, gateway }) => {
  const { user, manager } = await gateway.getUser({
    instanceIntegrationId: params.instanceIntegrationId,
    tenantId: params.clientId,
    userId: params.userId,
  });
  return { status: 200, body: toWireUser(present(user), manager) };
});
