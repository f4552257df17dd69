import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { PasswordLinkPurpose } from "../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { BulkService } from "../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { SeatKind } from "../../generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { startInstallation } from "../../harness/installation.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { authorizePath, Browser, signIn } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type CallInit, call } from "../support/http.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver } from "../support/webhook-receiver.ts";
import { connectPeers, invitation, makeWorld, newTenant, onboarding, present, REDIRECT_URI } from "../support/world.ts";
import { ISSUER, rowCounts, type StoreNotes } from "./store-of-before.ts";

/**
 * Makes a store with every kind of row by the program as it is, for the tests of later upgrades. Run it at a release,
 * before the first new migration. `make store-of-before NAME=store-3` writes store-3.sqlite.gz, store-3.master.key
 * and store-3.json beside this file, and prints the tables without a row, which STORES in store-of-before.ts names.
 */

const UNCHECKED = { contract: "unchecked" } as const;
const AFTERWARDS = "http://localhost:9/signed-out";
const SCOPE = "openid profile email offline_access";
const WORKER_EMAIL = "tomas.lindqvist@harbour.example";
const WAITS = { status: 503, headers: { "retry-after": "60" } } as const;
const WRONG_PASSWORD = "not the password of this account";

const [name = ""] = process.argv.slice(2);
const fileOf = (suffix: string) => join(import.meta.dirname, `${name}.${suffix}`);
if (!/^store-\d+$/.test(name) || existsSync(fileOf("sqlite.gz"))) {
  process.stderr.write("Name a store that does not exist yet: make store-of-before NAME=store-3\n");
  process.exit(2);
}

const directory = mkdtempSync(join(tmpdir(), "gh-upgrade-"));
const installation = await startInstallation(directory, true, {
  settings: { issuer: ISSUER, "webhook-attempt-delays": "200ms,200ms" },
});
const newBrowser = (): Browser => new Browser(installation.url, UNCHECKED);
const request = (path: string, init: CallInit = {}) => call(installation.url, path, { ...init, ...UNCHECKED });
const peers = connectPeers(installation.socketDirectory);
const carrier = socketCarrier(join(installation.socketDirectory, "platform.sock"));
const receiver = await startWebhookReceiver();
/** Deliveries to it fail and wait for the next attempt. */
const failing = await startWebhookReceiver({ answer: WAITS });
/** The three attempts of a delivery to it fail, and the next POST, a recovery's, is under way until the end. */
const exhausted = await startWebhookReceiver({ answer: () => (++posts > 3 ? "silence" : { status: 503 }) });
let posts = 0;
try {
  const notes = await live().finally(() => installation.stop());
  for (const [suffix, bytes] of [
    ["sqlite.gz", gzipSync(readFileSync(join(directory, "gatehouse.sqlite")), { level: 9 })],
    ["master.key", readFileSync(join(directory, "master.key"))],
    ["json", `${JSON.stringify(notes, null, 2)}\n`],
  ] as const)
    writeFileSync(fileOf(suffix), bytes);
  const empty = rowCounts(join(directory, "gatehouse.sqlite")).filter(({ count }) => count === 0);
  process.stdout.write(`Without a row: ${JSON.stringify(empty.map((table) => table.name))}\n`);
} finally {
  await carrier.close();
  await peers.close();
  await receiver.stop();
  await failing.stop();
  await exhausted.stop();
  rmSync(directory, { recursive: true, force: true });
}

/** A day of the product in short; what a later program must still accept. */
async function live(): Promise<StoreNotes> {
  const world = await makeWorld(peers, { application: { postLogoutRedirectUris: [AFTERWARDS] } });
  await structure(world.tenantId);
  await recovery(await subscriptions(world));
  const { personId, application } = world;
  const ask = (path: string, form: Readonly<Record<string, string>>) =>
    request(path, { form: { client_id: application.id, client_secret: application.secret, ...form } });
  const redeemed = async (code: string) =>
    (await ask("/auth/token", { grant_type: "authorization_code", code, redirect_uri: REDIRECT_URI })).json<Tokens>();
  const refreshed = async (refresh_token: string) =>
    (await ask("/auth/token", { grant_type: "refresh_token", refresh_token })).json<Tokens>();

  const browser = newBrowser();
  const login = await browser.follow(authorizePath(world, { scope: SCOPE }));
  await browser.submit(login.answer, { email: world.email, password: WRONG_PASSWORD });
  const first = await signIn(browser, authorizePath(world, { scope: SCOPE }), { email: world.email });
  // The sign-in made the invited user active.
  await peers.platform.setLastLoginContext({ requestId: "", personId, kind: SeatKind.USER, tenantId: world.tenantId });
  const codeOf = async (one: Browser) =>
    present((await one.follow(authorizePath(world, { scope: SCOPE }))).left?.searchParams.get("code"));
  const spentCode = present(first.searchParams.get("code"));
  const tokens = await redeemed(spentCode);
  const current = await refreshed(tokens.refresh_token);
  const stolen = await redeemed(await codeOf(browser));
  await refreshed(stolen.refresh_token);
  const revoked = await redeemed(await codeOf(browser));
  await ask("/auth/revoke", { token: revoked.access_token });
  const unspentCode = await codeOf(browser);

  const waiting = newBrowser();
  const { path: interactionPath } = await waiting.follow(authorizePath(world, { scope: SCOPE, prompt: "login" }));
  const leaving = newBrowser();
  await signIn(leaving, authorizePath(world), { email: world.email });
  const hint = { id_token_hint: tokens.id_token, post_logout_redirect_uri: AFTERWARDS, state: "st-after" };
  const { path: logoutPath } = await leaving.follow(`/auth/logout?${new URLSearchParams(hint)}`);

  const second = await peers.platform.inviteUser(invitation(world.tenantId, "ines.pereira@harbour.example"));
  const key = { $case: "personId", value: present(present(second.user).person).id } as const;
  await peers.people.createPasswordLink({ key, purpose: PasswordLinkPurpose.INVITATION });
  const { link } = await peers.people.createPasswordLink({ key, purpose: PasswordLinkPurpose.INVITATION });

  await refusals(world.apiKey);
  const { keys } = await request("/.well-known/jwks.json").then((answer) => answer.json<{ keys: { kid: string }[] }>());
  return {
    madeAt: new Date().toISOString(),
    world,
    workerEmail: WORKER_EMAIL,
    keyIds: keys.map(({ kid }) => kid),
    session: { cookies: [...browser.cookies] },
    interaction: { path: interactionPath, cookies: [...waiting.cookies] },
    logout: { path: logoutPath, cookies: [...leaving.cookies] },
    personOfLink: key.value,
    passwordLink: `${new URL(link).pathname}${new URL(link).search}`,
    accessToken: current.access_token,
    revokedAccessToken: revoked.access_token,
    refreshToken: current.refresh_token,
    rotatedRefreshToken: stolen.refresh_token,
    unspentCode,
    spentCode,
    personId,
    signingSecret: present(receiver.secret),
  };
}

