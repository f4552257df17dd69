import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { opensslPart, selfSigned } from "../../support/certificates.ts";
import { freePort } from "../../support/free-port.ts";
import { describeWith } from "../../support/optional-part.ts";
import { desk } from "../support/desk.ts";
import { byHand, good, KEY, type Receiving, type RunningReceiver, runReceiver, SECRET } from "../support/receiver.ts";
import { type Checked, RULES, scoreOf } from "../support/score.ts";

let running: RunningReceiver | undefined;
afterEach(async () => {
  await running?.close();
  running = undefined;
});

/** Scores a receiver by its secret. */
const score = (receiving: Receiving, ...flags: readonly string[]) =>
  scoreOf(receiving, flags, { WEBHOOK_SECRET: SECRET });

const typeOf = ({ body }: { readonly body: string }): string => JSON.parse(body).type;
const KNOWN_TYPES: readonly string[] = EVENT_TYPES;
const MEMBERS = ["id", "type", "specVersion", "dataVersion", "occurredAt", "test", "sequence", "entity", "data"];

/** A good receiver, unless the event is one of those that a mistake concerns. */
const unless =
  (isMistaken: (...of: Parameters<Receiving>) => boolean, status: ReturnType<Receiving>): Receiving =>
  (incoming, memory) =>
    good(incoming, nothing()) === 204 && isMistaken(incoming, memory) ? status : good(incoming, memory);

const known = new Set<string>();
/** True for an event whose parent or first version did not come before it. */
const isAlone = (kind: string, own: string, makes: string): ((incoming: { readonly body: string }) => boolean) => {
  known.clear();
  return ({ body }) => {
    const { type, data } = JSON.parse(body);
    if (type === makes) known.add(data[own]);
    return type === kind && !known.has(data[own]);
  };
};

/** Acknowledges what `accepts` says, without verifying it. */
const alsoAccepts =
  (accepts: (incoming: Parameters<Receiving>[0]) => boolean): Receiving =>
  (incoming, memory) =>
    accepts(incoming) ? 204 : good(incoming, memory);

const FOREIGN = byHand({ key: createHash("sha256").update(KEY).digest() });
const SECOND_LATER = byHand({
  signed: ({ id, timestamp, body }) => `${id}.${Number(timestamp) + 1}.${body}`,
});
const nothing = () => ({ seen: new Set<string>(), count: 0 });

describe("conform and a good receiver (R-X319)", () => {
  it.each<[string, Receiving]>([
    ["verifies by the standard's library", good],
    ["verifies by hand", byHand({})],
  ])("names no defect of one that %s", async (_, receiving) => {
    const scored = await score(receiving);
    expect(scored.named("passed").toSorted()).toEqual(RULES.toSorted());
    expect([scored.exitCode, scored.conforms, scored.failed]).toEqual([0, true, []]);
  });
});

describe("conform and one planted defect (R-X319, W1, W2, W3, W4)", () => {
  it.each<[string, readonly string[], Receiving]>([
    ["refuses a type", ["every-type"], unless((incoming) => typeOf(incoming) === "worker.updated", 422)],
    [
      "refuses types that it does not know",
      ["unknown-type"],
      unless((incoming) => !KNOWN_TYPES.includes(typeOf(incoming)), 400),
    ],
    [
      "refuses members that it does not know",
      ["unknown-fields"],
      unless(({ body }) => Object.keys(JSON.parse(body)).some((member) => !MEMBERS.includes(member)), 400),
    ],
    [
      "reads the first v1 signature alone",
      ["several-signatures"],
      byHand({
        entries: (all) =>
          all
            .split(" ")
            .filter((one) => one.startsWith("v1,"))
            .slice(0, 1),
      }),
    ],
    [
      "stumbles over a signature of another kind",
      ["unknown-signatures"],
      byHand({ entries: (all) => (/^v1,\S+(?: v1,\S+)*$/.test(all) ? all.split(" ") : []) }),
    ],
    [
      "reads the first signature alone",
      ["several-signatures", "unknown-signatures"],
      byHand({ entries: (all) => all.split(" ").slice(0, 1) }),
    ],
    [
      "wants JSON as it would write it",
      ["exact-bytes"],
      unless(({ body }) => JSON.stringify(JSON.parse(body)) !== body, 400),
    ],
    [
      "verifies JSON that it has written again",
      ["exact-bytes", "body-changed"],
      byHand({ signed: ({ id, timestamp, body }) => `${id}.${timestamp}.${JSON.stringify(JSON.parse(body))}` }),
    ],
    ["wants the parent first", ["child-first"], unless(isAlone("user.created", "clientId", "client.created"), 409)],
    ["wants the creation first", ["out-of-order"], unless(isAlone("user.updated", "userId", "user.created"), 404)],
    ["refuses repeats", ["repeats"], unless(({ id }, { seen }) => seen.has(id), 409)],
    ["takes what has no signature", ["signature-missing"], alsoAccepts(({ signatures }) => signatures === "")],
    ["takes an empty signature", ["signature-empty"], alsoAccepts(({ signatures }) => signatures === "v1,")],
    [
      "compares as much as was sent, from eight characters on",
      ["signature-truncated"],
      byHand({ matches: (entry, right) => entry.length > 8 && right.startsWith(entry) }),
    ],
    [
      "compares as much as was sent",
      ["signature-empty", "signature-truncated"],
      byHand({ matches: (entry, right) => right.startsWith(entry) }),
    ],
    [
      "does not sign the id that was sent",
      ["id-changed"],
      byHand({ signed: ({ timestamp, body }) => `${JSON.parse(body).id}.${timestamp}.${body}` }),
    ],
    [
      "trims the body",
      ["body-changed"],
      byHand({ signed: ({ id, timestamp, body }) => `${id}.${timestamp}.${body.trim()}` }),
    ],
    ["takes another time", ["timestamp-changed"], alsoAccepts((incoming) => SECOND_LATER(incoming, nothing()) === 204)],
    ["takes what has no time", ["timestamp-missing"], alsoAccepts(({ timestamp }) => timestamp === "")],
    ["takes what is old", ["timestamp-stale"], byHand({ isInTime: (age) => age > -300 })],
    ["takes what is ahead", ["timestamp-future"], byHand({ isInTime: (age) => age < 300 })],
    [
      "has another secret as well",
      ["signature-foreign"],
      alsoAccepts((incoming) => FOREIGN(incoming, nothing()) === 204),
    ],
  ])("names it, and no other: %s", async (_, defects, receiving) => {
    const scored = await score(receiving);
    expect(scored.failed.toSorted()).toEqual(defects.toSorted());
    expect([scored.exitCode, scored.conforms]).toEqual([1, false]);
  });
});

