import { type Gatehouse, openGatehouse } from "../../../support/gatehouse.ts";
import type { Closer } from "../../../support/scope.ts";
import { makeWorld, onboarding, REDIRECT_URI, type World } from "../../../support/world.ts";

/** An installation with a small world, and what its operator hands to an integrator. */
export interface Place {
  readonly gatehouse: Gatehouse;
  readonly world: World;
  readonly handOver: Readonly<Record<string, string>>;
}

const COLLEAGUES = ["tomas", "ines", "jonas"];

export async function openPlace(closeLater: (closer: Closer) => void): Promise<Place> {
  const gatehouse = await openGatehouse(closeLater);
  const world = await makeWorld(gatehouse);
  for (const name of COLLEAGUES)
    await gatehouse.platform.onboardWorker(onboarding(world.tenantId, `${name}@harbour.example`));
  return {
    gatehouse,
    world,
    handOver: {
      ISSUER: gatehouse.url,
      GATEWAY_URL: gatehouse.url,
      API_KEY: world.apiKey,
      INSTANCE_INTEGRATION_ID: world.instanceIntegrationId,
      APPLICATION_ID: world.application.id,
      APPLICATION_SECRET: world.application.secret,
      REDIRECT_URI,
    },
  };
}
