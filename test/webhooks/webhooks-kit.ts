import {
  type AttemptOutcome,
  type ClaimedAttempt,
  DispatchService,
  OutcomeClass,
} from "../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import {
  type CreateSubscriptionRequest,
  DeliveryState,
  OperatorService,
} from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { PublicKeysService, SubscriptionsService } from "../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { TestEventsService } from "../../generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { ConnectionsService } from "../../generated/proto/gatehouse/workforce/v1/connections.ts";
import { type Clock, systemClock } from "../../src/runtime/basis/clock.ts";
import { notFound } from "../../src/runtime/basis/errors.ts";
import { newId, type TenantId } from "../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { createChanges } from "../../src/runtime/changes/change.ts";
import type { Eraser } from "../../src/runtime/erasure/erasures.ts";
import type { OutboxEntry, OutboxTables } from "../../src/runtime/outbox/outbox.ts";
import type { HealthCheck } from "../../src/runtime/process/lifecycle.ts";
import { type Loop, superviseLoops } from "../../src/runtime/process/loop.ts";
import { createMetrics, type Metrics } from "../../src/runtime/process/metrics.ts";
import {
  type Carrier,
  type PromiseClient,
  type Registration,
  registration,
  type ServiceDefinition,
} from "../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../src/runtime/rpc/in-process.ts";
import { createSealer } from "../../src/runtime/sealing/sealing.ts";
import type { Resolve } from "../../src/webhooks/sending/name-resolver.ts";
import { webhooksMigrations, webhooksServices } from "../../src/webhooks/services.ts";
import { webhooksSettings } from "../../src/webhooks/settings.ts";
import type { WebhooksTables } from "../../src/webhooks/tables.ts";
import { webhooksWorker } from "../../src/webhooks/worker.ts";
import { auditEntries } from "../support/audited.ts";
import { quietBoundary } from "../support/carriers.ts";
import { type StandingClock, standingClock } from "../support/clock.ts";
import { eventually } from "../support/eventually.ts";
import { oneRound } from "../support/one-round.ts";
import { patiently } from "../support/patient-calls.ts";
import { readSettings } from "../support/read-settings.ts";
import { silentLog } from "../support/silent-log.ts";
import type { OpenStore, TestStore } from "../support/stores.ts";
import { present } from "../support/world.ts";

export const INSTANCE_ID = newId("instance", systemRandom);
export const INTEGRATION_ID = newId("integration", systemRandom);
export const INSTANCE_INTEGRATION_ID = newId("instanceIntegration", systemRandom);
export const UNCONFIGURED_ID = newId("instanceIntegration", systemRandom);
export const TENANT_ID = newId("tenant", systemRandom);
export const OTHER_TENANT_ID = newId("tenant", systemRandom);

export const MASTER_KEY = Buffer.alloc(32, 7);

/** Settings as an operator would give them, for endpoints on this machine. */
export const settingsFor = (flags: Readonly<Record<string, string>> = {}) =>
  readSettings(
    webhooksSettings,
    {
      flags: { "webhook-allow-http": "true", "webhook-allowed-networks": "127.0.0.0/8,::1", ...flags },
      environment: {},
    },
    ["services", "worker"],
  );

/** A tenant of another instance. */
export const FOREIGN_TENANT_ID = "client_FoReignFoReignFoReig0";

/** Workforce, as far as webhooks asks it: one configured instance integration, and one that is not. */
export const connections = inProcessCarrier({
  peer: "services",
  interceptors: quietBoundary(),
  registrations: [
    registration(ConnectionsService, {
      async getInstanceIntegration({ instanceIntegrationId, tenantIds }) {
        if (![INSTANCE_INTEGRATION_ID, UNCONFIGURED_ID].some((known) => known === instanceIntegrationId))
          throw notFound("instance_integration_not_found", "Instance integration not found");
        return {
          instanceIntegrationId,
          integrationId: INTEGRATION_ID,
          instanceId: INSTANCE_ID,
          configured: instanceIntegrationId === INSTANCE_INTEGRATION_ID,
          unknownTenantIds: tenantIds.filter((id) => id === FOREIGN_TENANT_ID),
        };
      },
      listForeign: async ({ tenantIds, instanceIntegrationIds }) => ({
        tenantIds: tenantIds.filter((id) => id === FOREIGN_TENANT_ID),
        instanceIntegrationIds: instanceIntegrationIds.filter((id) => id !== INSTANCE_INTEGRATION_ID),
      }),
    }),
  ],
});

