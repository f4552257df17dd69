import { answerMemory, type RememberedAnswer } from "../../../src/workforce/gateway/answer-memory.ts";
import { keyWithLookUpOf } from "../../support/api-keys.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { there, type Workforce } from "../workforce-fixture.ts";
import { comparable } from "./alike.ts";

const answerOf = (revision: number, length = 100): RememberedAnswer => ({
  revision,
  tag: `"${revision}"`,
  headers: {},
  body: Buffer.alloc(length, "x"),
});

const nameOf = (target: string, coding?: string, identity = true) => ({
  lookUp: "AbCdEf123456",
  target,
  accepted: { coding, identity },
});

describe("what an edge remembers of its answers (R-X267)", () => {
  it("is bounded: the answers that were asked for longest ago leave first", () => {
    const memory = answerMemory({ bytesMax: 8_000 });
    for (const target of ["/a", "/b", "/c"]) memory.keep(nameOf(target), answerOf(1, 300));
    memory.recall(nameOf("/a"));
    memory.keep(nameOf("/d"), answerOf(1, 300));
    const kept = ["/a", "/b", "/c", "/d"].filter((target) => memory.recall(nameOf(target)) !== undefined);
    expect(kept).toEqual(["/a", "/c", "/d"]);
  });

  it.each([
    [10, 4_400],
    [150, 4_100],
    [1_000, 2_800],
    [8_000, 840],
  ])("counts what an answer costs beside its body: of %d bytes it has at most %d", (length, most) => {
    const memory = answerMemory();
    const targets = Array.from({ length: 2 * most }, (_, index) => `/v1/a/${index}`);
    for (const target of targets) memory.keep(nameOf(target), answerOf(1, length));
    const kept = targets.filter((target) => memory.recall(nameOf(target)) !== undefined).length;
    expect(kept).toBeLessThanOrEqual(most);
    expect(kept).toBeGreaterThan(most * 0.8);
  });

  it("counts headers too", () => {
    const memory = answerMemory({ bytesMax: 8_000 });
    memory.keep(nameOf("/a"), { ...answerOf(1), headers: { Link: "x".repeat(8_000) } });
    expect(memory.recall(nameOf("/a"))).toBeUndefined();
  });

  it("has a copy of a body, which keeps no other memory of Node's pool alive", () => {
    const memory = answerMemory();
    const answer = { ...answerOf(1), body: Buffer.from("a part of the pool") };
    expect(answer.body.buffer.byteLength).toBeGreaterThan(answer.body.length);
    memory.keep(nameOf("/a"), answer);
    expect(memory.recall(nameOf("/a"))).toEqual(answer);
    expect(memory.recall(nameOf("/a"))?.body.buffer.byteLength).toBe(answer.body.length);
  });

  it("has no answer that is longer than 64 KiB", () => {
    const memory = answerMemory();
    memory.keep(nameOf("/long"), answerOf(1, 64 * 1024));
    memory.keep(nameOf("/longer"), answerOf(1, 64 * 1024 + 1));
    expect(memory.recall(nameOf("/long"))).toEqual(answerOf(1, 64 * 1024));
    expect(memory.recall(nameOf("/longer"))).toBeUndefined();
  });

  it("distinguishes keys, addresses and codings", () => {
    const memory = answerMemory();
    memory.keep(nameOf("/a", "br"), answerOf(1));
    const others = [
      nameOf("/a"),
      nameOf("/a", "gzip"),
      nameOf("/a", "br", false),
      nameOf("/b", "br"),
      { ...nameOf("/a", "br"), lookUp: "654321fEdCbA" },
    ];
    expect(others.map((other) => memory.recall(other))).toEqual(others.map(() => undefined));
    expect(memory.recall(nameOf("/a", "br"))).toEqual(answerOf(1));
  });

  it("is gone when its time is over", async () => {
    const memory = answerMemory({ ttlMs: 50 });
    memory.keep(nameOf("/a"), answerOf(1));
    const recalled = async () => memory.recall(nameOf("/a"));
    expect(await eventually(recalled, (answer) => answer === undefined)).toBeUndefined();
  });
});

eachStore((_, open) => {
  describe("a list that is asked for again without an entity tag (R-X267)", () => {
    let workforce: Workforce;
    let gateway: Gateway;
    let have: Furniture;
    let path: string;

    beforeAll(async () => {
      ({ workforce, gateway, have } = await openFurnished(open));
      path = `/v1/instance-integrations/${have.connectionId}/clients/${have.tenant.id}/workers`;
    });
    afterAll(() => gateway.stop());

    it("is the same answer, for which services read only the revision", async () => {
      const first = await gateway.get(path, have.secret);
      gateway.takeKnownRevisions();
      const again = await gateway.get(path, have.secret);
      expect(comparable(again)).toEqual(comparable(first));
      expect(gateway.takeKnownRevisions()).toEqual([expect.any(Number)]);
    });

    it("shows a change at once, and is remembered again", async () => {
      await gateway.get(path, have.secret);
      await workforce.worker(have.tenant.id, "late@example.com");
      const changed = await gateway.get(path, have.secret);
      expect(changed.text).toContain("late@example.com");
      expect(comparable(await gateway.get(path, have.secret))).toEqual(comparable(changed));
    });

    it("is sent again in another coding, to an older tag, and not to the tag of what is there now", async () => {
      const before = await gateway.get(path, have.secret);
      await workforce.worker(have.tenant.id, "later@example.com");
      const now = await gateway.get(path, have.secret);
      const headers = { "if-none-match": before.headers.get("etag") ?? "" };
      expect(comparable(await gateway.get(path, have.secret, { headers }))).toEqual(comparable(now));
      const coded = await gateway.get(path, have.secret, { headers: { "accept-encoding": "identity;q=0, br" } });
      expect([coded.headers.get("content-encoding"), coded.text]).toEqual(["br", now.text]);
      expect(comparable(await gateway.get(path, have.secret))).toEqual(comparable(now));
      const current = { "if-none-match": now.headers.get("etag") ?? "" };
      expect((await gateway.get(path, have.secret, { headers: current })).status).toBe(304);
    });

    it("belongs to one key: another one is not given it, and a revoked one is refused", async () => {
      await gateway.get(path, have.secret);
      const { integrationId } = have;
      const issued = await workforce.operator.issueApiKey({
        integrationId,
        label: "second",
        rateLimit: null,
        scopes: [],
      });
      gateway.takeKnownRevisions();
      expect((await gateway.get(path, issued.secret)).status).toBe(200);
      expect(gateway.takeKnownRevisions()).toEqual([undefined]);
      expect((await gateway.get(path, issued.secret)).status).toBe(200);
      await workforce.operator.revokeApiKey({ apiKeyId: there(issued.apiKey).id });
      expect((await gateway.get(path, issued.secret)).status).toBe(401);
    });

    it("is not given to another key with the same public part", async () => {
      await gateway.get(path, have.secret);
      expect((await gateway.get(path, keyWithLookUpOf(have.secret))).status).toBe(401);
    });
  });
});
