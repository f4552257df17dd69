import { operations } from "../../../generated/operations/gateway.ts";
import { BulkService } from "../../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { ErasureService, type ErasureTarget } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { OperatorService } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { SeatKind } from "../../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { patiently } from "../../support/patient-calls.ts";
import { eachStore } from "../../support/stores.ts";
import { bulkOver, idOf } from "../bulk/bulk-kit.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { there, type Workforce, workforceOver } from "../workforce-fixture.ts";

/** An answer of one operation, as one key gets it. */
interface Seen {
  readonly path: string;
  readonly tag: string;
  readonly text: string;
}

/** A write, what must be there before it, and the answers that it changes. */
interface Write<T> {
  readonly title: string;
  readonly prepare: (world: World) => Promise<T>;
  readonly write: (world: World, prepared: T) => Promise<unknown>;
  readonly changes: readonly string[];
  /** Whose tags may change though their answers do not. */
  readonly beside: readonly string[];
}

interface World extends Workforce {
  readonly instanceId: string;
  readonly mine: string;
  readonly sibling: string;
  readonly away: string;
  readonly integrationId: string;
  readonly unique: () => string;
  readonly erase: (id: ErasureTarget["id"]) => Promise<unknown>;
  /** Imports one line of the tenant `mine`, with a new id. */
  readonly imports: (line: ImportedLine) => Promise<unknown>;
}

interface ImportedLine {
  readonly kind: string;
  /** None for a kind without ids. */
  readonly prefix?: string;
  readonly [member: string]: unknown;
}

const row = <T>(
  title: string,
  prepare: Write<T>["prepare"],
  write: Write<T>["write"],
  changes: readonly string[] = [],
  beside: readonly string[] = [],
): Write<unknown> => ({ title, prepare, write, changes, beside }) as Write<unknown>;
/** How many users, or workers, of a tenant are looked at beside those that a write is about. */
const LEFT_BEHIND = 4;

const nothing = async () => undefined;
const activeUser = async (world: World) =>
  world.user(world.mine, world.unique(), { signedInBefore: true, roleName: "Owner" });

/** The id of a connection with a new instance, a moment old. */
const connectAnother = (name: string, configured: boolean) => async (world: World) => {
  const request = {
    requestId: "",
    integrationId: world.integrationId,
    instanceId: await world.instance(name),
    configured,
  };
  const { instanceIntegration } = await world.operator.connectIntegration(request);
  world.clock.step(1);
  return there(instanceIntegration).id;
};

