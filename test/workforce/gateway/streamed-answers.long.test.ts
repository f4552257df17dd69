import { get, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { GatewayService, type ListWorkersResponse } from "../../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import type { Call, Registration } from "../../../src/runtime/rpc/call.ts";
import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { eachCarrier } from "../../support/carriers.ts";
import { eventually } from "../../support/eventually.ts";
import { seededRandom } from "../../support/random.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { type GatewayOptions, startGateway } from "../gateway-fixture.ts";

const ID = "2VfRk7TqLs9XmC4BwD6Hn";
const PATH = `/v1/instance-integrations/installation_${ID}/clients/client_${ID}/workers`;
const KEY = newApiKey(seededRandom());
const ROWS = 500;
/** More than any buffer on the way holds. */
const MANY = 400;

const batch = (number: number): ListWorkersResponse => ({
  workers: Array.from({ length: ROWS }, (_, row) => ({
    id: `worker_${String(number * ROWS + row).padStart(21, "0")}`,
    firstName: "Ines",
    lastName: "Okafor",
    email: "ines@example.com",
    jobTitles: [],
    address: null,
  })),
  revision: 7,
  unchanged: false,
});

type ListWorkers = (request: unknown, call: Call) => AsyncIterable<ListWorkersResponse>;

eachCarrier((_, openCarrier) => {
  /** The gateway over a service whose list of workers is this one. */
  const serve = async (listWorkers: ListWorkers, options: GatewayOptions = {}) => {
    const registrations: readonly Registration[] = [
      { definition: GatewayService, methods: { listWorkers: listWorkers as never } },
    ];
    const { connect } = await openCarrier({ registrations });
    const log = recordedLog();
    const metrics = createMetrics();
    const gateway = await startGateway([], { connect, log, metrics, ...options });
    const broken = async (reason: string) =>
      Number(
        new RegExp(`broken_answers_total{operation="listWorkers",reason="${reason}"} (\\d+)`).exec(
          await metrics.metrics(),
        )?.[1] ?? 0,
      );
    stops.push(gateway.stop);
    return { ...gateway, log, broken };
  };
  const stops: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });

  /** The beginning of an answer, of which nothing is read yet. */
  const open = (baseUrl: string, headers: Record<string, string> = {}) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      get(`${baseUrl}${PATH}`, { headers: { "x-api-key": KEY, ...headers }, agent: false }, resolve).once(
        "error",
        reject,
      );
    });

  /** Batches without end, and how far they were made. */
  const endless = () => {
    const seen = { made: 0, ended: false };
    const listWorkers: ListWorkers = async function* () {
      try {
        for (let number = 0; number < MANY; number++) {
          seen.made = number + 1;
          yield batch(number);
        }
      } finally {
        seen.ended = true;
      }
    };
    return { seen, listWorkers };
  };

  /** Waits until no more batches are made. */
  const settled = async (seen: { readonly made: number }) => {
    for (let before = -1; before !== seen.made; await sleep(150)) before = seen.made;
  };

  describe("a list that is sent as it is read (R-X61)", () => {
    it.each([
      ["the last", [ROWS, ROWS, 0]],
      ["one between others", [ROWS, 0, ROWS]],
      ["the first", [0, ROWS]],
      ["every one", [0, 0, 0]],
    ])("is JSON where %s of its batches has no entries", async (__, lengths) => {
      const { baseUrl } = await serve(async function* () {
        for (const [number, length] of lengths.entries())
          yield { ...batch(number), workers: batch(number).workers.slice(0, length) };
      });
      for (const coding of ["identity", "gzip"]) {
        const headers = { "x-api-key": KEY, "accept-encoding": coding };
        const answer = await fetch(`${baseUrl}${PATH}`, { headers });
        expect(await answer.json()).toHaveLength(lengths.reduce((sum, length) => sum + length, 0));
      }
    });

    it("is produced only as fast as the client reads", async () => {
      const { seen, listWorkers } = endless();
      const { baseUrl } = await serve(listWorkers);
      const answer = await open(baseUrl);
      await settled(seen);
      // A batch is some 130 KiB; the buffers of both sockets hold a few megabytes at most.
      expect(seen.made).toBeLessThan(MANY / 4);
      const held = seen.made;
      answer.on("data", () => undefined);
      await eventually(
        async () => seen.made,
        (made) => made > held + 20,
      );
      expect(seen.made).toBeGreaterThan(held + 20);
      answer.destroy();
    });

    it("stops being read when the client goes away; that is counted", async () => {
      const { seen, listWorkers } = endless();
      const { baseUrl, broken, log } = await serve(listWorkers);
      const answer = await open(baseUrl);
      answer.destroy();
      await eventually(async () => seen.ended, Boolean);
      expect([seen.ended, seen.made < MANY]).toEqual([true, true]);
      expect(await eventually(() => broken("left"), Boolean)).toBe(1);
      expect(log.lines.at(-1)).toMatchObject({ level: "info", fields: { operationId: "listWorkers", reason: "left" } });
    });

    it("ends when the client stops reading", async () => {
      const { seen, listWorkers } = endless();
      const waits = {
        requestMs: 5_000,
        headersMs: 5_000,
        keepAliveMs: 5_000,
        proxyKeepAliveMs: 5_000,
        checkEveryMs: 1_000,
      };
      // Longer than a busy machine takes for the beginning of an answer, during which its client takes nothing either.
      const timeouts = { ...waits, takeMs: 2_500, restMs: 1_000 };
      const { baseUrl, broken } = await serve(listWorkers, { timeouts });
      const answer = await open(baseUrl);
      await eventually(async () => seen.ended, Boolean);
      expect([seen.ended, seen.made < MANY]).toEqual([true, true]);
      expect(await eventually(() => broken("stalled"), Boolean)).toBe(1);
      answer.destroy();
    });

    it.each([
      ["a failure of services", new Failure("UNAVAILABLE", "unavailable", "The store is gone.")],
      ["a fault", new Error("hunter2")],
    ])("breaks the connection at %s in the middle, which is logged and counted", async (__, failure) => {
      const { baseUrl, broken, log } = await serve(async function* () {
        for (let number = 0; number < 4; number++) yield batch(number);
        throw failure;
      });
      const answer = await open(baseUrl);
      const texts: string[] = [];
      const reading = async () => {
        for await (const text of answer.setEncoding("utf8")) texts.push(text as string);
      };
      await expect(reading()).rejects.toThrow("aborted");
      expect(answer.complete).toBe(false);
      expect(() => JSON.parse(texts.join("")) as unknown).toThrow(SyntaxError);
      expect(await eventually(() => broken("failed"), Boolean)).toBe(1);
      expect(log.lines.filter(({ level }) => level === "error")).toMatchObject([
        { sentence: "An answer broke off.", fields: { operationId: "listWorkers", reason: "failed" } },
      ]);
    });

    it.each(["UNAUTHENTICATED", "NOT_FOUND", "FAILED_PRECONDITION"] as const)(
      "breaks the connection where the list is refused with %s in the middle, which is no failure (R-X427)",
      async (code) => {
        const { baseUrl, broken, log } = await serve(async function* () {
          for (let number = 0; number < 4; number++) yield batch(number);
          throw new Failure(code, "ended", "It has ended.");
        });
        const answer = await open(baseUrl);
        answer.resume();
        await new Promise((resolve) => answer.once("close", resolve));
        expect(answer.complete).toBe(false);
        expect(await eventually(() => broken("refused"), Boolean)).toBe(1);
        expect(await broken("failed")).toBe(0);
        expect(log.lines.at(-1)).toMatchObject({
          level: "info",
          sentence: "An answer was refused before its end.",
          fields: { operationId: "listWorkers", reason: "refused" },
        });
      },
    );

    it.each(["br", "gzip"])("breaks the connection in the coding %s too, and stops reading", async (coding) => {
      const { baseUrl, broken } = await serve(async function* () {
        for (let number = 0; number < 4; number++) yield batch(number);
        throw new Failure("UNAVAILABLE", "unavailable", "The store is gone.");
      });
      const answer = await open(baseUrl, { "accept-encoding": coding });
      expect(answer.headers["content-encoding"]).toBe(coding);
      answer.resume();
      await new Promise((resolve) => answer.once("close", resolve));
      expect(answer.complete).toBe(false);
      expect(await eventually(() => broken("failed"), Boolean)).toBe(1);
    });

    it.each(["br", "gzip"])(
      "stops being read when the client goes away in the middle of the coding %s",
      async (coding) => {
        const { seen, listWorkers } = endless();
        const { baseUrl, broken } = await serve(listWorkers);
        const answer = await open(baseUrl, { "accept-encoding": coding });
        answer.destroy();
        await eventually(async () => seen.ended, Boolean);
        expect([seen.ended, seen.made < MANY]).toEqual([true, true]);
        expect(await eventually(() => broken("left"), Boolean)).toBe(1);
      },
    );

    it.each([
      ["UNAUTHENTICATED", 401],
      ["NOT_FOUND", 404],
      ["UNAVAILABLE", 503],
    ] as const)("is refused before the first byte is sent: %s", async (code, status) => {
      const reason = code === "NOT_FOUND" ? "tenant_not_found" : "unavailable";
      const { get: ask } = await serve(async function* () {
        yield* [];
        throw new Failure(code, reason, "No.");
      });
      expect((await ask(PATH, KEY)).status).toBe(status);
    });

    it("is refused before the first byte is sent when its second batch fails already", async () => {
      const { get: ask } = await serve(async function* () {
        yield batch(0);
        throw new Failure("UNAVAILABLE", "unavailable", "The store is gone.");
      });
      expect((await ask(PATH, KEY)).status).toBe(503);
    });

    it.each([
      ["HEAD", { method: "HEAD" }, 200],
      ["If-None-Match: *", { headers: { "if-none-match": "*" } }, 304],
    ])("is not read for %s", async (__, init, status) => {
      const { seen, listWorkers } = endless();
      const { get: ask, broken } = await serve(listWorkers);
      const answer = await ask(PATH, KEY, init);
      expect([answer.status, answer.text, answer.headers.get("content-length")]).toEqual([status, "", null]);
      await eventually(async () => seen.ended, Boolean);
      expect([seen.ended, seen.made <= 5, await broken("left")]).toEqual([true, true, 0]);
    });

    it.each([
      ["HEAD", { method: "HEAD" }, 200],
      ["If-None-Match: *", { headers: { "if-none-match": "*" } }, 304],
      ["an If-Match that is false", { headers: { "if-match": '"x"' } }, 412],
    ])("leaves no place taken by %s, however often it is asked for so", async (__, init, status) => {
      const { get: ask } = await serve(endless().listWorkers);
      const statuses: number[] = [];
      for (let count = 0; count < 70; count++) statuses.push((await ask(PATH, KEY, init)).status);
      expect(statuses).toEqual(statuses.map(() => status));
    });

    it("is not read further where If-Match is false (R-X420)", async () => {
      const { seen, listWorkers } = endless();
      const { get: ask, broken } = await serve(listWorkers);
      const answer = await ask(PATH, KEY, { headers: { "if-match": '"x"' } });
      expect(answer.status).toBe(412);
      await eventually(async () => seen.ended, Boolean);
      expect([seen.ended, seen.made <= 5, await broken("left")]).toEqual([true, true, 0]);
    });

    it("of one batch is a body with its length, for HEAD too", async () => {
      const { get: ask } = await serve(async function* () {
        yield { ...batch(0), workers: batch(0).workers.slice(0, 3) };
      });
      const [whole, head] = [await ask(PATH, KEY), await ask(PATH, KEY, { method: "HEAD" })];
      expect(whole.headers.get("content-length")).toBe(String(whole.text.length));
      expect(head.headers.get("content-length")).toBe(whole.headers.get("content-length"));
      expect(whole.json()).toHaveLength(3);
    });
  });
});
