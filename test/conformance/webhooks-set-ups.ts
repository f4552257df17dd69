import { ApiKeyScope } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { call } from "../support/http.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { type Ask, notApplicable, type SetUp } from "./set-up.ts";
import { lastMinute, WebhooksRoom } from "./webhooks-room.ts";

const UNKNOWN: Readonly<Record<string, readonly [parameter: string, id: string]>> = {
  subscriptionNotFound: ["subscriptionId", "subscription_000000000000000000000"],
  secretNotFound: ["secretNumber", "999"],
  eventNotFound: ["eventId", "event_000000000000000000000"],
  deliveryNotFound: ["deliveryId", "delivery_000000000000000000000"],
  recoveryNotFound: ["recoveryId", "recovery_000000000000000000000"],
};

const NOT_BY_SDK = notApplicable("its bodies are JSON, and its types bound what is in them");

/** A request that works, and the subscription that it is about. */
interface Good extends Ask {
  readonly about: string;
}

/**
 * Brings about a case of an integration's own webhooks, twice: what one subject deletes, revokes or starts is not there
 * for the other. Undefined for an unknown case.
 */
export async function webhooksSetUp(one: Case, installations: Installations): Promise<SetUp | undefined> {
  const asks = async () => askOf(one, await WebhooksRoom.open(installations, one.name), installations);
  if (one.status === 412) return await ofAnotherTag(one, installations);
  const [server, sdk] = [await asks(), await asks()];
  if (one.status === 304 && server !== undefined)
    return { server, sdk: notApplicable("it does not remember what is about webhooks (R-X423)") };
  if (server === undefined || sdk === undefined) return undefined;
  const isBare = one.status === 400 && server.body !== undefined;
  if (isBare) return { server, sdk: notApplicable("it sends no body where the operation takes none") };
  return { server, sdk: one.status === 413 || one.status === 415 ? NOT_BY_SDK : sdk };
}

async function ofAnotherTag(one: Case, installations: Installations): Promise<SetUp> {
  const good = await goodOf(one, await WebhooksRoom.open(installations, one.name));
  return {
    server: { ...good, headers: { "if-match": '"another"' } },
    sdk: notApplicable("it has no If-Match (R-X420)"),
  };
}

/** A request that names the copy that it gets. */
async function withItsTag(one: Case, room: WebhooksRoom, { urls }: Installations): Promise<Ask> {
  const good = await goodOf(one, room);
  const headers = { "x-api-key": room.owner.apiKey };
  const read = await call(urls.whole, `/v1/webhooks/subscriptions/${good.about}`, { headers });
  return { ...good, headers: { "if-none-match": read.headers.get("etag") ?? "" } };
}

async function askOf(one: Case, room: WebhooksRoom, installations: Installations): Promise<Ask | undefined> {
  const shown = shownOf(one, room);
  switch (one.status) {
    case 200:
    case 201:
    case 202:
    case 204:
      return await goodOf(one, room);
    case 304:
      return await withItsTag(one, room, installations);
    case 400:
      return malformed(one, shown);
    case 401:
      return { ...shown, apiKey: "wrong" };
    case 403:
      return { ...shown, apiKey: await issued(installations, room, { scopes: [ApiKeyScope.READ] }) };
    case 404:
      return await missing(one, room);
    case 409:
      return await CONFLICTS[one.example ?? ""]?.(one, room);
    case 410:
      return await behindWhatIsKept(room);
    case 413:
      return { ...shown, json: { ...shown.json, description: "x".repeat(70_000) } };
    case 415:
      return { ...shown, headers: { "content-type": "text/plain" } };
    case 429: {
      const apiKey = await issued(installations, room, { rateLimit: { perSecond: 1, burst: 1 } });
      const headers = { "x-api-key": apiKey };
      const first = async () => void (await call(installations.urls.whole, "/v1/webhooks/subscriptions", { headers }));
      return { ...shown, apiKey, first };
    }
    case 500:
      return { ...shown, at: "failing" };
    case 503:
      return { ...shown, at: "unreachable" };
    default:
      return undefined;
  }
}

