import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { arrived, eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { freePort } from "../../support/free-port.ts";
import { runUntilReaderLeft } from "../../support/lost-reader.ts";
import { desk } from "../support/desk.ts";
import { API_KEY, type FeedStandIn, feedStandIn } from "../support/gateway.ts";
import { good, type Receiving, type RunningReceiver, runReceiver, SECRET } from "../support/receiver.ts";

const TYPES = ["client.created", "user.created", "user.updated"];
const flags = (gateway: FeedStandIn, receiver: Pick<RunningReceiver, "url">, folder: string) => [
  ...["listen", "--gateway", gateway.url, "--forward-to", receiver.url, "--state", folder],
];

describe("listen", () => {
  const closing: (() => Promise<void> | void)[] = [];
  let folder: string;
  let gateway: FeedStandIn;
  beforeEach(async () => {
    folder = newFolder("gh-listen-");
    gateway = await feedStandIn();
    closing.push(gateway.close);
  });
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });

  const receive = async (receiving: Receiving = good) => {
    const receiver = await runReceiver(receiving);
    closing.push(receiver.close);
    return receiver;
  };

  /** Listens until `isOver`; what was printed, and the exit code. */
  async function listenUntil(receiver: RunningReceiver, isOver: () => boolean, ...more: readonly string[]) {
    const ending = new AbortController();
    const running = desk([...flags(gateway, receiver, folder), ...more], { API_KEY }, ending.signal);
    let hasEnded = false;
    const ended = () => {
      hasEnded = true;
    };
    running.then(ended, ended);
    await eventually(async () => isOver() || hasEnded, Boolean);
    ending.abort();
    return running;
  }

  const idsAt = ({ received }: RunningReceiver) => received.map(({ id }) => id);

  it("writes nothing outside its folder, whatever an address that is not the gateway calls a subscription", async () => {
    const answers = (path = "") =>
      path.startsWith("/v1/webhooks/subscriptions?")
        ? { data: [{ id: "x/../../victim", label: "tulip" }] }
        : { data: [], next: "cursor" };
    const other = createServer(({ url }, response) => response.end(JSON.stringify(answers(url))));
    await new Promise<void>((done) => void other.listen(0, "127.0.0.1", done));
    closing.push(() => {
      other.close();
      other.closeAllConnections();
    });
    const url = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    const ending = new AbortController();
    const state = join(folder, "state");
    const words = ["listen", "--gateway", url, "--forward-to", "http://localhost:3000/", "--state", state];
    const running = desk(words, { API_KEY }, ending.signal);
    let hasEnded = false;
    const ended = () => {
      hasEnded = true;
    };
    running.then(ended, ended);
    await eventually(async () => hasEnded || existsSync(join(folder, "victim.json")), Boolean);
    ending.abort();
    const { exitCode, err } = await running;
    expect([exitCode, err, readdirSync(folder)]).toEqual([3, expect.stringContaining("is not the gateway"), []]);
  });

  it("forwards exact bytes and headers in their order, and shows what came back (R-X321)", async () => {
    const receiver = await receive();
    const ids = gateway.add(...TYPES);
    const { exitCode, out, err } = await listenUntil(
      receiver,
      () => receiver.received.length === 3,
      "--from",
      "oldest",
    );
    expect(idsAt(receiver)).toEqual(ids);
    expect(exitCode).toBe(0);
    expect(
      out
        .replaceAll(/\d+ ms/g, "N ms")
        .replaceAll(/^\S+/gm, "TIME")
        .trimEnd()
        .split("\n"),
    ).toEqual(ids.map((id, index) => `TIME ${TYPES[index]} ${id} → 204, N ms`));
    expect(err).toContain(`marigold: listening at ${gateway.url}, forwarding to ${receiver.url}`);
  });

  it("ends by itself after --exit-after requests, and goes on behind them the next time (R-X321)", async () => {
    const receiver = await receive();
    const ids = gateway.add(...TYPES);
    const first = await desk([...flags(gateway, receiver, folder), "--from", "oldest", "--exit-after", "2"], {
      API_KEY,
    });
    expect([first.exitCode, idsAt(receiver)]).toEqual([0, ids.slice(0, 2)]);
    const second = await desk([...flags(gateway, receiver, folder), "--exit-after", "1"], { API_KEY });
    expect([second.exitCode, idsAt(receiver)]).toEqual([0, ids]);
  });

  it("ends with exit code 1 after --exit-after requests when one was not acknowledged (R-X321)", async () => {
    let count = 0;
    const receiver = await receive((incoming, memory) => (++count === 1 ? 500 : good(incoming, memory)));
    gateway.add(...TYPES);
    const { exitCode, out } = await desk(
      [...flags(gateway, receiver, folder), "--from", "oldest", "--exit-after", "3"],
      { API_KEY },
    );
    expect([exitCode, out.match(/→ \d+/g)]).toEqual([1, ["→ 500", "→ 204", "→ 204"]]);
  });

  it("ends when the reader of what it prints left", async () => {
    const receiver = await receive();
    const [id] = gateway.add("client.created");
    // For lines that have no reader.
    const adding = setInterval(() => gateway.add("user.updated"), 100);
    closing.push(() => clearInterval(adding));
    const words = [...flags(gateway, receiver, folder), "--from", "oldest"];
    const { exitCode, taken, stderr } = await runUntilReaderLeft(["desk/bin/gatehouse-webhooks.js", ...words], {
      lines: 1,
      env: { API_KEY },
    });
    expect([exitCode, taken]).toEqual([0, expect.stringContaining(`client.created ${id} → 204`)]);
    expect(stderr).not.toContain("Error");
    expect(readdirSync(folder).filter((name) => name.endsWith(".lock"))).toEqual([]);
  });

  it.each(["/dev/null/state", ""])(
    "refuses a state folder that cannot be written, before it begins: %j",
    async (state) => {
      const receiver = await receive();
      const { exitCode, err } = await desk([...flags(gateway, receiver, folder), "--state", state], { API_KEY });
      expect([exitCode, err]).toEqual([
        2,
        expect.stringMatching(/^desk: .+ cannot be written \(E[A-Z]+\)\.\nName a folder of yours: --state <folder>\n$/),
      ]);
    },
  );

  it("ends with a sentence when its state folder cannot be written any more", async () => {
    const receiver = await receive((incoming, memory) => {
      rmSync(folder, { recursive: true });
      writeFileSync(folder, "");
      return good(incoming, memory);
    });
    gateway.add("client.created");
    const { exitCode, err } = await listenUntil(receiver, () => false, "--from", "oldest");
    expect([exitCode, err]).toEqual([
      2,
      expect.stringMatching(
        /\ndesk: .+\.json cannot be written \(E[A-Z]+\), so nothing would remember what was forwarded\.\nMake room there, or name another folder: --state <folder>\n$/,
      ),
    ]);
  });

  it("begins now, and goes on behind the last event after a stop (R-X321)", async () => {
    const receiver = await receive();
    gateway.add("client.created");
    const listening = listenUntil(receiver, () => receiver.received.length === 1);
    await eventually(
      async () => gateway.asked.length,
      (count) => count === 2,
    );
    const [first] = gateway.add("user.created");
    await listening;
    const missed = gateway.add("user.updated", "worker.updated");
    await listenUntil(receiver, () => receiver.received.length === 3);
    expect(idsAt(receiver)).toEqual([first, ...missed]);
  });

  it("shows a refusal of the program, and goes on (R-X321)", async () => {
    const receiver = await receive((incoming, memory) => {
      const status = memory.count === 0 ? 422 : good(incoming, memory);
      memory.count = 1;
      return status;
    });
    gateway.add(...TYPES);
    const { out } = await listenUntil(receiver, () => receiver.received.length === 3, "--from", "oldest");
    expect(out.match(/→ (\d+)/g)).toEqual(["→ 422", "→ 204", "→ 204"]);
  });

  it("prints a document for each request, for programs", async () => {
    const receiver = await receive();
    const [id] = gateway.add("user.updated");
    const { out } = await listenUntil(receiver, () => receiver.received.length === 1, "--from", "oldest", "--json");
    expect(JSON.parse(out)).toMatchObject({
      subscription: { label: "marigold" },
      event: { id, type: "user.updated" },
      variant: null,
      status: 204,
    });
  });

  it("loses no event when it is killed in the middle, and goes on by itself (R-X321)", async () => {
    let isStuck = true;
    const receiver = await receive((incoming, memory) => {
      if (memory.seen.size === 2 && isStuck) return "never";
      return good(incoming, memory);
    });
    const ids = gateway.add(...TYPES, ...TYPES);
    const start = (): ChildProcess => {
      const words = ["desk/bin/gatehouse-webhooks.js", ...flags(gateway, receiver, folder)];
      const child = spawn(process.execPath, [...words, ...(isStuck ? ["--from", "oldest"] : [])], {
        env: { PATH: process.env.PATH, API_KEY },
        stdio: "ignore",
      });
      closing.push(() => void child.kill("SIGKILL"));
      return child;
    };
    const killed = start();
    await arrived(receiver, 3);
    const gone = new Promise((done) => killed.once("exit", done));
    killed.kill("SIGKILL");
    await gone;
    isStuck = false;
    const again = start();
    await arrived(receiver, 7);
    const ended = new Promise((done) => again.once("exit", done));
    again.kill("SIGTERM");
    expect(await ended).toBe(0);
    expect(idsAt(receiver)).toEqual([...ids.slice(0, 3), ...ids.slice(2)]);
  });

  it("refuses a second listener to the same subscription and folder, and lets the next begin (R-X345)", async () => {
    const receiver = await receive();
    gateway.add("user.created");
    const ending = new AbortController();
    const first = desk([...flags(gateway, receiver, folder), "--from", "oldest"], { API_KEY }, ending.signal);
    await arrived(receiver, 1);
    const second = await desk(flags(gateway, receiver, folder), { API_KEY });
    expect([second.exitCode, second.err]).toEqual([
      1,
      expect.stringContaining(`Another listener (process ${process.pid}) listens to marigold with this state folder.`),
    ]);
    ending.abort();
    expect((await first).exitCode).toBe(0);
    expect(readdirSync(folder).filter((name) => name.includes(".lock"))).toEqual([]);
    gateway.add("user.updated");
    await listenUntil(receiver, () => receiver.received.length === 2);
    expect(receiver.received).toHaveLength(2);
  });

  it("says that events are missing when its place is no longer kept, and goes on where the kept part begins", async () => {
    const receiver = await receive();
    const ids = gateway.add(...TYPES);
    gateway.script({ status: 410, body: { code: "cursor_expired", keptFrom: "c1" } });
    const { err } = await listenUntil(receiver, () => receiver.received.length === 2, "--from", "oldest");
    expect(idsAt(receiver)).toEqual(ids.slice(1));
    expect(err).toContain("marigold: a gap: events since the last time are no longer kept");
  });

  it.each<[number, string, string]>([
    [403, "Gatehouse refused: Problem 403. (403, code_403)", "The API key needs the scope webhooks"],
    [400, "Gatehouse refused: Problem 400. (400, code_400)", "begin again with --from now"],
    [404, "Gatehouse refused: Problem 404. (404, code_404)", ""],
  ])("ends with 1 when the gateway answers %d, and says what to do", async (status, sentence, fix) => {
    gateway.script({ status });
    const { exitCode, err } = await listenUntil(await receive(), () => false);
    expect(exitCode).toBe(1);
    expect(err).toContain(sentence);
    expect(err).toContain(fix);
  });

  it("wants a choice among several subscriptions, and can listen to all of them", async () => {
    const several = await feedStandIn(["marigold", "tulip"]);
    closing.push(several.close);
    gateway = several;
    const receiver = await receive();
    const unchosen = await desk(flags(several, receiver, folder), { API_KEY });
    expect([unchosen.exitCode, unchosen.err]).toEqual([
      2,
      "desk: There are 2 subscriptions.\nChoose with --subscription: marigold, tulip\n",
    ]);
    const made = await feedStandIn(["marigold", "api-hnpsgbecxhirhp9m"]);
    closing.push(made.close);
    expect((await desk(flags(made, receiver, folder), { API_KEY })).err).toContain(
      "Choose with --subscription: marigold, api-hnpsgbecxhirhp9m (Payroll nightly)\n",
    );
    several.add("user.updated");
    const names = ["--subscription", "tulip", "--subscription", "subscription_0", "--from", "oldest"];
    const { out } = await listenUntil(receiver, () => receiver.received.length === 2, ...names);
    expect([...out.matchAll(/^\S+ (\S+) user\.updated/gm)].map(([, label]) => label).toSorted()).toEqual([
      "marigold",
      "tulip",
    ]);
  });

  it.each<[string, readonly string[], Readonly<Record<string, string>>, number, string]>([
    ["no target", ["--forward-to", ""], { API_KEY }, 2, "--forward-to must be an address of http or https."],
    [
      "a password in an address",
      ["--forward-to", "http://me:secret@localhost/"],
      { API_KEY },
      2,
      "--forward-to must have no user name and no password.",
    ],
    [
      "a port that fetch refuses",
      ["--forward-to", "http://localhost:6000/"],
      { API_KEY },
      2,
      "--forward-to has port 6000, which no program that follows the Fetch standard connects to.\nTake another port, for example: --forward-to http://localhost:3000/webhooks",
    ],
    ["another place", ["--from", "then"], { API_KEY }, 2, "--from is now or oldest."],
    ["no key", [], {}, 2, "There is no API key.\nSet API_KEY, or name a file with --key-file."],
    [
      "two keys in one",
      [],
      { API_KEY: "ghk_first\nghk_second" },
      2,
      "The API key has a space, a line break or a letter that no key has.\nGive the key alone, as it was shown: ghk_ and what follows.",
    ],
    ["a wrong key", [], { API_KEY: "x" }, 1, "Is it the whole API key, and not revoked?"],
    [
      "an unknown subscription",
      ["--subscription", "rose"],
      { API_KEY },
      2,
      "There is no subscription rose.\nThere are: marigold",
    ],
  ])("says what is wrong: %s", async (_, more, env, code, sentence) => {
    const words = [...flags(gateway, { url: "http://127.0.0.1:4/" }, folder), ...more];
    const { exitCode, err } = await desk(words, env);
    expect([exitCode, err]).toEqual([code, expect.stringContaining(sentence)]);
  });

  it("ends with 3 when nothing listens at the gateway's address", async () => {
    const words = [
      "listen",
      "--gateway",
      `http://127.0.0.1:${await freePort()}`,
      "--forward-to",
      "http://localhost:3000/",
    ];
    const { exitCode, err } = await desk(words, { API_KEY });
    expect([exitCode, err]).toEqual([3, expect.stringContaining("does not answer: ECONNREFUSED")]);
  });

  describe("--hostile (R-X322)", () => {
    it("with the secret: newest first, each again, unknown members, old signatures that must be refused", async () => {
      const receiver = await receive();
      const [older, newer] = gateway.add("user.created", "user.updated");
      const ending = new AbortController();
      const words = [...flags(gateway, receiver, folder), "--hostile", "--json", "--from", "oldest"];
      const running = desk(words, { API_KEY, WEBHOOK_SECRET: SECRET }, ending.signal);
      await arrived(receiver, 9);
      ending.abort();
      const lines = (await running).out
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line));
      const each = (id: string | undefined) => [
        [id, "newest first", "acknowledged", 204],
        [id, "again", "acknowledged", 204],
        [id, "with an unknown member", "acknowledged", 204],
        [id, "signed six minutes ago", "refused", 400],
      ];
      expect(lines.map(({ event, variant, expected, status }) => [event.id, variant, expected, status])).toEqual([
        ...each(newer),
        ...each(older),
        [newer, "newest again, after older ones", "acknowledged", 204],
      ]);
      expect(receiver.received[2]?.body).toContain('"tide"');
    });

    it("without the secret: test events of the same types have the unknown members and the old signatures", async () => {
      const receiver = await receive();
      gateway.add("user.created", "user.updated");
      const { err, out } = await listenUntil(
        receiver,
        () => receiver.received.length === 9,
        "--hostile",
        "--from",
        "oldest",
      );
      expect(err).not.toContain("secret");
      const each = ["newest first", "again", "with an unknown member", "signed six minutes ago"];
      expect(out.match(/(\S+) \((.*?)\) → \d+/g)).toHaveLength(9);
      expect([...out.matchAll(/\((.*?)\) → (\d+)/g)].map(([, what, status]) => [what, status])).toEqual([
        ...[...each, ...each].map((what) => [what, what === "signed six minutes ago" ? "400" : "204"]),
        ["newest again, after older ones", "204"],
      ]);
      const types = receiver.received
        .map(({ body }) => JSON.parse(body))
        .map(({ type, tide }) => [type, tide !== undefined]);
      expect(types.filter(([, isTide]) => isTide)).toEqual([
        ["user.updated", true],
        ["user.created", true],
      ]);
    });

    it("without the secret waits while the gateway signs nothing, and goes on", async () => {
      const receiver = await receive();
      gateway.add("user.created");
      gateway.scriptSigning({ status: 503, headers: { "retry-after": "0" } }, { status: 0 });
      const { err } = await listenUntil(
        receiver,
        () => receiver.received.length === 4,
        "--hostile",
        "--from",
        "oldest",
      );
      expect(err).toContain("the gateway answers 503");
      expect(receiver.received).toHaveLength(4);
    });

    it("without the secret ends with a sentence where the gateway cannot sign", async () => {
      const receiver = await receive();
      gateway.add("user.created");
      gateway.scriptSigning({ status: 404, body: { code: "not_found", detail: "There is nothing at this path." } });
      const words = [...flags(gateway, receiver, folder), "--hostile", "--from", "oldest"];
      const { exitCode, err } = await desk(words, { API_KEY });
      expect([exitCode, err]).toEqual([1, expect.stringContaining("--secret-file")]);
    });

    it.each([
      ["--secret", ["--secret", SECRET], { API_KEY }],
      ["WEBHOOK_SECRET", [], { API_KEY, WEBHOOK_SECRET: SECRET }],
    ])("refuses one secret (%s) for several subscriptions, of which each has its own", async (_, more, env) => {
      const several = await feedStandIn(["marigold", "tulip"]);
      closing.push(several.close);
      const receiver = await receive();
      several.add("user.created");
      const both = ["--subscription", "marigold", "--subscription", "tulip", "--hostile", "--from", "oldest"];
      const ending = new AbortController();
      const running = desk([...flags(several, receiver, folder), ...both, ...more], env, ending.signal);
      const { exitCode, err } = await Promise.race([
        running,
        arrived(receiver, 1).then(() => {
          ending.abort();
          return running;
        }),
      ]);
      expect([exitCode, err, receiver.received]).toEqual([
        2,
        expect.stringContaining(
          "desk: The signing secret is one, and each of the 2 subscriptions has its own.\nChoose one --subscription, or give no secret (--secret-file, WEBHOOK_SECRET): then the gateway signs.\n",
        ),
        [],
      ]);
    });

    it("names a receiver that takes an old signature", async () => {
      const receiver = await receive(() => 204);
      gateway.add("user.created");
      const more = ["--hostile", "--from", "oldest", "--secret", SECRET];
      const { out } = await listenUntil(receiver, () => receiver.received.length === 4, ...more);
      expect(out).toMatch(/\(signed six minutes ago\) → 204, \d+ ms should have been refused/);
    });
  });
});