/** By the method that writes; a method that only reads is in READS. */
const WRITES: Readonly<Record<string, readonly Write<unknown>[]>> = {
  createInstance: [row("an instance", nothing, ({ instance }) => instance("Oceania"))],
  updateInstance: [
    row(
      "an instance's name",
      nothing,
      ({ platform, instanceId, unique }) =>
        platform.updateInstance({ requestId: "", instanceId, updateMask: ["name"], name: unique() }),
      ["all listInstanceIntegrations"],
      ["Europe"],
    ),
  ],
  updateTenant: [
    row(
      "a tenant's name",
      nothing,
      ({ platform, mine, unique }) =>
        platform.updateTenant({
          requestId: "",
          tenantId: mine,
          updateMask: ["name"],
          name: unique(),
          address: null,
        }),
      ["Europe listClients", "mine getClient"],
    ),
  ],
  updatePerson: [
    row(
      "a person's name, shown by a manager, a deleted user and an ended worker",
      async ({ user, worker, platform, raw, mine, sibling, away, unique }) => {
        const email = unique();
        const { id, person } = await user(mine, email);
        await user(mine, unique(), { invitedByUserId: id });
        await platform.deleteUser({ requestId: "", userId: (await user(sibling, email)).id });
        const former = await worker(away, email);
        await raw(`update workforce_workers set ended_at = 1 where id = '${former.id}'`);
        return person.id;
      },
      ({ platform, unique }, personId) =>
        platform.updatePerson({
          requestId: "",
          personId,
          updateMask: ["last_name"],
          lastName: unique(),
          email: "",
          emailVerified: false,
        }),
      ["away getWorkerV2", "mine getUser", "mine listUsers", "sibling getUser"],
    ),
  ],
  disablePerson: [
    row("disabling a person", activeUser, ({ platform }, { person }) =>
      platform.disablePerson({ requestId: "", personId: person.id }),
    ),
  ],
  enablePerson: [
    row(
      "enabling a person",
      async (world) => {
        const { person } = await activeUser(world);
        await world.platform.disablePerson({ requestId: "", personId: person.id });
        return person.id;
      },
      ({ platform }, personId) => platform.enablePerson({ requestId: "", personId }),
    ),
  ],
  assignManager: [
    row(
      "another manager",
      async (world) => [await activeUser(world), await activeUser(world)] as const,
      ({ platform }, [{ id: userId }, { id: managerId }]) =>
        platform.assignManager({ requestId: "", userId, managerId }),
      ["mine getUser", "mine listUsers"],
    ),
  ],
  assignRole: [
    row(
      "another role",
      activeUser,
      ({ platform }, { id: userId }) => platform.assignRole({ requestId: "", userId, roleName: "Member" }),
      ["mine getUser", "mine listUsers"],
    ),
  ],
  editUserPermissions: [
    row(
      "a role of one's own",
      activeUser,
      ({ platform }, { id: userId }) =>
        platform.editUserPermissions({ requestId: "", userId, permissions: ["payroll.read"] }),
      ["mine getUser", "mine listUsers"],
    ),
  ],
  createAccessRole: [
    row("an access role", nothing, ({ platform, mine, unique }) =>
      platform.createAccessRole({ requestId: "", tenantId: mine, name: unique(), permissions: [] }),
    ),
  ],
  updateAccessRole: [
    row(
      "an access role's name",
      async ({ platform, user, mine, unique }) => {
        const name = unique();
        const { role } = await platform.createAccessRole({ requestId: "", tenantId: mine, name, permissions: [] });
        await user(mine, unique(), { roleName: name });
        return role?.role?.id ?? 0;
      },
      ({ platform, mine, unique }, accessRoleId) =>
        platform.updateAccessRole({
          requestId: "",
          tenantId: mine,
          accessRoleId,
          updateMask: ["name"],
          name: unique(),
          permissions: [],
        }),
      ["mine getUser", "mine listUsers"],
    ),
  ],
  createTenant: [
    row("a tenant", nothing, ({ tenant, instanceId }) => tenant(instanceId), ["Europe listClients"]),
    row("a tenant elsewhere", nothing, async ({ tenant, instance }) => tenant(await instance("Elsewhere"))),
  ],
  inviteUser: [
    row("a user", nothing, ({ user, mine, unique }) => user(mine, unique()), ["mine listUsers"]),
    row(
      "a user whose person is one in another tenant",
      async ({ user, sibling, unique }) => (await user(sibling, unique())).person.email,
      ({ user, mine }, email) => user(mine, email, { emailVerified: true, firstName: "New" }),
      ["mine listUsers"],
    ),
  ],
  disableUser: [
    row("disabling", activeUser, ({ platform }, { id }) => platform.disableUser({ requestId: "", userId: id }), [
      "mine getUser",
      "mine listUsers",
    ]),
    row(
      "disabling what is disabled",
      async (world) => {
        const { id } = await activeUser(world);
        await world.platform.disableUser({ requestId: "", userId: id });
        return id;
      },
      ({ platform }, userId) => platform.disableUser({ requestId: "", userId }),
    ),
  ],
  enableUser: [
    row(
      "enabling",
      async (world) => {
        const { id } = await activeUser(world);
        await world.platform.disableUser({ requestId: "", userId: id });
        return id;
      },
      ({ platform }, userId) => platform.enableUser({ requestId: "", userId }),
      ["mine getUser", "mine listUsers"],
    ),
  ],
  deleteUser: [
    row(
      "deleting a manager, whose reports show none then",
      async (world) => {
        const { id } = await activeUser(world);
        await world.user(world.mine, world.unique(), { invitedByUserId: id });
        return id;
      },
      ({ platform }, userId) => platform.deleteUser({ requestId: "", userId }),
      ["mine getUser", "mine listUsers"],
    ),
  ],
  createUnitType: [
    row(
      "a unit type",
      nothing,
      ({ platform, mine }) => platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units: [] }),
      ["mine getOrganizationStructure"],
    ),
  ],
  createUnit: [
    row(
      "a unit",
      ({ platform, mine }) => platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units: [] }),
      ({ platform, mine }, { unitType }) =>
        platform.createUnit({ requestId: "", tenantId: mine, unitTypeId: unitType?.id ?? "", name: "Ovens" }),
      ["mine getOrganizationStructure"],
    ),
  ],
  createLocation: [
    row(
      "a location",
      nothing,
      ({ platform, mine }) => platform.createLocation({ requestId: "", tenantId: mine, name: "Quay" }),
      ["mine getOrganizationStructure"],
    ),
  ],
  onboardWorker: [
    row("a worker", nothing, ({ worker, mine, unique }) => worker(mine, unique(), { jobTitles: [unique()] }), [
      "mine listJobTitles",
      "mine listWorkers",
      "mine listWorkersV2",
    ]),
    row(
      "a worker who gets names thereby, shown by users in several tenants and as their manager",
      async ({ user, mine, sibling, away, unique }) => {
        const email = unique();
        await user(mine, email);
        await user(away, email);
        const { id } = await user(sibling, email);
        await user(sibling, unique(), { invitedByUserId: id });
        return email;
      },
      ({ worker, mine }, email) => worker(mine, email),
      [
        "away getUser",
        "away listUsers",
        "mine getUser",
        "mine listUsers",
        "mine listWorkers",
        "mine listWorkersV2",
        "sibling getUser",
        "sibling listUsers",
      ],
    ),
  ],
  updateWorker: [
    row(
      "job titles and address",
      ({ worker, mine, unique }) => worker(mine, unique()),
      ({ platform, unique }, { id }) =>
        platform.updateWorker({
          requestId: "",
          workerId: id,
          updateMask: ["job_titles", "address.city"],
          jobTitles: [unique()],
          address: { city: "Oslo" },
          unitIds: [],
        }),
      ["mine getWorkerV2", "mine listJobTitles", "mine listWorkers", "mine listWorkersV2"],
    ),
    row(
      "a change that changes nothing",
      ({ worker, mine, unique }) => worker(mine, unique()),
      ({ platform }, { id }) =>
        platform.updateWorker({
          requestId: "",
          workerId: id,
          updateMask: ["phone"],
          jobTitles: [],
          address: null,
          unitIds: [],
        }),
    ),
  ],
  endWorker: [
    row(
      "the end of an employment",
      ({ worker, mine, unique }) => worker(mine, unique(), { jobTitles: [unique()] }),
      ({ platform }, { id }) => platform.endWorker({ requestId: "", workerId: id }),
      ["mine getWorkerV2", "mine listJobTitles", "mine listWorkers", "mine listWorkersV2"],
    ),
  ],
  updateUnitType: [
    row(
      "a unit type's name",
      ({ platform, mine }) => platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units: [] }),
      ({ platform, unique }, { unitType }) =>
        platform.updateUnitType({
          requestId: "",
          unitTypeId: unitType?.id ?? "",
          updateMask: ["name"],
          name: unique(),
        }),
      ["mine getOrganizationStructure"],
    ),
  ],
  updateUnit: [
    row(
      "the name of a unit where somebody works",
      async ({ platform, worker, mine, unique }) => {
        const units = [{ name: unique(), parent: null }];
        const made = await platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units });
        const unitId = made.units[0]?.id ?? "";
        await worker(mine, unique(), { unitIds: [unitId] });
        return unitId;
      },
      ({ platform, unique }, unitId) =>
        platform.updateUnit({ requestId: "", unitId, updateMask: ["name"], name: unique() }),
      ["mine getOrganizationStructure", "mine getWorkerV2", "mine listWorkersV2"],
    ),
  ],
  deleteLocation: [
    row(
      "a location where somebody works",
      async ({ platform, worker, mine, unique }) => {
        const { location } = await platform.createLocation({ requestId: "", tenantId: mine, name: "Quay" });
        const locationId = location?.id ?? "";
        await worker(mine, unique(), { locationId });
        return locationId;
      },
      ({ platform }, locationId) => platform.deleteLocation({ requestId: "", locationId }),
      ["mine getOrganizationStructure", "mine getWorkerV2", "mine listWorkersV2"],
    ),
  ],
  recordSignIn: [
    row(
      "a first sign-in, of users in several tenants of the instance",
      async ({ user, mine, sibling, away, unique }) => {
        const email = unique();
        await user(mine, email);
        await user(away, email);
        return (await user(sibling, email)).person.id;
      },
      ({ signs, instanceId }, personId) => signs(personId, instanceId),
      ["mine getUser", "mine listUsers", "sibling getUser", "sibling listUsers"],
    ),
  ],
  recordSignInEverywhere: [
    row(
      "a first sign-in at the account page, of users on two instances",
      async ({ user, mine, away, unique }) => {
        const email = unique();
        await user(away, email);
        return (await user(mine, email)).person.id;
      },
      ({ signsEverywhere }, personId) => signsEverywhere(personId),
      ["away getUser", "away listUsers", "mine getUser", "mine listUsers"],
    ),
  ],
  setLastLoginContext: [
    row("where somebody was last", activeUser, ({ platform, mine }, { person }) =>
      platform.setLastLoginContext({
        requestId: "",
        personId: person.id,
        tenantId: mine,
        kind: SeatKind.USER,
      }),
    ),
  ],
  createIntegration: [
    row("an integration", nothing, ({ operator }) => operator.createIntegration({ requestId: "", name: "Other" })),
  ],
  connectIntegration: [
    row(
      "a connection",
      ({ instance }) => instance("Africa"),
      ({ operator, integrationId }, instanceId) =>
        operator.connectIntegration({ requestId: "", integrationId, instanceId, configured: false }),
      ["all listInstanceIntegrations"],
    ),
    row("a connection of another integration", nothing, ({ integration, instanceId }) => integration(instanceId)),
  ],
  updateIntegration: [
    row("another name", nothing, ({ operator, integrationId }) =>
      operator.updateIntegration({ requestId: "", integrationId, updateMask: ["name"], name: "Other" }),
    ),
  ],
  configureInstanceIntegration: [
    row(
      "one that was not configured",
      connectAnother("Asia", false),
      ({ operator }, instanceIntegrationId) =>
        operator.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured: true }),
      ["all listInstanceIntegrations"],
    ),
    row(
      "one that was",
      connectAnother("Antarctica", true),
      ({ operator }, instanceIntegrationId) =>
        operator.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured: false }),
      ["all listInstanceIntegrations"],
    ),
    row("one that stays as it is", connectAnother("Oceania", true), ({ operator }, instanceIntegrationId) =>
      operator.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured: true }),
    ),
  ],
  revokeInstanceIntegration: [
    row(
      "a connection",
      connectAnother("Atlantis", true),
      ({ operator }, instanceIntegrationId) =>
        operator.revokeInstanceIntegration({ requestId: "", instanceIntegrationId }),
      ["all listInstanceIntegrations"],
    ),
  ],
  issueApiKey: [
    row("a key", nothing, ({ operator, integrationId }) =>
      operator.issueApiKey({ integrationId, label: "x", rateLimit: null, scopes: [] }),
    ),
  ],
  revokeApiKey: [
    row(
      "revoking another key",
      ({ operator, integrationId }) => operator.issueApiKey({ integrationId, label: "x", rateLimit: null, scopes: [] }),
      ({ operator }, { apiKey }) => operator.revokeApiKey({ apiKeyId: apiKey?.id ?? "" }),
    ),
  ],
  erase: [
    row(
      "a person with seats in several tenants, ended ones among them, who manages somebody",
      async ({ platform, user, worker, mine, sibling, away, unique }) => {
        const email = unique();
        const { id, person } = await user(mine, email);
        await user(mine, unique(), { invitedByUserId: id });
        await platform.deleteUser({ requestId: "", userId: (await user(sibling, email)).id });
        await worker(away, email, { jobTitles: [unique()] });
        return person.id;
      },
      ({ erase }, value) => erase({ $case: "personId", value }),
      [
        "away getWorkerV2",
        "away listJobTitles",
        "away listWorkers",
        "away listWorkersV2",
        "mine getUser",
        "mine listUsers",
        "sibling getUser",
      ],
    ),
    row(
      "a user whose person is one elsewhere too",
      async ({ user, mine, sibling, unique }) => {
        const email = unique();
        await user(sibling, email);
        return (await user(mine, email)).id;
      },
      ({ erase }, value) => erase({ $case: "userId", value }),
      ["mine getUser", "mine listUsers"],
    ),
    row(
      "a user whose person has no other seat",
      async ({ user, mine, unique }) => (await user(mine, unique())).id,
      ({ erase }, value) => erase({ $case: "userId", value }),
      ["mine getUser", "mine listUsers"],
    ),
    row(
      "a worker who had ended",
      async ({ platform, user, worker, mine, unique }) => {
        const email = unique();
        const { id } = await worker(mine, email, { jobTitles: [unique()] });
        await user(mine, email);
        await platform.endWorker({ requestId: "", workerId: id });
        return id;
      },
      ({ erase }, value) => erase({ $case: "workerId", value }),
      ["mine getWorkerV2"],
    ),
    row(
      "a unit where somebody works",
      async ({ platform, worker, mine, unique }) => {
        const units = [{ name: unique(), parent: null }];
        const made = await platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units });
        const unitId = made.units[0]?.id ?? "";
        await worker(mine, unique(), { unitIds: [unitId] });
        return unitId;
      },
      ({ erase }, value) => erase({ $case: "unitId", value }),
      ["mine getOrganizationStructure", "mine getWorkerV2", "mine listWorkersV2"],
    ),
    row(
      "a unit type",
      ({ platform, mine }) => platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units: [] }),
      ({ erase }, { unitType }) => erase({ $case: "unitTypeId", value: unitType?.id ?? "" }),
      ["mine getOrganizationStructure"],
    ),
    row(
      "a tenant",
      async ({ tenant, instanceId }) => (await tenant(instanceId)).id,
      ({ erase }, value) => erase({ $case: "tenantId", value }),
      ["Europe listClients"],
    ),
  ],
  importWorkforce: [
    row(
      "a user",
      nothing,
      ({ imports, unique }) => imports({ kind: "user", prefix: "user", email: unique(), status: "ACTIVE" }),
      ["mine listUsers"],
    ),
    row(
      "a worker who gets names thereby, shown by users in several tenants and as their manager",
      async ({ user, mine, sibling, away, unique }) => {
        const email = unique();
        await user(mine, email);
        await user(away, email);
        const { id } = await user(sibling, email);
        await user(sibling, unique(), { invitedByUserId: id });
        return email;
      },
      ({ imports }, email) =>
        imports({ kind: "worker", prefix: "worker", email, firstName: "Ines", lastName: "Okafor" }),
      [
        "away getUser",
        "away listUsers",
        "mine getUser",
        "mine listUsers",
        "mine listWorkers",
        "mine listWorkersV2",
        "sibling getUser",
        "sibling listUsers",
      ],
    ),
    row(
      "a unit",
      ({ platform, mine }) => platform.createUnitType({ requestId: "", tenantId: mine, name: "Team", units: [] }),
      ({ imports }, { unitType }) => imports({ kind: "unit", prefix: "unit", unitTypeId: unitType?.id, name: "Ovens" }),
      ["mine getOrganizationStructure"],
    ),
    row("a unit type", nothing, ({ imports }) => imports({ kind: "unitType", prefix: "unittype", name: "Team" }), [
      "mine getOrganizationStructure",
    ]),
    row("a location", nothing, ({ imports }) => imports({ kind: "location", prefix: "location", name: "Quay" }), [
      "mine getOrganizationStructure",
    ]),
    row(
      "another name of a standard role",
      ({ user, mine, unique }) => user(mine, unique(), { roleName: "Admin" }),
      ({ imports, unique }) => imports({ kind: "accessRole", standard: "ADMIN", name: unique() }),
      ["mine getUser", "mine listUsers"],
    ),
    row(
      "a tenant",
      nothing,
      ({ imports, instanceId }) =>
        imports({ kind: "tenant", prefix: "client", tenantId: undefined, instanceId, name: "Imported" }),
      ["Europe listClients"],
    ),
  ],
};
const READS = [
  ...["explainGatewayRefusal", "exportWorkforce", "findNamed", "getGatewayUrl", "getImport"],
  ...["listInstances", "listTenantsOfInstance", "listAccessRolesOfTenant", "listApiKeys", "findApiKey"],
  ...["listGatewayRefusals", "listIntegrations", "listUsersOfTenant", "listWorkersOfTenant"],
  ...["readErasure", "readNames", "readPerson", "readStructure", "readTenant", "readUser", "readWorker"],
];

