import { setTimeout as sleep } from "node:timers/promises";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import { invitation, onboarding, type Peers, present, type World } from "../../support/world.ts";
import { type Asking, ask, Unanswered } from "./asking.ts";
import type { Dice } from "./dice.ts";
import type { Write, WriteKind } from "./ledger.ts";

/** What every actor of the load works with. */
export interface Scene extends Asking {
  readonly world: World;
  /** Operator and platform sockets, one of each site. */
  readonly peers: readonly Peers[];
  readonly signal: AbortSignal;
}

/** Answers of a call that do not say whether it was done; every other failure is a broken promise. */
const LATER: ReadonlySet<string> = new Set(["UNAVAILABLE", "DEADLINE_EXCEEDED", "ABORTED", "CANCELLED"]);
const TRIES = 4;

const KINDS: readonly WriteKind[] = ["tenant", "user", "user", "worker", "worker", "location", "unit type"];

/** The platform: writes one thing after another, each with a request id, and repeats what had no answer, at any site. */
export async function platformLoad(scene: Scene, dice: Dice, name: string): Promise<void> {
  for (let round = 0; !scene.signal.aborted; round++) {
    const write = newWrite(scene, dice, `${name}-${round}`);
    scene.ledger.writes.push(write);
    for (let attempt = 0; attempt < TRIES && write.id === undefined && !scene.signal.aborted; attempt++) {
      if (attempt > 0) await sleep(dice.between(50, 500));
      await send(scene, write, dice.below(scene.peers.length));
    }
    // A repeat of what was answered already: another answer would be a second thing.
    if (dice.chance(0.15)) await send(scene, write, dice.below(scene.peers.length));
    await sleep(dice.between(20, 160));
  }
}

/** Sends once; whether an answer arrived. */
export async function send(
  { ledger, peers }: Pick<Scene, "ledger" | "peers">,
  write: Write,
  site: number,
): Promise<boolean> {
  const kind = `gRPC ${write.kind}`;
  try {
    const id = await write.send(site % peers.length);
    ledger.answered(kind, "OK");
    if (write.id !== undefined && write.id !== id)
      ledger.incident(`${write.requestId} made two things: ${write.id} and ${id}`);
    write.id ??= id;
    return true;
  } catch (error) {
    const failure = error instanceof Failure ? error : undefined;
    ledger.answered(kind, failure?.code ?? "no failure of ours");
    if (failure === undefined || !LATER.has(failure.code))
      ledger.incident(`${kind} ${write.requestId}: ${failure?.code} ${failure?.reason} ${String(error)}`);
    return false;
  }
}

function newWrite(scene: Scene, dice: Dice, requestId: string): Write {
  const { peers, world, ledger } = scene;
  const { instanceId, tenantId } = world;
  const platform = (site: number) => present(peers[site]).platform;
  const email = `${requestId}@weather.example`;
  const workers = ledger.writes.filter(({ kind, id }) => kind === "worker" && id !== undefined).slice(-50);
  const known = dice.chance(0.2) && workers.length > 0 ? dice.pick(workers).id : undefined;
  if (known !== undefined) {
    const change = { jobTitles: [requestId], phone: null, address: null, unitIds: [] };
    const mask = { updateMask: ["job_titles"], primaryUnitId: null, locationId: null };
    const sent = async (site: number) =>
      (await platform(site).updateWorker({ requestId, workerId: known, ...change, ...mask })).worker;
    return { requestId, kind: "worker change", send: (site) => idOf(sent(site)) };
  }
  const kind = dice.pick(KINDS);
  const name = requestId;
  const sends: Readonly<Record<string, (site: number) => Promise<{ readonly id: string } | null>>> = {
    tenant: async (site) => (await platform(site).createTenant({ requestId, instanceId, name, address: null })).tenant,
    user: async (site) => (await platform(site).inviteUser(invitation(tenantId, email, { requestId }))).user,
    worker: async (site) => (await platform(site).onboardWorker(onboarding(tenantId, email, { requestId }))).worker,
    location: async (site) => (await platform(site).createLocation({ requestId, tenantId, name })).location,
    "unit type": async (site) =>
      (await platform(site).createUnitType({ requestId, tenantId, name, units: [] })).unitType,
  };
  const sent = present(sends[kind]);
  return { requestId, kind, send: (site) => idOf(sent(site)) };
}

const idOf = async (one: Promise<{ readonly id: string } | null>): Promise<string> => present(await one).id;

/** An integration: reads lists and single things through the gateway; what was acknowledged must be there. */
export async function gatewayLoad(scene: Scene, dice: Dice): Promise<void> {
  const { ledger, signal, urls } = scene;
  const { instanceIntegrationId, tenantId, apiKey } = scene.world;
  const base = `instance-integrations/${instanceIntegrationId}/clients`;
  const single: Readonly<Partial<Record<WriteKind, (id: string) => string>>> = {
    tenant: (id) => `/v1/${base}/${id}`,
    user: (id) => `/v1/${base}/${tenantId}/users/${id}`,
    worker: (id) => `/v2/${base}/${tenantId}/workers/${id}`,
  };
  const lists = [`/v1/${base}/${tenantId}/job-titles`, `/v1/${base}/${tenantId}/organization-structure`];
  while (!signal.aborted) {
    const acknowledged = ledger.writes.filter(({ id, kind }) => id !== undefined && kind in single).slice(-200);
    const one = acknowledged.length === 0 || dice.chance(0.1) ? undefined : dice.pick(acknowledged);
    const path = one === undefined ? dice.pick(lists) : present(single[one.kind])(present(one.id));
    try {
      const answer = await ask(scene, dice.below(urls.length), path, { headers: { "x-api-key": apiKey } });
      if (answer.status !== 200) ledger.incident(`${path} of something acknowledged: ${answer.status} ${answer.text}`);
    } catch (error) {
      if (!(error instanceof Unanswered)) ledger.incident(`${path}: ${String(error)}`);
    }
    await sleep(dice.between(20, 120));
  }
}