/** The services half over an open store, and what is on both sides of it. */
export interface WebhooksKit {
  readonly opened: TestStore;
  readonly clock: StandingClock;
  readonly operator: PromiseClient<typeof OperatorService>;
  readonly dispatch: PromiseClient<typeof DispatchService>;
  readonly testEvents: PromiseClient<typeof TestEventsService>;
  readonly subscriptions: PromiseClient<typeof SubscriptionsService>;
  readonly publicKeys: PromiseClient<typeof PublicKeysService>;
  /** As registered, without a carrier in between. */
  readonly registrations: readonly Registration[];
  /** Of the services half, the relay first. */
  readonly loops: readonly Loop[];
  /** Of the services half. */
  readonly checks: readonly HealthCheck[];
  readonly erasers: readonly Eraser[];
  readonly metrics: Metrics;
  readonly tables: ReturnType<typeof tablesOf>;
  /** Has workforce say this of the instance integration of all subscriptions, the operator's revision with it. */
  setConnection(state: "configured" | "unconfigured" | "revoked", revision?: number): Promise<unknown>;
  /** Makes a subscription to everything unless the arguments say otherwise; returns its id and secret. */
  subscribe(more?: Partial<CreateSubscriptionRequest>): Promise<{ readonly id: string; readonly secret: string }>;
  /** Copies the only subscription, without its secret, until there are so many, each a millisecond younger. */
  multiply(count: number): Promise<void>;
  /** Writes events in one change, as a domain does. */
  emit(...events: readonly Partial<Omit<OutboxEntry, "eventId" | "occurredAt">>[]): Promise<void>;
  /** Runs the relay until the outbox is empty. */
  relay(): Promise<void>;
  /** Runs one transaction of the relay. */
  relayOnce(): Promise<void>;
  /** Removes what is older than it is kept. */
  sweep(): Promise<void>;
  /** Runs the loop of this name until its next wait. */
  turn(loop: string): Promise<void>;
  /** Claims without waiting. */
  claim(limit?: number): Promise<readonly ClaimedAttempt[]>;
  /** Emits one event, relays and claims it. */
  claimOne(): Promise<ClaimedAttempt>;
  record(claimed: ClaimedAttempt, outcome?: Partial<AttemptOutcome>): Promise<number>;
  /** Of all deliveries, oldest first. */
  deliveries(): ReturnType<typeof listDeliveries>;
  /** The audit log, oldest first. */
  audit(): Promise<
    readonly { readonly actor: string; readonly action: string; readonly object: string; readonly facts: string }[]
  >;
  /** Runs the relay and the dispatcher until stopped. */
  run(): { stop(): Promise<void> };
}

export interface KitOptions {
  readonly flags?: Readonly<Record<string, string>>;
  readonly clock?: StandingClock;
  readonly masterKey?: Buffer;
  /** The retry engine that failed deliveries wait for; nothing drives them but the test. */
  readonly retries?: "embedded" | "temporal";
  /** In place of the DNS, for the worker. */
  readonly resolve?: Resolve;
  /** To workforce; one that knows two instance integrations unless given. */
  readonly connect?: Carrier["connect"];
  /** How long the process has run; an hour unless given. */
  readonly ranMs?: number;
}

/** The kit over a new store. */
export const openKit = async (open: OpenStore, options?: KitOptions): Promise<WebhooksKit> =>
  webhooksKit(await open([webhooksMigrations]), options);

const tablesOf = ({ store }: TestStore) => store.view<WebhooksTables & OutboxTables>();

