import type {
  InstanceIntegrationStanding,
  InstanceIntegrationState,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import type { InstanceIntegration } from "./instance-integration-repository.ts";

/** What webhooks is told, and nobody else, when an instance integration stands differently from before (R-E14). */
export function standingEntry(
  { id, instance }: InstanceIntegration,
  state: InstanceIntegrationState,
  revision: number,
) {
  const standing: InstanceIntegrationStanding = { state, revision };
  return {
    internal: true as const,
    eventType: "instanceIntegration.standing",
    entity: { type: "instanceIntegration", id },
    instanceId: instance.id,
    tenantId: null,
    data: { ...standing },
    selfPath: "",
  };
}
