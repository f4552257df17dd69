import { rm } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { InspectionService } from "../../generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { OperatorService as SignOnOperatorService } from "../../generated/proto/gatehouse/sign_on/v1/operator.ts";
import { PasswordsService } from "../../generated/proto/gatehouse/sign_on/v1/passwords.ts";
import { PeopleService } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { TokensService } from "../../generated/proto/gatehouse/sign_on/v1/tokens.ts";
import { OperatorService as WebhooksOperatorService } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { OperatorService as WorkforceOperatorService } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { PlatformService } from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { access } from "../../src/access.ts";
import { type Failure, unavailable } from "../../src/runtime/basis/errors.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { runtimeMigrations } from "../../src/runtime/changes/migrations.ts";
import { migrate } from "../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import { startEdgeServer } from "../../src/runtime/http/edge-server.ts";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import type { Values } from "../../src/runtime/process/settings.ts";
import type { Interceptor, Peer, PromiseClient, ServiceDefinition } from "../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../src/runtime/rpc/in-process.ts";
import { accessInterceptor, boundaryInterceptor } from "../../src/runtime/rpc/interceptors.ts";
import { createSealer } from "../../src/runtime/sealing/sealing.ts";
import { createWake } from "../../src/runtime/wake/wake.ts";
import { signOnEdge } from "../../src/sign-on/edge.ts";
import { signOnMigrations, signOnServices } from "../../src/sign-on/services.ts";
import { signOnSettings } from "../../src/sign-on/settings.ts";
import type { SignOnTables } from "../../src/sign-on/tables.ts";
import { workforceMigrations, workforceServices } from "../../src/workforce/services.ts";
import type { WorkforceTables } from "../../src/workforce/tables.ts";
import { type StandingClock, standingClock } from "../support/clock.ts";
import { freePort } from "../support/free-port.ts";
import { newStoreFolder } from "../support/memory.ts";
import { patiently } from "../support/patient-calls.ts";
import { recordedLog } from "../support/recorded-log.ts";
import { type Closer, withScope } from "../support/scope.ts";
import type { TestStore } from "../support/stores.ts";
import {
  applicationRequest,
  invitation,
  makeWorld,
  PASSWORD,
  type Peers,
  present,
  type World,
  type WorldOptions,
} from "../support/world.ts";
import { TEST_MASTER_KEY } from "./families-kit.ts";

/** What a store of sign-on holds. */
export const signOnSets = [workforceMigrations, signOnMigrations];

export { TEST_MASTER_KEY };

type SignOnSettings = Values<typeof signOnSettings>;

export interface SignOnOptions {
  /** The fixture's own unless given. */
  readonly clock?: StandingClock;
  /** The listener's own origin unless given; behind a proxy it is another one. */
  readonly issuer?: string;
  readonly settings?: Partial<SignOnSettings>;
  /** Proxies whose `x-forwarded-for` counts; none unless given. */
  readonly trustedProxies?: readonly string[];
  /** The fixture's own alone unless given. */
  readonly masterKeys?: readonly Buffer[];
}

export type SignOn = Awaited<ReturnType<typeof openSignOn>>;

/**
 * Sign-on over one store as the roles compose it, workforce behind it and a real listener in front, on a clock that the test moves. The
 * whole product runs in `test/end-to-end/`, on the system's clock.
 */