/** Another key of the same integration. */
async function issued(
  { gatehouse }: Installations,
  { owner: { integrationId } }: WebhooksRoom,
  more: { readonly scopes?: ApiKeyScope[]; readonly rateLimit?: { perSecond: number; burst: number } },
): Promise<string> {
  const { secret } = await gatehouse.workforce.issueApiKey({
    ...{ integrationId, label: "another", expiresAt: null, rateLimit: null },
    scopes: [ApiKeyScope.WEBHOOKS],
    ...more,
  });
  return secret;
}

/** The request that the contract shows, for answers that come before anything is looked for. */
const shownOf = ({ shown: { path, body } }: Case, { owner: { apiKey } }: WebhooksRoom): Good => ({
  ...{ about: "", apiKey, path },
  ...(body === undefined ? {} : { json: body.value as object }),
});

/** A request that the operation answers well. */
async function goodOf(one: Case, room: WebhooksRoom): Promise<Good> {
  const named = Object.keys(one.shown.path);
  const ids = await thingsOf(one, named, room);
  const about = ids.subscriptionId ?? "";
  const bodies: Readonly<Record<string, () => object>> = {
    createSubscription: () => ({ instanceIntegrationId: room.owner.instanceIntegrationId, eventTypes: ["*"] }),
    updateSubscription: () => ({ description: "x" }),
    rotateSigningSecret: () => ({ overlapSeconds: 60 }),
    sendTestEvent: () => ({ type: "user.updated" }),
    signTestMessages: () => ({ messages: [{ type: "user.updated" }] }),
    startRecovery: () => lastMinute(about),
    startRecoveries: () => ({ from: new Date(Date.now() - 60_000).toISOString() }),
  };
  const json = bodies[one.operationId]?.();
  const path = Object.fromEntries(named.map((name) => [name, ids[name] ?? ""]));
  return { about, apiKey: room.owner.apiKey, path, ...(json && { json }) };
}

async function thingsOf(
  { operationId }: Case,
  named: readonly string[],
  room: WebhooksRoom,
): Promise<Readonly<Record<string, string>>> {
  if (named.includes("recoveryId")) return await room.pausedRecovery();
  if (named.includes("deliveryId") || named.includes("eventId") || operationId === "startRecovery")
    return await room.skipped();
  if (!named.includes("subscriptionId")) return {};
  if (operationId === "listPublicKeys") return { subscriptionId: await room.withKeyPair() };
  const subscriptionId = operationId === "pingSubscription" ? await room.withEndpoint() : await room.pullOnly();
  if (named.includes("secretNumber")) await room.ask("POST", `/subscriptions/${subscriptionId}/secrets`, {});
  return { subscriptionId, secretNumber: "1" };
}

const WRONG_BODIES: Readonly<Record<string, object>> = {
  createSubscription: { instanceIntegrationId: "nonsense", eventTypes: ["*"] },
  startRecovery: { subscriptionId: "nonsense", from: "2026-06-30T08:00:00.000Z" },
  startRecoveries: { from: "2026-06-30T08:00:00.000Z", clientIds: ["nonsense"] },
};

function malformed(one: Case, good: Good): Ask {
  const [last] = Object.keys(one.shown.path).slice(-1);
  // SDKs in which a number is a number cannot send another text.
  const nonsense = last === "secretNumber" ? "0" : "nonsense";
  if (last !== undefined) return { ...good, path: { ...good.path, [last]: nonsense } };
  const json = WRONG_BODIES[one.operationId];
  return json === undefined ? { ...good, body: "{}" } : { ...good, json };
}

async function missing(one: Case, room: WebhooksRoom): Promise<Ask> {
  const shown = shownOf(one, room);
  const happens = UNREACHABLE[one.example ?? ""];
  if (one.operationId === "createSubscription")
    return { ...shown, json: { ...shown.json, instanceIntegrationId: await otherConnection(one, room) } };
  if (happens !== undefined && (one.example !== "subscriptionNotFound" || one.operationId === "resendDelivery"))
    return await afterwards(happens)(one, room);
  const [name = "", id = ""] = UNKNOWN[one.example ?? ""] ?? [];
  const { about: subscriptionId } = name === "secretNumber" || name === "eventId" ? await goodOf(one, room) : shown;
  const path = { ...shown.path, ...(subscriptionId !== "" && { subscriptionId }) };
  return name in path ? { ...shown, path: { ...path, [name]: id } } : { ...shown, json: { ...shown.json, [name]: id } };
}

