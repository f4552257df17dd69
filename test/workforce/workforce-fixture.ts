import { sql } from "kysely";
import { ConnectionsService } from "../../generated/proto/gatehouse/workforce/v1/connections.ts";
import { GatewayService } from "../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { OperatorService, type RateLimit } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import {
  type CreateTenantRequest,
  type InviteUserRequest,
  type OnboardWorkerRequest,
  PlatformService,
} from "../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { SignInService } from "../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Person, Tenant, User, Worker } from "../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { Clock } from "../../src/runtime/basis/clock.ts";
import type { Failure } from "../../src/runtime/basis/errors.ts";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { type OutboxEntry, takeFromOutbox } from "../../src/runtime/outbox/outbox.ts";
import type { CallOptions, Peer, PromiseClient, ServiceDefinition } from "../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../src/runtime/rpc/in-process.ts";
import { proofOf, toProofMetadata } from "../../src/workforce/integrations/api-key.ts";
import { workforceMigrations, workforceServices } from "../../src/workforce/services.ts";
import type { WorkforceTables } from "../../src/workforce/tables.ts";
import { quietBoundary } from "../support/carriers.ts";
import { standingClock } from "../support/clock.ts";
import { patiently } from "../support/patient-calls.ts";
import { inTransaction, type OpenStore, type TestStore } from "../support/stores.ts";

/** Workforce over one store, called as each of its peers over the in-process carrier with encoding. */
export async function openWorkforce(open: OpenStore) {
  return workforceOver(await open([workforceMigrations]));
}

/** A workforce with one tenant, on its one instance. */
export async function openTenant(open: OpenStore) {
  const workforce = await openWorkforce(open);
  const instanceId = await workforce.instance();
  return { workforce, instanceId, tenantId: (await workforce.tenant(instanceId)).id };
}

export type Workforce = ReturnType<typeof workforceOver>;

/** Far beyond what a test asks for while its clock does not move. */
export const NO_SOON_LIMIT = {
  "gateway-rate-per-second": 100_000,
  "gateway-rate-burst": 100_000,
  "export-pause-seconds": 60,
  "export-longest-minutes": 120,
};