export function webhooksKit(
  opened: TestStore,
  {
    flags,
    clock = standingClock(),
    masterKey,
    retries = "embedded",
    resolve,
    connect = connections.connect,
    ranMs = 3_600_000,
  }: KitOptions = {},
): WebhooksKit {
  const { store, wake } = opened;
  const random = systemRandom;
  const settings = settingsFor(flags);
  const metrics = createMetrics();
  const services = webhooksServices({
    store,
    wake,
    clock,
    sweepClock: clock,
    random,
    sealer: createSealer([masterKey ?? MASTER_KEY], random),
    log: silentLog,
    metrics,
    connect,
    settings,
    version: "1.2.3",
    retries,
    ranMs: () => ranMs,
  });
  const { registrations } = services;
  const carrierOf = (peer: "operator" | "worker" | "edge") =>
    inProcessCarrier({ peer, registrations, interceptors: quietBoundary(), hand: "frozen" });
  const as = <S extends ServiceDefinition>(peer: "operator" | "worker" | "edge", definition: S): PromiseClient<S> =>
    patiently(carrierOf(peer).connect(definition));
  const operator = as("operator", OperatorService);
  const dispatch = as("worker", DispatchService);
  const tables = tablesOf(opened);
  const changes = createChanges<WebhooksTables>({ store, wake, clock, random });
  const [relayLoop] = services.loops as [Loop];

  const turn = (loop: string) => oneRound(present(services.loops.find(({ name }) => name === loop)));

  const kit: WebhooksKit = {
    opened,
    clock,
    operator,
    dispatch,
    testEvents: as("operator", TestEventsService),
    subscriptions: as("operator", SubscriptionsService),
    publicKeys: as("edge", PublicKeysService),
    registrations,
    loops: services.loops,
    checks: services.checks,
    erasers: services.erasers,
    metrics,
    tables,
    async subscribe(more = {}) {
      const { subscription, signingSecret } = await operator.createSubscription({
        label: `label-${newId("subscription", random).slice(13).toLowerCase()}`,
        instanceIntegrationId: INSTANCE_INTEGRATION_ID,
        endpointUrl: "https://hooks.example/in",
        eventTypes: ["*"],
        tenantIds: [],
        ...more,
      });
      return { id: subscription?.id ?? "", secret: signingSecret };
    },
    setConnection: (state, revision = 1) =>
      tables
        .insertInto("webhooks_connections")
        .values({ instance_integration_id: INSTANCE_INTEGRATION_ID, state, revision })
        .execute(),
    async multiply(count) {
      const one = await tables.selectFrom("webhooks_subscriptions").selectAll().executeTakeFirstOrThrow();
      const copies = Array.from({ length: count - 1 }, (_, index) => ({
        ...one,
        id: newId("subscription", random),
        label: `copy-${index}`,
        created_at: one.created_at + 1 + index,
      }));
      for (let from = 0; from < copies.length; from += 100) {
        await tables
          .insertInto("webhooks_subscriptions")
          .values(copies.slice(from, from + 100))
          .execute();
      }
    },
    emit: (...events) =>
      changes.run(async ({ emit }) => {
        for (const event of events.length === 0 ? [{}] : events) await emit({ ...userUpdated(), ...event });
      }),
    async relay() {
      const ending = new AbortController();
      const running = relayLoop.run(ending.signal);
      const pending = () =>
        tables.selectFrom("outbox_entries").select("event_id").where("relayed_at", "is", null).execute();
      await eventually(pending, (rows) => rows.length === 0);
      ending.abort();
      await running;
    },
    relayOnce: () => oneRound(relayLoop),
    sweep: () => turn("webhook-sweep"),
    turn,
    claim: async (limit = 50) => (await dispatch.claimDue({ limit, waitMs: 0 })).attempts,
    async claimOne() {
      await kit.emit();
      await kit.relay();
      const [claimed] = await kit.claim();
      if (claimed === undefined) throw new Error("Nothing was due.");
      return claimed;
    },
    record: async (claimed, more) => (await dispatch.recordOutcomes({ outcomes: [outcomeOf(claimed, more)] })).recorded,
    deliveries: () => listDeliveries(operator),
    audit: () => auditEntries(store, ["actor", "action", "object", "facts"]),
    run: () => {
      const ofWorker = createMetrics();
      const { loops } = webhooksWorker({
        connect: carrierOf("worker").connect,
        random,
        log: silentLog,
        metrics: ofWorker,
        settings,
        version: "1.2.3",
        ...(resolve && { outside: { resolve } }),
      });
      return superviseLoops([relayLoop, ...loops], { log: silentLog, metrics: ofWorker });
    },
  };
  return kit;
}

