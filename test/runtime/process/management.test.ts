import { setTimeout as sleep } from "node:timers/promises";
import type { HealthCheck } from "../../../src/runtime/process/lifecycle.ts";
import { type Management, startManagement } from "../../../src/runtime/process/management.ts";
import { createMetrics, Gauge } from "../../../src/runtime/process/metrics.ts";
import { eventually } from "../../support/eventually.ts";
import { call, sendRaw } from "../../support/http.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { silentLog } from "../../support/silent-log.ts";

describe("the management address (S58)", () => {
  let management: Management | undefined;

  const start = async (checks: readonly HealthCheck[] = [], port = 0) => {
    management = await startManagement({ host: "127.0.0.1", port, checks, metrics: createMetrics(), log: silentLog });
    return management;
  };

  afterEach(async () => {
    await management?.stop(0);
    management = undefined;
  });

  const get = async (path: string) => {
    const { status, text, headers } = await call(management?.address ?? "", path, { contract: "unchecked" });
    return { status, body: headers.get("content-type") === "application/json" ? JSON.parse(text) : text };
  };

  it("is live from the first moment, started and ready when the process says so, and draining at the end", async () => {
    const { started, draining } = await start([{ name: "store", check: async () => undefined }]);
    const statuses = async () => {
      const answers = await Promise.all(["live", "started", "ready"].map((path) => get(`/health/${path}`)));
      return answers.map(({ status, body }) => [status, body.status]);
    };
    const before = await statuses();
    started();
    const then = await statuses();
    draining();
    const atLast = await statuses();
    expect([before, then, atLast]).toEqual([
      [
        [200, "live"],
        [503, "starting"],
        [503, "starting"],
      ],
      [
        [200, "live"],
        [200, "started"],
        [200, "ready"],
      ],
      [
        [200, "live"],
        [200, "draining"],
        [503, "draining"],
      ],
    ]);
  });

  it.each(["POST", "PUT", "DELETE", "OPTIONS", "PATCH"])(
    "is only read: %s is refused, at every path (R-X278)",
    async (method) => {
      const { address, started } = await start();
      started();
      const answers = await Promise.all(
        ["/metrics", "/health/live", "/health/started", "/health/ready", "/other"].map((path) =>
          call(address, path, { method, contract: "unchecked" }),
        ),
      );
      const refused = [405, "GET, HEAD", { status: "only read", offered: "GET, HEAD" }];
      const seen = answers.map(({ status, headers, text }) => [status, headers.get("allow"), JSON.parse(text)]);
      expect(seen).toEqual(Array(5).fill(refused));
    },
  );

  it("answers HEAD like GET, without a body", async () => {
    const { address, started } = await start();
    started();
    const answers = await Promise.all(
      ["/metrics", "/health/live", "/other"].map((path) =>
        call(address, path, { method: "HEAD", contract: "unchecked" }),
      ),
    );
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [200, ""],
      [200, ""],
      [404, ""],
    ]);
  });

  it("watches the event loop by a tick of 100 ms, so that an idle process is not woken a hundred times a second", async () => {
    await start();
    const leastSeconds = async (): Promise<number> => {
      // Each answer begins the histogram again, so several ticks must come between two of them.
      await sleep(350);
      const [, value] = /^gatehouse_nodejs_eventloop_lag_min_seconds (\S+)$/mu.exec((await get("/metrics")).body) ?? [];
      return Number(value);
    };
    // Until the first two ticks the metric has the value of a histogram without entries, which is centuries.
    const least = await eventually(leastSeconds, (seconds) => seconds > 0 && seconds < 3600);
    expect(least).toBeGreaterThan(0.09);
    expect(least).toBeLessThan(3600);
  });

  it("is not ready while a check fails, throws or hangs, and says which", async () => {
    const { started } = await start([
      { name: "store", check: async () => "The store does not answer." },
      { name: "carrier", check: () => Promise.reject(new Error("postgres://secret@db")) },
      { name: "clock", check: () => new Promise(() => undefined) },
      { name: "keys", check: async () => undefined },
    ]);
    started();
    expect(await get("/health/ready")).toEqual({
      status: 503,
      body: {
        status: "not ready",
        checks: { store: "The store does not answer.", carrier: "failed", clock: "no answer", keys: "ok" },
      },
    });
  });

  it("is degraded, and still ready, while only a part that can wait is unwell", async () => {
    const { started } = await start([
      { name: "store", check: async () => undefined },
      { name: "temporal", degrades: true, check: async () => "The server does not answer." },
    ]);
    started();
    expect(await get("/health/ready")).toEqual({
      status: 200,
      body: { status: "degraded", checks: { store: "ok", temporal: "The server does not answer." } },
    });
  });

  it("is not ready when another part is unwell too", async () => {
    const { started } = await start([
      { name: "store", check: async () => "The store does not answer." },
      { name: "temporal", degrades: true, check: async () => "The server does not answer." },
    ]);
    started();
    expect(await get("/health/ready")).toMatchObject({ status: 503, body: { status: "not ready" } });
  });

  it("shows the metrics of the process", async () => {
    await start();
    const { status, body } = await get("/metrics");
    expect(status).toBe(200);
    expect(body).toContain("gatehouse_process_cpu_seconds_total");
  });

  it("lists what it offers at any other path", async () => {
    await start();
    expect(await get("/nowhere")).toEqual({
      status: 404,
      body: { status: "unknown", offered: ["/health/live", "/health/started", "/health/ready", "/metrics"] },
    });
  });

  it.each(["//", "//[", "http://[/", "*", "/%E0%A4%A"])("survives a request for %s", async (target) => {
    const { address } = await start();
    await sendRaw(address, `GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    expect(await get("/health/live")).toMatchObject({ status: 200 });
  });

  it("refuses a port that is taken, in one line that names the setting", async () => {
    const { address } = await start();
    const port = Number(new URL(address).port);
    const second = startManagement({ host: "127.0.0.1", port, checks: [], metrics: createMetrics(), log: silentLog });
    await expect(second).rejects.toMatchObject({
      name: "CannotStart",
      message: `Port ${port} on 127.0.0.1 is taken by another program. Set management-port to another.`,
    });
  });

  it.each([
    ["192.0.2.1", "192.0.2.1 is not an address of this machine. Set management-host to another."],
    [
      "999.1.1.1",
      "999.1.1.1 is neither an address nor a name that this machine knows. Set management-host to another.",
    ],
  ])(
    "refuses an address that the machine does not have, in one line that names its setting: %s",
    async (host, line) => {
      const starting = startManagement({
        host,
        port: 0,
        checks: [],
        metrics: createMetrics(),
        log: silentLog,
      });
      await expect(starting).rejects.toMatchObject({ name: "CannotStart", message: line });
    },
  );
});

describe("many requests at once (F49, R-X425)", () => {
  const MANY = 20;
  /** What the answers to many requests in one packet say, and the one to a request behind them. */
  const said = async ({ address }: Management, path: string, what: RegExp) => {
    const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n`;
    const many = `${`${request}\r\n`.repeat(MANY - 1)}${request}Connection: close\r\n\r\n`;
    const { text } = await sendRaw(address, many, { end: false });
    const later = await fetch(`${address}${path}`);
    return [...`${text}${await later.text()}`.matchAll(what)].map(([found]) => found);
  };

  it("have the metrics gathered once", async () => {
    const metrics = createMetrics();
    let gathered = 0;
    new Gauge({
      name: "asks_the_store",
      help: "A gauge that asks its store.",
      registers: [metrics],
      async collect() {
        gathered++;
        await sleep(10);
        this.set(gathered);
      },
    });
    const management = await startManagement({ host: "127.0.0.1", port: 0, checks: [], metrics, log: silentLog });
    const values = await said(management, "/metrics", /^asks_the_store .*$/gm);
    await management.stop(0);
    expect(values).toEqual([...Array(MANY).fill("asks_the_store 1"), "asks_the_store 2"]);
  });

  it("have each part checked once", async () => {
    let asked = 0;
    const check = async () => {
      const number = ++asked;
      await sleep(10);
      return `question ${number}`;
    };
    const management = await startManagement({
      host: "127.0.0.1",
      port: 0,
      checks: [{ name: "store", check }],
      metrics: createMetrics(),
      log: silentLog,
    });
    management.started();
    const results = await said(management, "/health/ready", /question \d+/g);
    await management.stop(0);
    expect(results).toEqual([...Array(MANY).fill("question 1"), "question 2"]);
  });
});