export async function openSignOn(
  opened: Pick<TestStore, "store" | "wake">,
  closeLater: (closer: Closer) => void,
  {
    clock = standingClock(),
    issuer,
    settings,
    trustedProxies = [],
    masterKeys = [TEST_MASTER_KEY],
  }: SignOnOptions = {},
) {
  const log = recordedLog();
  const shared = { store: opened.store, wake: opened.wake, clock, sweepClock: clock, random: systemRandom, log };
  const interceptors = [boundaryInterceptor({ log, metrics: createMetrics() }), accessInterceptor(access)];
  const workforce = workforceServices({
    ...shared,
    settings: {
      "gateway-rate-per-second": 0,
      "gateway-rate-burst": 1,
      "export-pause-seconds": 60,
      "export-longest-minutes": 120,
    },
    epoch: { epoch: 1, epochBeganAt: new Date(0) },
  });
  let away: { readonly failure: Failure; readonly method: string } | undefined;
  let held: { readonly method: string; readonly meanwhile: () => Promise<void> } | undefined;
  const mayBeAway: Interceptor =
    (next, { path }) =>
    async (request, call) => {
      if (away !== undefined && path.endsWith(away.method)) throw away.failure;
      if (held !== undefined && path.endsWith(held.method)) {
        const { meanwhile } = held;
        held = undefined;
        await meanwhile();
      }
      return next(request, call);
    };
  const { connect } = inProcessCarrier({
    peer: "services",
    registrations: workforce.registrations,
    interceptors: [...interceptors, mayBeAway],
  });
  const port = await freePort();
  const settledIssuer = issuer ?? `http://localhost:${port}`;
  const metrics = createMetrics();
  const signOn = await signOnServices({
    ...shared,
    connect,
    sealer: createSealer(masterKeys, systemRandom),
    log,
    metrics,
    issuer: settledIssuer,
    development: true,
    expiry: "embedded",
    settings: { ...defaults, ...FOR_TESTS, ...settings },
  });
  const registrations = [...workforce.registrations, ...signOn.registrations];
  const as = <S extends ServiceDefinition>(peer: Peer, definition: S): PromiseClient<S> =>
    patiently(inProcessCarrier({ peer, registrations, interceptors, hand: "encoded" }).connect(definition));
  const edge = inProcessCarrier({ peer: "edge", registrations, interceptors, hand: "encoded" });
  const server = await startEdgeServer({
    host: "127.0.0.1",
    port,
    trustedProxies,
    areas: [
      signOnEdge({
        connect: edge.connect,
        issuer: settledIssuer,
        jwksMaxAgeSeconds: 300,
        supportContact: settings?.["support-contact"],
        log,
      }),
    ],
    log,
    metrics: createMetrics(),
    random: systemRandom,
  });
  closeLater(() => server.stop(100));
  const peers: Peers = {
    platform: as("platform", PlatformService),
    workforce: as("operator", WorkforceOperatorService),
    signOn: as("operator", SignOnOperatorService),
    people: as("operator", PeopleService),
    webhooks: as("operator", WebhooksOperatorService),
  };
  return {
    ...peers,
    opened,
    clock,
    log,
    /** Of the services role. */
    metrics,
    issuer: settledIssuer,
    /** Where the listener is. */
    url: `http://127.0.0.1:${port}`,
    loops: signOn.loops,
    db: opened.store.view<SignOnTables>(),
    workforceDb: opened.store.view<WorkforceTables>(),
    as,
    tokens: as("edge", TokensService),
    passwords: as("edge", PasswordsService),
    inspection: as("operator", InspectionService),

    /** Does `work` while a table cannot be found, so that whatever needs it fails. */
    async withoutTable<T>(table: string, work: () => Promise<T>): Promise<T> {
      const rename = (from: string, to: string) =>
        sql`alter table ${sql.table(from)} rename to ${sql.table(to)}`.execute(opened.store.view());
      await rename(table, `${table}_elsewhere`);
      try {
        return await work();
      } finally {
        await rename(`${table}_elsewhere`, table);
      }
    },

    /** Does `work` while sign-on's calls to workforce, or those of one method, fail; unless given, in a way that passes by. */
    async withoutWorkforce<T>(
      work: () => Promise<T>,
      { failure = unavailable("The service is starting."), method = "" }: { failure?: Failure; method?: string } = {},
    ): Promise<T> {
      away = { failure, method };
      try {
        return await work();
      } finally {
        away = undefined;
      }
    },

    /** Holds sign-on's next call of a method of workforce until `meanwhile` is done; calls after it pass. */
    holdWorkforce(method: string, meanwhile: () => Promise<void>): void {
      held = { method, meanwhile };
    },

    /** There is no call for it yet. */
    async disablePerson(personId: string): Promise<void> {
      await sql`update workforce_people set disabled = 1 where id = ${personId}`.execute(opened.store.view());
    },
  };
}

const defaults = Object.fromEntries(
  Object.entries(signOnSettings).map(([name, { fallback }]) => [name, fallback]),
) as SignOnSettings;

/** Cheap passwords, and as many failures as a suite likes. */
const FOR_TESTS: Partial<SignOnSettings> = {
  "password-passes": 1,
  "password-memory-kib": 64,
  "sign-in-failures-per-email": 0,
  "sign-in-failures-per-network": 0,
};

export interface Scene {
  readonly signOn: SignOn;
  readonly world: World;
}

/**
 * A suite over one installation on the embedded store and one world in it, both for all its tests; what a test changes for good it makes
 * itself first.
 */
export function describeSignOn(
  title: string,
  suite: (scene: () => Scene) => void,
  options?: SignOnOptions & { readonly world?: WorldOptions },
): void {
  describe(title, () =>
    withScope((closeLater) => {
      let scene: Scene;
      beforeAll(async () => {
        const signOn = await openSignOn(await embeddedStore(closeLater), closeLater, options);
        scene = { signOn, world: await makeWorld(signOn, options?.world) };
      });
      suite(() => scene);
    }),
  );
}

/** A new embedded store with everything that sign-on needs; removed by the closer. */
export async function embeddedStore(closeLater: (closer: Closer) => void): Promise<Pick<TestStore, "store" | "wake">> {
  const folder = await newStoreFolder("gh-sign-on-");
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const store = openSqlite(join(folder, "gatehouse.sqlite"));
  closeLater(() => store.close());
  await migrate(store, [runtimeMigrations, ...signOnSets], new Date(0));
  return { store, wake: createWake() };
}

/** The world as another application sees it; same people, same instance. */
export async function withApplication(
  { signOn }: Pick<Peers, "signOn">,
  world: World,
  more: Parameters<typeof applicationRequest>[1] = {},
): Promise<World> {
  const { application, secret } = await signOn.createApplication(applicationRequest(world.instanceId, more));
  return { ...world, application: { id: present(application).id, secret: secret ?? "" } };
}

/** Another person with a seat in the same tenant, and the same password. */
export async function withPerson({ platform, signOn }: Peers, world: World, email: string): Promise<World> {
  const { user } = await platform.inviteUser(
    invitation(world.tenantId, email, { firstName: "Tomas", lastName: "Berg" }),
  );
  const personId = present(present(user).person).id;
  await signOn.setPassword({ personId, password: PASSWORD });
  return { ...world, email, personId, userId: present(user).id };
}
