import { INSTANCE_INTEGRATION_PLACEHOLDER } from "#runtime/outbox/outbox.ts";

/** The path of the resource as the receiver may read it: its own instance integration filled in, before signing (spec §6 rule 4). */
export const selfLink = (selfPath: string, instanceIntegrationId: string): string =>
  selfPath.replaceAll(INSTANCE_INTEGRATION_PLACEHOLDER, () => instanceIntegrationId);