interface Tokens {
  readonly access_token: string;
  readonly refresh_token: string;
  readonly id_token: string;
}

/** Unit type, unit, location, worker, custom role, a tombstone, an erasure, an import with a bad line. */
async function structure(tenantId: string): Promise<void> {
  const { platform } = peers;
  const { unitType } = await platform.createUnitType({ requestId: "unit-type-1", tenantId, name: "Oven", units: [] });
  const unitTypeId = present(unitType).id;
  const { unit } = await platform.createUnit({
    requestId: "",
    tenantId,
    unitTypeId,
    name: "Stone oven",
    unitCode: "O-1",
    description: null,
    parentUnitId: null,
  });
  const { location } = await platform.createLocation({ requestId: "", tenantId, name: "Quay" });
  const unitId = present(unit).id;
  const place = { unitIds: [unitId], primaryUnitId: unitId, locationId: present(location).id };
  await platform.onboardWorker(onboarding(tenantId, WORKER_EMAIL, { ...place, jobTitles: ["Baker"] }));
  const { user } = await platform.inviteUser(invitation(tenantId, "gone@harbour.example"));
  await platform.deleteUser({ requestId: "", userId: present(user).id });
  await carrier.connect(ErasureService).erase({ target: { id: { $case: "userId", value: present(user).id } } });
  async function* lines() {
    yield { start: { importId: "before", emitEvents: false, allOrNothing: false }, lines: [] };
    const json = '{"kind":"dragon"}';
    yield { start: null, lines: [{ number: 1, endOffset: json.length + 1, json }] };
  }
  await carrier.connect(BulkService).importWorkforce(lines());
}

/**
 * Deliveries that were delivered, wait, failed for good and were skipped, and the state of an instance integration.
 * Returns the subscription whose delivery failed for good.
 */
async function subscriptions(world: Awaited<ReturnType<typeof makeWorld>>): Promise<string> {
  await subscribe(peers, world, failing, { label: "failing", eventTypes: ["client.created"] });
  await subscribe(peers, world, receiver, { eventTypes: ["client.created"] });
  const exhaustedId = await subscribe(peers, world, exhausted, { label: "exhausted", eventTypes: ["client.created"] });
  const { integration } = await peers.workforce.createIntegration({ requestId: "", name: "Juniper" });
  const request = { requestId: "", integrationId: present(integration).id, instanceId: world.instanceId };
  const { instanceIntegration } = await peers.workforce.connectIntegration({ ...request, configured: true });
  const instanceIntegrationId = present(instanceIntegration).id;
  await subscribe(peers, { ...world, instanceIntegrationId }, failing, { label: "juniper" });
  // It has two subscriptions, and no test reads its signatures.
  failing.secret = undefined;
  await peers.workforce.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured: false });
  await newTenant(peers, world.instanceId, "Second Bakery");
  const made = async () => {
    const { deliveries } = await peers.webhooks.listDeliveries({ states: [], limit: 50 });
    return deliveries.map(({ attempts }) => attempts.filter(({ finishedAt }) => finishedAt !== undefined).length);
  };
  const counts = await eventually(made, (all) => all.length === 4 && Math.max(...all) === 3 && !all.every(Boolean));
  if (counts.toSorted().join() !== "0,1,1,3") throw new Error(`The deliveries have made ${counts} attempts.`);
  return exhaustedId;
}

/** A recovery under way of what had failed for good. */
async function recovery(subscriptionId: string): Promise<void> {
  await peers.webhooks.startRecovery({
    subscriptionId,
    from: new Date(Date.now() - 60_000),
    states: [],
    eventTypes: [],
    tenantIds: [],
  });
  const seen = await eventually(
    async () => posts,
    (all) => all === 4,
  );
  if (seen !== 4) throw new Error(`There were ${seen} POSTs.`);
}

/** Refused requests of sign-on and of the gateway; both are written beside the requests. */
async function refusals(apiKey: string): Promise<void> {
  const unknown = { client_id: `app_${"A".repeat(21)}`, client_secret: "x", grant_type: "refresh_token" };
  await request("/auth/token", { form: { ...unknown, refresh_token: "x" } });
  const integration = `installation_${"A".repeat(21)}`;
  const refused = await request(`/v1/instance-integrations/${integration}/clients`, {
    headers: { "x-api-key": apiKey },
  });
  const requestId = refused.headers.get("x-request-id") ?? "";
  await eventually(
    () => peers.workforce.explainGatewayRefusal({ requestId }).catch(() => undefined),
    (found) => found !== undefined,
  );
}
