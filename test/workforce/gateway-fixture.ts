import { systemRandom } from "../../src/runtime/basis/random.ts";
import { startEdgeServer } from "../../src/runtime/http/edge-server.ts";
import type { EdgeTimeouts } from "../../src/runtime/http/edge-timeouts.ts";
import type { Log } from "../../src/runtime/process/log.ts";
import { createMetrics, type Metrics } from "../../src/runtime/process/metrics.ts";
import type { Carrier, Interceptor, Registration } from "../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../src/runtime/rpc/in-process.ts";
import { webhooksEdge } from "../../src/webhooks/edge.ts";
import { gatewayEdge } from "../../src/workforce/edge.ts";
import type { KnownRevision } from "../../src/workforce/revisions.ts";
import { quietBoundary } from "../support/carriers.ts";
import { type CallInit, call } from "../support/http.ts";
import { silentLog } from "../support/silent-log.ts";
import type { OpenStore } from "../support/stores.ts";
import { openWorkforce, there, type Workforce } from "./workforce-fixture.ts";

export const GATEWAY_URL = "https://gateway.example.com";

export interface GatewayOptions extends Partial<Pick<Carrier, "connect">> {
  readonly log?: Log;
  readonly metrics?: Metrics;
  readonly timeouts?: EdgeTimeouts;
}

/** The gateway's area behind the real listener, over the in-process carrier with encoding unless another is given. */
export async function startGateway(registrations: readonly Registration[], options: GatewayOptions = {}) {
  const { log = silentLog, metrics = createMetrics(), timeouts } = options;
  const calls: string[] = [];
  const requests: KnownRevision[] = [];
  const counting: Interceptor =
    (next, { path }) =>
    (request, received) => {
      calls.push(path.slice(path.lastIndexOf("/") + 1));
      requests.push(request as KnownRevision);
      return next(request, received);
    };
  const interceptors = [...quietBoundary(), counting];
  const { connect } = options.connect
    ? { connect: options.connect }
    : inProcessCarrier({ peer: "edge", registrations, interceptors, hand: "encoded" });
  const server = await startEdgeServer({
    host: "127.0.0.1",
    port: 0,
    areas: [gatewayEdge({ connect, gatewayUrl: GATEWAY_URL, version: "0.1.0", webhooks: webhooksEdge(connect) })],
    log,
    metrics,
    random: systemRandom,
    ...(timeouts && { timeouts }),
  });
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return {
    baseUrl,
    metrics,
    /** The methods that were called and not read here before. */
    takeCalls: () => calls.splice(0),
    /** The revision that each call since the last look here named as known. */
    takeKnownRevisions: () => requests.splice(0).map(({ knownRevision }) => knownRevision ?? undefined),
    /** One request; held against the contract. */
    get: (path: string, secret?: string, init: CallInit = {}) =>
      call(baseUrl, path, {
        ...init,
        headers: { ...(secret !== undefined && { "x-api-key": secret }), ...init.headers },
      }),
    stop: () => server.stop(500),
  };
}

export type Gateway = Awaited<ReturnType<typeof startGateway>>;

/** A furnished workforce behind a gateway, which the caller stops. */
export async function openFurnished(open: OpenStore) {
  const workforce = await openWorkforce(open);
  const gateway = await startGateway(workforce.registrations);
  return { workforce, gateway, have: await furnish(workforce) };
}

/** Two integrations, each connected with an instance of its own, and what there is to be read below the first. */
export async function furnish(workforce: Workforce) {
  const { operator } = workforce;
  const instanceId = await workforce.instance("Europe");
  const mine = await workforce.integration(instanceId, await workforce.instance("North America"));
  const unconfiguredInstance = await workforce.instance("Asia");
  workforce.clock.step(1);
  const { instanceIntegration: unconfigured } = await operator.connectIntegration({
    requestId: "",
    integrationId: mine.integrationId,
    instanceId: unconfiguredInstance,
    configured: false,
  });
  const address = { address1: "14 Quay Street", city: "Rotterdam", isoCountryCode: "NL", postalCode: "3011 AB" };
  const tenant = await workforce.tenant(instanceId, { address });
  const bare = await workforce.tenant(instanceId, { name: "Nordlys Ærlig Å/S 🥐" });
  const names = { firstName: "Aiko", lastName: "Marsh" };
  const owner = await workforce.user(tenant.id, "aiko@example.com", { roleName: "Owner", ...names });
  await workforce.signs(owner.person.id, instanceId);
  const user = await workforce.user(tenant.id, "maren@example.com", { roleName: "Admin", firstName: "Maren" });
  const nameless = await workforce.user(bare.id, "nameless@example.com");
  const structure = await defineStructure(workforce, tenant.id);
  const worker = await workforce.worker(tenant.id, "ines@example.com", {
    unitIds: [structure.unit.id, structure.top.id],
    primaryUnitId: structure.top.id,
    locationId: structure.location.id,
    jobTitles: ["Baker", "Shift lead"],
    phone: "+31 10 555 0142",
    address: { address1: "3 Mill Lane", address2: "Flat 2", city: "Rotterdam", isoCountryCode: "NL" },
  });
  const plain = await workforce.worker(tenant.id, "tomas@example.com", { firstName: "Tomas", lastName: "Lindqvist" });

  const foreignInstance = await workforce.instance("Elsewhere");
  const theirs = await workforce.integration(foreignInstance);
  const foreignTenant = await workforce.tenant(foreignInstance);
  const foreignUser = await workforce.user(foreignTenant.id, "foreign@example.com");
  const foreignWorker = await workforce.worker(foreignTenant.id, "foreign.worker@example.com");
  return {
    instanceId,
    integrationId: mine.integrationId,
    secret: mine.secret,
    apiKeyId: mine.apiKeyId,
    connectionId: mine.connectionId,
    /** By the names of the parameters of paths. */
    pathIds: {
      instanceIntegrationId: mine.connectionId,
      clientId: tenant.id,
      userId: user.id,
      workerId: worker.id,
    },
    otherConnectionId: there(mine.connectionIds[1]),
    unconfiguredId: there(unconfigured).id,
    tenant,
    bare,
    owner,
    user,
    nameless,
    structure,
    worker,
    plain,
    theirs,
    foreignTenant,
    foreignUser,
    foreignWorker,
  };
}

/** Two layers with a unit each, one below the other, and a location. */
async function defineStructure({ platform, clock }: Workforce, tenantId: string) {
  const base = { requestId: "", tenantId };
  const { unitType } = await platform.createUnitType({ ...base, name: "Department", units: [] });
  clock.step(1);
  const { unitType: lower } = await platform.createUnitType({ ...base, name: "Lag ☕", units: [] });
  const typeId = there(unitType).id;
  const { unit: top } = await platform.createUnit({
    ...base,
    unitTypeId: typeId,
    name: "Bakery",
    description: "Ovens",
  });
  clock.step(1);
  const below = { unitTypeId: there(lower).id, parentUnitId: there(top).id };
  const { unit } = await platform.createUnit({ ...base, ...below, name: "Rye Ærlig", unitCode: "R-1" });
  const { location } = await platform.createLocation({ ...base, name: "Quay Street" });
  return {
    unitType: there(unitType),
    lower: there(lower),
    top: there(top),
    unit: there(unit),
    location: there(location),
  };
}

export type Furniture = Awaited<ReturnType<typeof furnish>>;