export function workforceOver(
  opened: TestStore,
  clock = standingClock(),
  settings = NO_SOON_LIMIT,
  epoch = 1,
  sweepClock: Clock = clock,
) {
  const { store, wake } = opened;
  const identity = { epoch, epochBeganAt: new Date(epoch * 1_000) };
  const deps = { store, clock, sweepClock, random: systemRandom, wake, settings, epoch: identity };
  const { registrations, loops, erasers } = workforceServices(deps);
  const interceptors = quietBoundary();
  const as = <S extends ServiceDefinition>(peer: Peer, definition: S): PromiseClient<S> =>
    patiently(inProcessCarrier({ peer, registrations, interceptors, hand: "encoded" }).connect(definition));
  const platform = as("platform", PlatformService);
  const operator = as("operator", OperatorService);
  const signIn = as("services", SignInService);
  const db = store.view<WorkforceTables>();
  const integration = async (rateLimit: RateLimit | null, instanceIds: readonly string[]) => {
    const created = await operator.createIntegration({ requestId: "", name: "Payroll" });
    const integrationId = there(created.integration).id;
    const connectionIds: string[] = [];
    for (const instanceId of instanceIds) {
      clock.step(1);
      const request = { requestId: "", integrationId, instanceId, configured: true };
      const { instanceIntegration } = await operator.connectIntegration(request);
      connectionIds.push(there(instanceIntegration).id);
    }
    const { apiKey, secret } = await operator.issueApiKey({ integrationId, label: "test", rateLimit, scopes: [] });
    return { integrationId, connectionIds, connectionId: connectionIds[0] ?? "", apiKeyId: there(apiKey).id, secret };
  };
  return {
    opened,
    clock,
    registrations,
    loops,
    erasers,
    db,
    platform,
    operator,
    gateway: as("edge", GatewayService),
    signIn,
    connections: as("services", ConnectionsService),

    /** Every event that was committed and not read here before, oldest first. */
    async events(): Promise<readonly Omit<OutboxEntry, "eventId" | "occurredAt">[]> {
      const taken = await inTransaction(store.view(), (tx) => takeFromOutbox(tx, 1_000));
      return taken.map(({ eventId: _, occurredAt: __, sequence: ___, ...told }) => told);
    },

    async instance(name = "Europe"): Promise<string> {
      const { instance } = await platform.createInstance({ requestId: "", name });
      return instance?.id ?? "";
    },

    async tenant(instanceId: string, more: Partial<CreateTenantRequest> = {}): Promise<Tenant> {
      clock.step(1);
      const request = { requestId: "", instanceId, name: "Harbour Bakery", address: null, ...more };
      return there((await platform.createTenant(request)).tenant);
    },

    async user(tenantId: string, email: string, more: Partial<InviteUserRequest> = {}): Promise<SeatedUser> {
      clock.step(1);
      const request = { requestId: "", tenantId, email, emailVerified: false, ...more };
      return seated(there((await platform.inviteUser(request)).user));
    },

    async worker(tenantId: string, email: string, more: Partial<OnboardWorkerRequest> = {}): Promise<SeatedWorker> {
      clock.step(1);
      return seated(there((await platform.onboardWorker({ ...ines, tenantId, email, ...more })).worker));
    },

    /** An integration with a key and, for each instance, a configured connection. */
    integration: (...instanceIds: readonly string[]) => integration(null, instanceIds),
    /** The same with a limit of the key's own. */
    limitedIntegration: (rateLimit: RateLimit, ...instanceIds: readonly string[]) =>
      integration(rateLimit, instanceIds),

    /** The answer to who has entered the password at this moment, unless another is given. */
    async signs(personId: string, instanceId: string, authenticatedAt: Date | null = clock.now()): Promise<string> {
      return (await signIn.recordSignIn({ personId, instanceId, authenticatedAt })).membership;
    },

    /** The same where no instance is meant. */
    async signsEverywhere(personId: string): Promise<void> {
      await signIn.recordSignInEverywhere({ personId, authenticatedAt: clock.now() });
    },

    async revision(
      table: "workforce_tenants" | "workforce_instances" | "workforce_integrations",
      id: string,
    ): Promise<number> {
      const { rows } = await sql<{
        revision: number;
      }>`select revision from ${sql.table(table)} where id = ${id}`.execute(db);
      return there(rows[0]).revision;
    },

    raw: (statement: string) => sql.raw(statement).execute(db),
  };
}

type SeatedUser = User & { readonly person: Person };
type SeatedWorker = Worker & { readonly person: Person };
const seated = <T extends { person: Person | null }>(one: T) => ({ ...one, person: there(one.person) });

/** Somebody to onboard. */
export const ines: OnboardWorkerRequest = {
  requestId: "",
  tenantId: "",
  email: "",
  firstName: "Ines",
  lastName: "Okafor",
  jobTitles: [],
  address: null,
  unitIds: [],
  emailVerified: false,
};

export function there<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error("Something that the test needs is not there.");
  return value;
}

/** The options of a call with the proof of a key. */
export const withKey = (secret: string): CallOptions => ({ metadata: toProofMetadata(there(proofOf(secret))) });

/** What a call was refused with, as it crosses the carrier. */
export async function refusal(
  call: Promise<unknown> | AsyncIterable<unknown>,
): Promise<Pick<Failure, "code" | "reason" | "message" | "violations">> {
  const first = Symbol.asyncIterator in call ? call[Symbol.asyncIterator]().next() : call;
  const outcome = await first.then(
    (answer) => new Error(`It was answered: ${JSON.stringify(answer)}`),
    (error: Failure) => error,
  );
  const { code, reason, message, violations } = outcome as Failure;
  return { code, reason, message, violations };
}