describe("conform and what a receiver does with events (R-X320, W5)", () => {
  it.each<[string, string, Receiving]>([
    [
      "acts before it verifies",
      "forged-without-effect",
      (incoming, memory) => {
        const status = good(incoming, nothing());
        if (!memory.seen.has(incoming.id)) memory.count++;
        memory.seen.add(incoming.id);
        return status;
      },
    ],
    [
      "remembers ids before it verifies",
      "forged-without-effect",
      (incoming, memory) => {
        const isNew = !memory.seen.has(incoming.id);
        memory.seen.add(incoming.id);
        const status = good(incoming, nothing());
        if (status === 204 && isNew) memory.count++;
        return status;
      },
    ],
    [
      "acts again on what it has",
      "effects-once",
      (incoming, memory) => {
        const status = good(incoming, nothing());
        if (status === 204) memory.count++;
        return status;
      },
    ],
  ])("names it, and no other: %s", async (_, defect, receiving) => {
    expect((await score(receiving, "--timeout", "2")).failed).toEqual([defect]);
  });

  it("says of effects that they are not visible, and how they can be", async () => {
    running = await runReceiver(good);
    const { exitCode, out } = await desk(["conform", running.url], { WEBHOOK_SECRET: SECRET });
    expect(exitCode).toBe(0);
    expect(out).toContain("? effects-once");
    expect(out).toContain("Give --count-url");
    expect(out).toContain("22 checks: 20 passed, 2 not visible.");
  });

  it("does not believe a count that stays the same, or is no number", async () => {
    running = await runReceiver((incoming) => good(incoming, nothing()));
    for (const countUrl of [running.countUrl, running.url.replace(/:\d+/, ":4")]) {
      const words = ["conform", running.url, "--json", "--timeout", "1", "--count-url", countUrl];
      const { out } = await desk(words, { WEBHOOK_SECRET: SECRET });
      const results = (JSON.parse(out).checks as Checked[]).slice(-2).map(({ result }) => result);
      expect(results).toEqual(["not visible", "not visible"]);
    }
  });

  it("passes over a count that cannot be read for a moment", async () => {
    running = await runReceiver(good);
    const { countUrl, url } = running;
    // After three readings that are the same the next one fails: just when a rule asks where it begins.
    let same: readonly string[] = [];
    const counter = createServer(async (_, response) => {
      const count = await (await fetch(countUrl)).text();
      const isFourth = same.length === 3 && same.every((one) => one === count);
      same = isFourth ? [] : [...same, count].slice(-3);
      response.writeHead(isFourth ? 503 : 200).end(count);
    });
    await once(counter.listen(0, "127.0.0.1"), "listening");
    const failing = `http://127.0.0.1:${(counter.address() as AddressInfo).port}/`;
    const { out } = await desk(["conform", url, "--json", "--count-url", failing], { WEBHOOK_SECRET: SECRET });
    counter.closeAllConnections();
    counter.close();
    expect((JSON.parse(out).checks as Checked[]).slice(-2).map(({ result }) => result)).toEqual(["passed", "passed"]);
  });
});

