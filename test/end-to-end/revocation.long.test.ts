import { rm } from "node:fs/promises";
import { join } from "node:path";
import { Pool } from "undici";
import { eventually } from "../support/eventually.ts";
import { freePort } from "../support/free-port.ts";
import { TEST_MASTER_KEY, testFlags } from "../support/gatehouse.ts";
import { newStoreFolder } from "../support/memory.ts";
import { startProgram } from "../support/processes.ts";
import { type Closer, withScope } from "../support/scope.ts";
import { onPostgres } from "../support/stores.ts";
import { connectPeers, makeWorld, type Peers, present, type World } from "../support/world.ts";

const PATH = "/v1/instance-integrations";
const CLIENTS_PER_EDGE = 8;

/** One request of a client, in Unix milliseconds with fractions of this process's clock. */
interface Asked {
  readonly startedAt: number;
  readonly answeredAt: number;
  readonly status: number;
}

/** So many answers on each side of a key's end are enough to have met it from both. */
const ENOUGH = 50;

const now = () => performance.timeOrigin + performance.now();

/** Clients that ask each address again and again, several at once, without a pause. */
function hammer(urls: readonly string[], apiKey: string) {
  const asked: Asked[] = [];
  let going = true;
  const pools = urls.map((url) => new Pool(url, { connections: CLIENTS_PER_EDGE }));
  const client = async (pool: Pool) => {
    while (going) {
      const startedAt = now();
      const answer = await pool.request({ path: PATH, method: "GET", headers: { "x-api-key": apiKey } });
      await answer.body.dump();
      asked.push({ startedAt, answeredAt: now(), status: answer.statusCode });
    }
  };
  const clients = pools.flatMap((pool) => Array.from({ length: CLIENTS_PER_EDGE }, () => client(pool)));
  return {
    /** Waits until enough requests were answered that started at this instant or later. */
    async enoughSince(instant = 0): Promise<void> {
      const since = async () => asked.filter(({ startedAt }) => startedAt >= instant).length;
      expect(await eventually(since, (count) => count >= ENOUGH)).toBeGreaterThanOrEqual(ENOUGH);
    },
    async stop(): Promise<readonly Asked[]> {
      going = false;
      await Promise.all(clients);
      await Promise.all(pools.map((pool) => pool.close()));
      return asked;
    },
  };
}

const statusesOf = (asked: readonly Asked[]) => [...new Set(asked.map(({ status }) => status))].toSorted();

async function newDirectory(closeLater: (closer: Closer) => void): Promise<string> {
  const directory = await newStoreFolder("gh-");
  closeLater(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

interface Started {
  readonly peers: Peers;
  /** Every edge. */
  readonly urls: readonly string[];
}

/** Starts a role for each word and waits until it is ready; edges' addresses are returned. */
async function startRoles(
  closeLater: (closer: Closer) => void,
  directory: string,
  roles: readonly ("services" | "edge")[],
  more: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const urls: string[] = [];
  for (const role of roles) {
    const [publicPort, managementPort] = [await freePort(), await freePort()];
    const flags = { ...testFlags(publicPort, managementPort, directory), ...more };
    const words = Object.entries(flags).map(([name, value]) => `--${name}=${value}`);
    const program = startProgram(["serve", "--role", role, ...words], managementPort);
    closeLater(async () => void (await program.end("SIGKILL")));
    await program.ready();
    if (role === "edge") urls.push(`http://127.0.0.1:${publicPort}`);
  }
  return urls;
}

function connectLater(closeLater: (closer: Closer) => void, directory: string): Peers {
  const peers = connectPeers(join(directory, "sockets"));
  closeLater(() => peers.close());
  return peers;
}

/** What holds of every installation: after the call that revokes has returned, or the hour has come, no request is accepted. */
function keysEndAtOnce(start: (closeLater: (closer: Closer) => void) => Promise<Started>) {
  withScope((closeLater) => {
    let started: Started;
    let world: World;

    beforeAll(async () => {
      started = await start(closeLater);
      world = await makeWorld(started.peers);
    }, 90_000);

    const issue = (expiresAt: Date | null) =>
      started.peers.workforce.issueApiKey({
        integrationId: world.integrationId,
        label: "load",
        expiresAt,
        rateLimit: null,
        scopes: [],
      });

    it("accepts no request that starts after the key was revoked (R-G11)", async () => {
      const { apiKey, secret } = await issue(null);
      const load = hammer(started.urls, secret);
      await load.enoughSince();
      const revokingAt = now();
      await started.peers.workforce.revokeApiKey({ apiKeyId: present(apiKey).id });
      const revokedAt = now();
      await load.enoughSince(revokedAt);
      const asked = await load.stop();
      const before = asked.filter(({ answeredAt }) => answeredAt < revokingAt);
      const after = asked.filter(({ startedAt }) => startedAt > revokedAt);
      expect([statusesOf(before), statusesOf(after)]).toEqual([[200], [401]]);
    });

    it("accepts no request that starts after the key has expired (R-G11)", async () => {
      // That the hour comes is what is tested: processes of their own, on the system's clock.
      const expiresAt = new Date(Date.now() + 4_000);
      const { secret } = await issue(expiresAt);
      const load = hammer(started.urls, secret);
      // The clocks of two processes may differ by the resolution of one.
      const [lastGoodAt, firstBadAt] = [expiresAt.getTime() - 1, expiresAt.getTime() + 1];
      await load.enoughSince(firstBadAt);
      const asked = await load.stop();
      const before = asked.filter(({ answeredAt }) => answeredAt < lastGoodAt);
      const after = asked.filter(({ startedAt }) => startedAt > firstBadAt);
      expect([statusesOf(before), statusesOf(after)]).toEqual([[200], [401]]);
    });

    it("still accepts the other keys of the integration", async () => {
      const load = hammer(started.urls, world.apiKey);
      await load.enoughSince();
      expect(statusesOf(await load.stop())).toEqual([200]);
    });
  });
}

describe("a key that ends under load: three processes, two edges over one store", () =>
  keysEndAtOnce(async (closeLater) => {
    const directory = await newDirectory(closeLater);
    const urls = await startRoles(closeLater, directory, ["services", "edge", "edge"]);
    return { peers: connectLater(closeLater, directory), urls };
  }));

onPostgres((open) =>
  describe("a key that ends under load: two services, each behind an edge of its own", () =>
    keysEndAtOnce(async (closeLater) => {
      const { location } = await open();
      const flags = { "store-url": location, "master-keys": TEST_MASTER_KEY };
      const [one, other] = [await newDirectory(closeLater), await newDirectory(closeLater)];
      const urls = [
        ...(await startRoles(closeLater, one, ["services", "edge"], flags)),
        ...(await startRoles(closeLater, other, ["services", "edge"], flags)),
      ];
      return { peers: connectLater(closeLater, one), urls };
    })),
);