it("covers every method that writes (R-G10)", () => {
  const methods = [
    ...Object.keys(PlatformService),
    ...Object.keys(OperatorService),
    ...Object.keys(ErasureService),
    ...Object.keys(BulkService),
    "recordSignIn",
    "recordSignInEverywhere",
  ];
  expect([...Object.keys(WRITES), ...READS].toSorted()).toEqual(methods.toSorted());
});

eachStore((_, open) => {
  let world: World;
  let gateway: Gateway;
  let secret: string;
  /** Addresses that an earlier write was looked at with. */
  const earlier = new Set<string>();
  let paths: () => Promise<readonly (readonly [name: string, path: string])[]>;

  beforeAll(async () => {
    const workforce = workforceOver(await open([erasureMigrations, workforceMigrations]));
    gateway = await startGateway(workforce.registrations);
    const instanceId = await workforce.instance("Europe");
    const awayInstance = await workforce.instance("North America");
    const { connectionIds, integrationId, ...key } = await workforce.integration(instanceId, awayInstance);
    secret = key.secret;
    const [here = "", elsewhere = ""] = connectionIds;
    const [mine, sibling, away] = [
      (await workforce.tenant(instanceId, { name: "Mine" })).id,
      (await workforce.tenant(instanceId, { name: "Sibling" })).id,
      (await workforce.tenant(awayInstance, { name: "Away" })).id,
    ];
    let count = 0;
    const unique = () => `p${++count}@conditional.example`;
    const { registrations } = workforce;
    const carrier = inProcessCarrier({
      peer: "platform",
      registrations,
      interceptors: quietBoundary(),
      hand: "encoded",
    });
    const erasure = patiently(carrier.connect(ErasureService));
    const { imports } = bulkOver(workforce);
    world = {
      ...{ ...workforce, instanceId, mine, sibling, away, integrationId, unique },
      erase: (id) => erasure.erase({ target: { id } }),
      async imports({ prefix, ...line }) {
        const id = prefix && { id: idOf(prefix, `R${++count}`) };
        const { badLines } = await imports([{ tenantId: mine, ...id, ...line }], { importId: unique() });
        expect(badLines).toEqual([]);
      },
    };
    for (const tenantId of [mine, sibling, away]) {
      const names = { firstName: "A", lastName: "B" };
      await workforce.user(tenantId, unique(), names);
      await workforce.worker(tenantId, unique(), { jobTitles: ["Baker"] });
    }
    const tenants = [
      ["mine", here, mine],
      ["sibling", here, sibling],
      ["away", elsewhere, away],
    ] as const;
    paths = async () => {
      const all: (readonly [string, string])[] = [
        ["all listInstanceIntegrations", operations.listInstanceIntegrations.path],
        ["Europe listClients", operations.listClients.path.replace("{instanceIntegrationId}", here)],
        ["America listClients", operations.listClients.path.replace("{instanceIntegrationId}", elsewhere)],
      ];
      for (const [name, connectionId, tenantId] of tenants) {
        const inside = Object.entries(operations).filter(([, { path }]) => path.includes("{clientId}"));
        for (const [id, { path }] of inside) {
          const ids = async (table: string) =>
            (
              await world.db
                .selectFrom(table as "workforce_users")
                .select("id")
                .where("tenant_id", "=", tenantId as never)
                .execute()
            ).map((one) => String(one.id));
          const base = path.replace("{instanceIntegrationId}", connectionId).replace("{clientId}", tenantId);
          const parts = base.includes("{userId}")
            ? (await ids("workforce_users")).map((one) => base.replace("{userId}", one))
            : base.includes("{workerId}")
              ? (await ids("workforce_workers")).map((one) => base.replace("{workerId}", one))
              : [base];
          for (const part of parts) all.push([`${name} ${id}`, part]);
        }
      }
      return all;
    };
  });
  afterAll(() => gateway.stop());

  const see = async (path: string): Promise<Seen> => {
    const answer = await gateway.get(path, secret);
    expect(answer.status).toBe(200);
    return { path, tag: answer.headers.get("etag") ?? "", text: answer.text };
  };

  /** All that this write was prepared with, and a few that earlier ones left behind: there are ever more of these. */
  const fewOf = (all: Awaited<ReturnType<typeof paths>>) => {
    const left = Map.groupBy(
      all.filter(([, path]) => earlier.has(path)),
      ([name]) => name,
    );
    const few = new Set([...left.values()].flatMap((some) => some.slice(0, LEFT_BEHIND).map(([, path]) => path)));
    const looked = all.filter(([, path]) => !earlier.has(path) || few.has(path));
    for (const [, path] of all) earlier.add(path);
    return looked;
  };

  describe.each(Object.entries(WRITES).flatMap(([method, rows]) => rows.map((one) => ({ method, ...one }))))(
    "$method: $title",
    ({ prepare, write, changes, beside }) => {
      it("changes the tag of every answer that it changes, and changes no other answer (R-G10)", async () => {
        const prepared = await prepare(world);
        const before: (readonly [string, Seen])[] = [];
        for (const [name, path] of fewOf(await paths())) before.push([name, await see(path)]);
        await write(world, prepared);
        const changed = new Set<string>();
        for (const [name, was] of before) {
          const is = await see(was.path);
          if (is.text !== was.text) changed.add(name);
          expect([name, is.text !== was.text && is.tag === was.tag]).toEqual([name, false]);
          const asked = await gateway.get(was.path, secret, { headers: { "if-none-match": was.tag } });
          expect([name, asked.status]).toEqual([name, is.tag === was.tag ? 304 : 200]);
          // A tenant's answers have one revision; an answer outside all changed ones keeps its tag.
          const touched = [...changes, ...beside].some((one) => one.split(" ")[0] === name.split(" ")[0]);
          expect([name, touched || is.tag === was.tag]).toEqual([name, true]);
        }
        expect([...changed].toSorted()).toEqual(changes);
      });
    },
  );
});