describe("conform and a receiver that acknowledges nothing (R-X319)", () => {
  it.each<[string, Receiving, RegExp, readonly string[]]>([
    ["never answers", () => "never", /^no answer within 1 s$/, ["--timeout", "1"]],
    ["redirects", () => 307, /^307 after/, []],
    ["has another secret", () => 401, /^401 after/, []],
  ])("judges nothing else when it %s", async (_, receiving, got, flags) => {
    const scored = await score(receiving, ...flags);
    expect(scored.failed).toEqual(["in-time"]);
    expect(scored.checks[0]?.exchanges[0]?.got).toMatch(got);
    expect(scored.named("not judged").toSorted()).toEqual(RULES.slice(1).toSorted());
    expect(scored.exitCode).toBe(1);
  });

  it("says that nothing listens there", async () => {
    const { exitCode, out } = await desk(["conform", `http://127.0.0.1:${await freePort()}/`], {
      WEBHOOK_SECRET: SECRET,
    });
    expect(exitCode).toBe(1);
    expect(out).toContain("no answer: ECONNREFUSED");
    expect(out.replaceAll(/\s+/g, " ")).toContain("advice No connection gave an answer. Is the receiver running");
    expect(out).toContain("22 checks: 1 failed, 21 not judged.");
  });
});

describeWith(opensslPart(), "conform and a receiver with a certificate that is not trusted (R-X319)", () => {
  it("says so, and how to have it trusted", async () => {
    const server = createTlsServer(selfSigned("localhost", { days: 1 }), (_, response) => void response.end());
    await once(server.listen(0, "127.0.0.1"), "listening");
    const { out } = await desk(["conform", `https://localhost:${(server.address() as AddressInfo).port}/`], {
      WEBHOOK_SECRET: SECRET,
    });
    server.close();
    expect(out).toContain("no answer: DEPTH_ZERO_SELF_SIGNED_CERT");
    expect(out.replaceAll(/\s+/g, " ")).toContain(
      "advice This machine does not trust the receiver's certificate. Name the file of its issuer's certificate in NODE_EXTRA_CA_CERTS, or score the receiver by http.",
    );
  });
});

describe("the report of conform", () => {
  it("says of each defect what was sent, expected and got, and what to do, within 80 columns (R-X319)", async () => {
    running = await runReceiver(byHand({ isInTime: () => true }));
    const { out } = await desk(["conform", running.url], { WEBHOOK_SECRET: SECRET });
    expect(out).toContain(
      [
        " FAIL timestamp-stale",
        "      Refuses an event that was signed six minutes ago.",
        "      sent     client.created, rightly signed, six minutes ago",
        "      expected a status that is not 2xx",
        "      got      204 after ",
      ].join("\n"),
    );
    expect(out).toContain("advice   Refuse a webhook-timestamp of more than five minutes ago");
    expect(out.split("\n").filter((line) => line.length > 80)).toEqual([]);
  });

  it("says of one that hangs up at what is forged to answer that, and does not ask whether it runs (R-X319)", async () => {
    const scored = await score((incoming, memory) => (good(incoming, memory) === 204 ? 204 : "hangs up"));
    const missing = scored.checks.find(({ name }) => name === "signature-missing");
    expect(missing?.result).toBe("failed");
    expect(missing?.advice).toBe(
      "The connection ended without an answer, after others that had one: answer what you refuse with a status, for example 400. Or has the receiver stopped?",
    );
  });

  it("notes a refusal by a server error, and passes it", async () => {
    running = await runReceiver((incoming, memory) => (good(incoming, memory) === 204 ? 204 : 500));
    const { exitCode, out } = await desk(["conform", running.url], { WEBHOOK_SECRET: SECRET });
    expect([exitCode, out.match(/It refuses with a server error/g)?.length]).toEqual([0, 10]);
  });

  it.each<[string, readonly string[], string]>([
    ["no address", ["conform"], "The address of your receiver is missing."],
    ["an address of something else", ["conform", "ftp://x"], "must be an address of http or https"],
    ["a flag that there is not", ["conform", "http://x", "--fast"], "Unknown option '--fast'"],
    [
      "a time out of range",
      ["conform", "http://x", "--timeout", "0"],
      "--timeout must be a whole number from 1 to 60.",
    ],
    [
      "a file that there is not",
      ["conform", "http://x", "--secret-file", "/nowhere"],
      "/nowhere cannot be read (ENOENT).",
    ],
    ["no secret", ["conform", "http://x"], "There is no signing secret.\nSet WEBHOOK_SECRET"],
    [
      "a public key in place of the secret",
      ["conform", "http://x", "--secret", "whpk_AA=="],
      "A signing secret begins with whsec_; this is a public key, whpk_.\nIt was shown when the subscription was made. With a public key, a receiver is scored by --key-pair-file.",
    ],
    ["a secret of another form", ["conform", "http://x", "--secret", "abc"], "A signing secret begins with whsec_."],
    ["a verb that there is not", ["confirm"], "there is no confirm"],
  ])("ends with 2 and says what is wrong: %s", async (_, words, sentence) => {
    const { exitCode, out, err } = await desk(words);
    expect([exitCode, out]).toEqual([2, ""]);
    expect(err).toContain(sentence);
  });
});
