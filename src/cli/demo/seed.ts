import { SeatKind } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { present } from "../connection/answers.ts";
import type { Connection } from "../connection/connection.ts";
import type { Seeded } from "./demo-file.ts";
import { INSTANCE_IDS, INVITED, importCompanies, OWNER } from "./workforce.ts";

/**
 * Writes the demonstration's data over gRPC: the companies as an import, the rest call by call. Its import id and
 * request ids are derived from the seed's id, so an interrupted run is repeated from the beginning without doing its
 * work twice (R-G18).
 */
export async function seedPlatform(connection: Connection, seedId: string): Promise<Seeded> {
  const { platform, workforce } = connection;
  const requestId = (...parts: readonly string[]): string => ["demo", seedId, ...parts].join("-");
  await importCompanies(connection, requestId());
  await platform.setLastLoginContext({
    requestId: requestId("last-login"),
    personId: OWNER.personId,
    kind: SeatKind.WORKER,
    tenantId: OWNER.employerId,
  });

  const connect = async (
    integrationId: string,
    instanceId: string,
    configured: boolean,
    key: string,
  ): Promise<string> => {
    const request = { requestId: requestId("connection", key), integrationId, instanceId, configured };
    return present((await workforce.connectIntegration(request)).instanceIntegration).id;
  };
  const createIntegration = async (name: string, key: string): Promise<string> =>
    present((await workforce.createIntegration({ requestId: requestId("integration", key), name })).integration).id;

  const integrationId = await createIntegration("Marigold", "marigold");
  const instanceIntegrationId = await connect(integrationId, INSTANCE_IDS.europe, true, "marigold-europe");
  await connect(integrationId, INSTANCE_IDS["north-america"], true, "marigold-north-america");
  const unfinishedId = await createIntegration("Paytide", "paytide");
  const unfinished = {
    integrationId: unfinishedId,
    instanceIntegrationId: await connect(unfinishedId, INSTANCE_IDS.europe, false, "paytide-europe"),
  };
  const personIds = { invited: INVITED.personId, owner: OWNER.personId };
  return { instanceIds: INSTANCE_IDS, integrationId, instanceIntegrationId, unfinished, personIds };
}