const otherConnection = async ({ example }: Case, room: WebhooksRoom): Promise<string> =>
  example === "instanceIntegrationNotConfigured" ? await room.unconfigured() : "installation_000000000000000000000";

/** What ends that anything reaches a subscription. */
const UNREACHABLE: Readonly<Record<string, (subscriptionId: string, room: WebhooksRoom) => Promise<unknown>>> = {
  instanceIntegrationNotConfigured: (_, room) => room.setConnection("unconfigured"),
  instanceIntegrationNotFound: (_, room) => room.setConnection("revoked"),
  subscriptionNotFound: (id, room) => room.ask("DELETE", `/subscriptions/${id}`),
};

type Conflict = (one: Case, room: WebhooksRoom) => Promise<Ask>;

/** A good request, and then something that happens to its subscription. */
const afterwards =
  (happens: (subscriptionId: string, room: WebhooksRoom) => Promise<unknown>): Conflict =>
  async (one, room) => {
    const good = await goodOf(one, room);
    const { recoveryId, deliveryId } = good.path ?? {};
    const about =
      good.about !== ""
        ? good.about
        : (
            await room.ask<{ subscriptionId: string }>(
              "GET",
              recoveryId === undefined ? `/deliveries/${deliveryId}` : `/recoveries/${recoveryId}`,
            )
          ).subscriptionId;
    await happens(about, room);
    return good;
  };

const CONFLICTS: Readonly<Record<string, Conflict>> = {
  subscriptionDisabled: afterwards((id, room) =>
    room.write("update webhooks_subscriptions set state = 'disabled', state_reason = 'gone' where id = ?", id),
  ),
  subscriptionPending: afterwards((id, room) => room.changeEndpoint(id)),
  subscriptionPaused: afterwards((id, room) => room.ask("POST", `/subscriptions/${id}/pause`)),
  subscriptionPullOnly: afterwards((id, room) => room.ask("PATCH", `/subscriptions/${id}`, { endpointUrl: null })),
  tooManySubscriptions: async (one, room) => {
    for (let count = 0; count < 100; count++) await room.pullOnly();
    return await goodOf(one, room);
  },
  tooManySecrets: afterwards(async (id, room) => {
    for (let times = 0; times < 2; times++) await room.ask("POST", `/subscriptions/${id}/secrets`, {});
  }),
  currentSecret: async (one, room) => {
    const good = await goodOf(one, room);
    return { ...good, path: { ...good.path, secretNumber: "2" } };
  },
  eventTypeNotSubscribed: async (one, room) => ({
    ...(await goodOf(one, room)),
    path: { subscriptionId: await room.pullOnly(["worker.*"]) },
  }),
  deliveryPending: async (_, room) => {
    // The first attempt fails, and the second is due seconds later.
    const { deliveryId } = await room.testEvent(await room.withEndpoint());
    return { apiKey: room.owner.apiKey, path: { deliveryId } };
  },
  bodyRemoved: async (_, room) => {
    const { deliveryId } = await room.skipped();
    await room.write(
      "delete from webhooks_delivery_bodies where sequence = (select sequence from webhooks_settled where id = ?)",
      deliveryId,
    );
    return { apiKey: room.owner.apiKey, path: { deliveryId } };
  },
  recoveryCancelled: async (one, room) => {
    const good = await goodOf(one, room);
    await room.ask("POST", `/recoveries/${good.path?.recoveryId}/cancel`);
    return good;
  },
  recoveryNotOver: async (_, room) => {
    const { subscriptionId } = await room.pausedRecovery();
    return { apiKey: room.owner.apiKey, json: lastMinute(subscriptionId) };
  },
};

/** A cursor behind which a body was removed. */
async function behindWhatIsKept(room: WebhooksRoom): Promise<Ask> {
  const subscriptionId = await room.pullOnly();
  for (let times = 0; times < 3; times++) await room.testEvent(subscriptionId);
  const { next } = await room.ask<{ next: string }>("GET", `/subscriptions/${subscriptionId}/events?limit=1`);
  await room.write(`
    insert into webhooks_feed (number, begins_after) select 1, max(sequence) - 1 from webhooks_delivery_bodies where true
    on conflict (number) do update set begins_after = excluded.begins_after`);
  return { apiKey: room.owner.apiKey, path: { subscriptionId }, query: { after: next } };
}