describe("metrics that cannot be gathered", () => {
  it("are left out and counted; the others are there, and the log says it once", async () => {
    const metrics = createMetrics();
    const log = recordedLog();
    let isAway = true;
    new Gauge({
      name: "broken",
      help: "A gauge whose store is away.",
      registers: [metrics],
      collect() {
        if (isAway) throw new Error("away");
        this.set(4);
      },
    });
    new Gauge({ name: "takes_writes", help: "What tells of it.", registers: [metrics] }).set(0);
    const management = await startManagement({ host: "127.0.0.1", port: 0, checks: [], metrics, log });
    const scrape = async () => {
      const answer = await fetch(`${management.address}/metrics`);
      const values = [...(await answer.text()).matchAll(/^(broken|takes_writes|gatehouse_metrics_missing) (\S+)$/gm)];
      return [answer.status, Object.fromEntries(values.map(([, name, value]) => [name, value]))];
    };
    const away = [await scrape(), await scrape()];
    isAway = false;
    const back = await scrape();
    await management.stop(0);
    expect(away).toEqual(Array(2).fill([200, { takes_writes: "0", gatehouse_metrics_missing: "1" }]));
    expect(back).toEqual([200, { takes_writes: "0", broken: "4", gatehouse_metrics_missing: "0" }]);
    expect(log.lines.filter(({ sentence }) => sentence === "Some metrics cannot be gathered.")).toHaveLength(1);
  });

  it("are asked for once while they hang, however often they are scraped, and so are checks (R-X425)", async () => {
    const metrics = createMetrics();
    const asked: string[] = [];
    const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
    new Gauge({
      name: "waits",
      help: "A gauge whose store is silent.",
      registers: [metrics],
      async collect() {
        asked.push("metric");
        await answered;
        this.set(4);
      },
    });
    const check = async () => {
      asked.push("check");
      await answered;
      return undefined;
    };
    const checks = [{ name: "store", check }];
    const management = await startManagement({ host: "127.0.0.1", port: 0, checks, metrics, log: silentLog });
    management.started();
    const looked = async () => {
      const [scraped, ready] = await Promise.all(
        ["/metrics", "/health/ready"].map(async (path) => (await fetch(`${management.address}${path}`)).text()),
      );
      return [/^waits \d$/m.exec(scraped ?? "")?.[0], JSON.parse(ready ?? "").checks.store];
    };
    const silent = [await looked(), await looked()];
    const askedOf = asked.toSorted();
    answer();
    const back = await looked();
    await management.stop(0);
    expect(silent).toEqual(Array(2).fill([undefined, "no answer"]));
    expect(askedOf).toEqual(["check", "metric"]);
    expect(back).toEqual(["waits 4", "ok"]);
  });

  it("are left out when one has no value in time", async () => {
    const metrics = createMetrics();
    new Gauge({ name: "silent", help: "x", registers: [metrics], collect: () => new Promise<void>(() => undefined) });
    const management = await startManagement({ host: "127.0.0.1", port: 0, checks: [], metrics, log: silentLog });
    const answer = await fetch(`${management.address}/metrics`);
    expect([answer.status, await answer.text()]).toEqual([
      200,
      expect.stringMatching(/^gatehouse_metrics_missing 1$/m),
    ]);
    await management.stop(0);
  });
});
