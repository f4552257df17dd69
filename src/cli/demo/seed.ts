import { SeatKind } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { present } from "../connection/answers.ts";
import type { Connection } from "../connection/connection.ts";
import type { Company, InstanceKey, Name } from "./company.ts";
import type { Seeded } from "./demo-file.ts";
import { EUROPE } from "./europe.ts";
import { NORTH_AMERICA } from "./north-america.ts";
import { nameKey, type RequestIds, type SeededCompany, seedCompany } from "./seed-company.ts";

/** Every tenant of the demonstration. */
export const COMPANIES: readonly Company[] = [...EUROPE, ...NORTH_AMERICA];

export const INSTANCE_NAMES: Readonly<Record<InstanceKey, string>> = {
  europe: "Europe",
  "north-america": "North America",
};

/** The two who can sign in: one whose first sign-in makes her active, one with a choice of seats. */
export const INVITED = { company: "nordlicht", name: ["Maren", "Dahl"] } as const satisfies Login;
export const OWNER = { company: "sjoblom", name: ["Henrik", "Sjöblom"] } as const satisfies Login;

interface Login {
  readonly company: string;
  readonly name: Name;
}

/**
 * Writes the demonstration's data over gRPC. Its request ids follow from the seed's id alone, so a run that was cut short is repeated from
 * the beginning, and what it had done already is answered from memory instead of done twice (R-G18).
 */
export async function seedPlatform({ platform, workforce }: Connection, seedId: string): Promise<Seeded> {
  const requestId: RequestIds = (...parts) => ["demo", seedId, ...parts].join("-");
  const createInstance = async (key: InstanceKey): Promise<string> =>
    present((await platform.createInstance({ requestId: requestId(key), name: INSTANCE_NAMES[key] })).instance).id;
  const instanceIds = {
    europe: await createInstance("europe"),
    "north-america": await createInstance("north-america"),
  };

  const seeded = await Promise.all(
    COMPANIES.map(async (company) => {
      const made = await seedCompany(platform, company, instanceIds[company.instance], requestId);
      return [company.key, made] as const;
    }),
  );
  const companies = new Map(seeded);
  const personIds = { invited: personIdOf(companies, INVITED), owner: personIdOf(companies, OWNER) };
  await platform.setLastLoginContext({
    requestId: requestId("last-login"),
    personId: personIds.owner,
    kind: SeatKind.SEAT_KIND_WORKER,
    tenantId: companies.get(OWNER.company)?.tenantId ?? "",
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
  const instanceIntegrationId = await connect(integrationId, instanceIds.europe, true, "marigold-europe");
  await connect(integrationId, instanceIds["north-america"], true, "marigold-north-america");
  const unfinishedId = await createIntegration("Paytide", "paytide");
  const unfinished = {
    integrationId: unfinishedId,
    instanceIntegrationId: await connect(unfinishedId, instanceIds.europe, false, "paytide-europe"),
  };
  return { instanceIds, integrationId, instanceIntegrationId, unfinished, personIds };
}

const personIdOf = (companies: ReadonlyMap<string, SeededCompany>, { company, name }: Login): string =>
  present(present(companies.get(company)?.users.get(nameKey(name))).person).id;
