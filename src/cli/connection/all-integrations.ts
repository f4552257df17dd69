import type { IntegrationWithConnections } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { allPages } from "./answers.ts";
import type { Asked } from "./verb.ts";

/** The integrations with their connections, oldest first. */
export const allIntegrations = ({
  workforce,
  call,
}: Pick<Asked, "workforce" | "call">): Promise<readonly IntegrationWithConnections[]> =>
  allPages(
    (after) => workforce.listIntegrations({ after }, call),
    ({ integrations }) => integrations,
  );