async function listDeliveries(operator: PromiseClient<typeof OperatorService>) {
  const { deliveries } = await operator.listDeliveries({ states: [], limit: 500 });
  return deliveries.toReversed().map(({ state, attempts, reason, dueAt, ...delivery }) => ({
    ...delivery,
    state: state.replace("DELIVERY_STATE_", "").toLowerCase(),
    reason: reason ?? undefined,
    dueAt: dueAt ?? undefined,
    attempts: attempts.map(({ outcome }) => outcome),
  }));
}

/** The machine's time, for what really runs. */
export const runningClock: StandingClock = {
  ...systemClock,
  step() {
    throw new Error("The machine's time cannot be moved.");
  },
  set() {
    throw new Error("The machine's time cannot be moved.");
  },
};

/** A refusal with 500 unless the arguments say otherwise. */
export const outcomeOf = (
  claimed: Pick<ClaimedAttempt, "deliveryId" | "fence" | "round" | "attemptNumber">,
  more: Partial<AttemptOutcome> = {},
): AttemptOutcome => ({
  deliveryId: claimed.deliveryId,
  fence: claimed.fence,
  round: claimed.round,
  attemptNumber: claimed.attemptNumber,
  class: OutcomeClass.REFUSED,
  httpStatus: 500,
  durationMs: 12,
  responseExcerpt: Buffer.alloc(0),
  ...more,
});

export const ACKNOWLEDGED = { class: OutcomeClass.ACKNOWLEDGED, httpStatus: 204 } as const;
export const GONE = { class: OutcomeClass.GONE, httpStatus: 410 } as const;
export { DeliveryState, OutcomeClass };

/** A `user.updated` as workforce writes it. */
export function userUpdated(tenantId: TenantId = TENANT_ID): Omit<OutboxEntry, "eventId" | "occurredAt"> {
  const id = newId("user", systemRandom);
  return {
    eventType: "user.updated",
    entity: { type: "user", id },
    instanceId: INSTANCE_ID,
    tenantId,
    selfPath: `/v1/instance-integrations/{instanceIntegrationId}/clients/${tenantId}/users/${id}`,
    data: {
      userId: id,
      clientId: tenantId,
      email: "maren.dahl@harbour.example",
      firstName: "Maren",
      lastName: "Dahl",
      fullName: "Maren Dahl",
      status: "ACTIVE",
      manager: null,
      role: { id: "2", name: "Admin" },
      createdAt: "2026-06-29T10:00:00.000Z",
    },
  };
}

/** A `client.created` as workforce writes it. */
export const clientCreated = (tenantId: TenantId = TENANT_ID): Omit<OutboxEntry, "eventId" | "occurredAt"> => ({
  eventType: "client.created",
  entity: { type: "client", id: tenantId },
  instanceId: INSTANCE_ID,
  tenantId,
  selfPath: `/v1/instance-integrations/{instanceIntegrationId}/clients/${tenantId}`,
  data: {
    clientId: tenantId,
    name: "Harbour Bakery",
    address: { address1: null, address2: null, city: null, isoCountryCode: "NO", postalCode: null, zoneCode: null },
  },
});

/** An entry as the relay takes it. */
export const entryOf = (
  event: Omit<OutboxEntry, "eventId" | "occurredAt">,
  { now }: Clock = standingClock(),
): OutboxEntry => ({ ...event, eventId: newId("event", systemRandom), occurredAt: now() });
