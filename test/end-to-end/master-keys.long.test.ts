import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from "jose";
import { gatehouse as commandLine } from "../cli/command-line.ts";
import { authorizePath, Browser, exchange, redeem, signIn } from "../support/browser.ts";
import { call } from "../support/http.ts";
import { openProcesses, type ProcessGatehouse } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { subscribe } from "../support/subscription.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, present, type World } from "../support/world.ts";

const [OLD, NEW] = [randomBytes(32).toString("base64"), randomBytes(32).toString("base64")];
const SCOPE = "openid profile email offline_access";

interface Tokens {
  readonly refresh_token: string;
  readonly id_token: string;
}

interface Keys {
  readonly keys: readonly {
    readonly id: string;
    readonly place: number | null;
    readonly sealed: Readonly<Record<string, number>>;
  }[];
}

describe("a store whose master key is replaced (R-X353)", () => {
  withScope((closeLater) => {
    let gatehouse: ProcessGatehouse;
    let world: World;
    let receiver: WebhookReceiver;
    /** Refreshed while both keys are in the list, and not. */
    let renewed: string;
    let idle: string;
    let published: string;

    const environment = (...keys: readonly string[]) => ({ GATEHOUSE_MASTER_KEYS: keys.join(",") });
    const restartWith = async (...keys: readonly string[]) => {
      await gatehouse.stop();
      await gatehouse.restart("all", { environment: environment(...keys) });
    };
    const run = (...words: readonly string[]) => commandLine([...words, "--data-directory", gatehouse.dataDirectory]);
    const masterKeys = async () => (JSON.parse((await run("store", "master-keys", "--json")).stdout) as Keys).keys;
    const jwks = async () => (await call(gatehouse.url, "/.well-known/jwks.json")).text;
    const tokensOfSignIn = async (): Promise<Tokens> => {
      const left = await signIn(new Browser(gatehouse.url), authorizePath(world, { scope: SCOPE }), world);
      return (await redeem(gatehouse.url, world, present(left.searchParams.get("code")))).json<Tokens>();
    };
    const refresh = (refresh_token: string) =>
      exchange(gatehouse.url, world, { grant_type: "refresh_token", refresh_token });
    const delivered = async (name: string) => {
      const { instanceId } = world;
      await gatehouse.platform.createTenant({ requestId: "", instanceId, name, address: null });
      return receiver.next();
    };

    beforeAll(async () => {
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      gatehouse = await openProcesses(closeLater, { environment: environment(OLD) });
      world = await makeWorld(gatehouse);
      await subscribe(gatehouse, world, receiver, { eventTypes: ["client.created"] });
      const headers = join(gatehouse.dataDirectory, "headers");
      await writeFile(headers, "X-Route: harbour\n");
      await run("subscriptions", "update", "marigold", "--headers-file", headers);
      renewed = (await tokensOfSignIn()).refresh_token;
      idle = (await tokensOfSignIn()).refresh_token;
      published = await jwks();
      await restartWith(NEW, OLD);
    }, 120_000);

    it("shows what the old key seals, and seals nothing again without consent", async () => {
      const [first, second, ...rest] = await masterKeys();
      expect(rest).toEqual([]);
      expect([first?.place, Object.values(first?.sealed ?? {}).every((count) => count === 0)]).toEqual([1, true]);
      expect(second).toMatchObject({
        place: 2,
        sealed: { signingKeys: 4, signingSecrets: 1, extraHeaders: 1, storeIdentity: 1 },
      });
      const { stdout } = await run("store", "master-keys");
      expect(stdout).toMatch(new RegExp(`^${second?.id} +2, opens +4 +1 +1 +1$`, "m"));
      const { exitCode, stderr } = await run("store", "reseal");
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`under the master key ${first?.id}`)]);
      expect(await masterKeys()).toEqual([first, second]);
    });

    it("seals everything again under the new one, and says so in the audit log", async () => {
      const { exitCode, stdout } = await run("store", "reseal", "--yes");
      expect([exitCode, stdout]).toEqual([
        0,
        expect.stringMatching(/^sealed again +4 signing keys, 1 signing secret, 1 extra header, 1 store identity$/m),
      ]);
      const [first, second] = await masterKeys();
      expect(first?.sealed).toEqual({ signingKeys: 4, signingSecrets: 1, extraHeaders: 1, storeIdentity: 1 });
      expect(second?.sealed).toEqual({ signingKeys: 0, signingSecrets: 0, extraHeaders: 0, storeIdentity: 0 });
      const { entries } = JSON.parse((await run("audit", "list", "--action", "store.reseal", "--json")).stdout) as {
        entries: readonly { facts: { masterKey: string; kind: string } }[];
      };
      expect(entries.map(({ facts }) => facts.kind).toSorted()).toEqual([
        ...["extraHeaders", "signingKeys", "signingSecrets", "storeIdentity"],
      ]);
      expect((await delivered("Bakery of both keys")).headers["x-route"]).toBe("harbour");
      const answer = await refresh(renewed);
      expect(answer.status).toBe(200);
      renewed = answer.json<Tokens>().refresh_token;
    });

    it("works with the new key alone: the same signing keys, secrets and headers; only idle refresh tokens are lost", async () => {
      await restartWith(NEW);
      expect(await masterKeys()).toHaveLength(1);
      expect(await jwks()).toBe(published);
      const keys = createLocalJWKSet(JSON.parse(published) as JSONWebKeySet);
      const { payload } = await jwtVerify((await tokensOfSignIn()).id_token, keys);
      expect(payload.aud).toBe(world.application.id);
      // The receiver verifies with the secret of the beginning.
      const delivery = await delivered("Bakery of the new key");
      expect([delivery.faults, delivery.headers["x-route"]]).toEqual([[], "harbour"]);
      const [kept, lost] = [await refresh(renewed), await refresh(idle)];
      expect([kept.status, lost.status]).toEqual([200, 400]);
    });
  });
});

onPostgres((open, closeLater) => {
  it("may be sealed again while another process has the new key last; one without it does not start (R-X353)", async () => {
    const { location } = await open();
    const start = (...keys: readonly string[]) =>
      openProcesses(closeLater, {
        flags: { "store-url": location },
        environment: { GATEHOUSE_MASTER_KEYS: keys.join(",") },
      });
    const first = await start(OLD, NEW);
    const world = await makeWorld(first);
    const second = await start(NEW, OLD);
    const { exitCode } = await commandLine(["store", "reseal", "--yes", "--data-directory", second.dataDirectory]);
    expect(exitCode).toBe(0);

    const { stdout } = await commandLine(["store", "master-keys", "--json", "--data-directory", first.dataDirectory]);
    const { keys } = JSON.parse(stdout) as Keys;
    const total = ({ sealed }: Keys["keys"][number]) => Object.values(sealed).reduce((sum, one) => sum + one);
    expect(keys.map((key) => [key.place, total(key)])).toEqual([
      [1, 0],
      [2, 5],
    ]);
    await first.stop();
    await first.restart("all");
    const left = await signIn(new Browser(first.url), authorizePath(world), world);
    expect((await redeem(first.url, world, present(left.searchParams.get("code")))).status).toBe(200);
    await expect(start(OLD)).rejects.toThrow("It ended before it was ready");
  }, 120_000);
});
