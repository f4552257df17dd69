import type { IntegrationWithConnections } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { allPages } from "./answers.ts";
import type { Asked } from "./verb.ts";

/** The integrations with their connections, oldest first. The demonstration asks without the call of a command. */
export const allIntegrations = ({
  workforce,
  call,
}: Pick<Asked, "workforce"> & Partial<Pick<Asked, "call">>): Promise<readonly IntegrationWithConnections[]> =>
  allPages(
    (after) => workforce.listIntegrations({ after }, call),
    ({ integrations }) => integrations,
  );
