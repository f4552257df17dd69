import { execFile } from "node:child_process";
import { createSocket } from "node:dgram";
import { promisify } from "node:util";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import type { AttemptSenderOptions } from "../../../src/webhooks/sending/attempt-sender.ts";
import { resolverAnswers, systemResolve } from "../../../src/webhooks/sending/name-resolver.ts";
import { troubleOf } from "../../../src/webhooks/sending/own-trouble.ts";
import { troubleWatch } from "../../../src/webhooks/sending/trouble-watch.ts";
import { dnsServer, NXDOMAIN, SERVFAIL } from "../../support/dns-server.ts";
import { withScope } from "../../support/scope.ts";
import { silentLog } from "../../support/silent-log.ts";
import { attemptSenderFor, attemptTo, serveHttp } from "./attempt-sender-kit.ts";

describe("our own trouble is not charged to the endpoint (R-X142)", () => {
  withScope((closeLater) => {
    const outcomeBy = async (server: string, times: Partial<AttemptSenderOptions> = { connectTimeoutMs: 1_500 }) => {
      const attemptSender = attemptSenderFor(closeLater, {
        ...times,
        resolve: systemResolve([server]),
        resolverAnswers: resolverAnswers([server]),
      });
      const { outcome, trouble } = await attemptSender.send(attemptTo("http://hooks.gatehouse-test.invalid/"));
      return [outcome, trouble];
    };

    it("a silent resolver: the request was not sent", async () => {
      const server = await dnsServer(closeLater, {});
      expect(await outcomeBy(server)).toEqual(["not_sent", "resolver"]);
      expect(await outcomeBy(server, { timeoutMs: 300 })).toEqual(["not_sent", "resolver"]);
    });

    it("a missing resolver: the request was not sent", async () => {
      const gone = createSocket("udp4");
      await new Promise<void>((resolve) => gone.bind(0, "127.0.0.1", resolve));
      const { port } = gone.address();
      await new Promise<void>((resolve) => gone.close(resolve));
      expect(await outcomeBy(`127.0.0.1:${port}`)).toEqual(["not_sent", "resolver"]);
    });

    it("a resolver without its upstream: the request was not sent", async () => {
      const server = await dnsServer(closeLater, { root: SERVFAIL, name: SERVFAIL });
      expect(await outcomeBy(server)).toEqual(["not_sent", "resolver"]);
    });

    it.each([
      ["says that there is no such name", { root: 0, name: NXDOMAIN }, "dns"],
      ["says that the name's zone is broken", { root: 0, name: SERVFAIL }, "dns"],
      ["waits for the name's zone in vain", { root: 0 }, "timeout"],
      ["finds no root, but says that there is no such name", { root: SERVFAIL, name: NXDOMAIN }, "dns"],
    ])("a resolver that %s: the endpoint's failure", async (_, codes, outcome) => {
      expect(await outcomeBy(await dnsServer(closeLater, codes))).toEqual([outcome, undefined]);
    });

    it.each([
      ["two seconds", {}],
      ["the time of a connection", { connectTimeoutMs: 1_000 }],
      ["its whole time", { timeoutMs: 1_000 }],
    ])(
      "look-ups of other names, for which a name has waited %s: the request was not sent (R-X367)",
      async (_, times) => {
        const { promise: silence, resolve: answer } = Promise.withResolvers<readonly []>();
        const server = await dnsServer(closeLater, { root: 0, name: NXDOMAIN });
        const looking = Promise.withResolvers<void>();
        const lookUp = () => {
          looking.resolve();
          return silence;
        };
        const resolve = systemResolve([server], { lookUp, hostFile: "/dev/null" });
        const senderWith = (more: Partial<AttemptSenderOptions>) =>
          attemptSenderFor(closeLater, { ...more, resolve, resolverAnswers: resolverAnswers([server]) });
        const sendTo = (name: string) => attemptTo(`http://${name}.gatehouse-test.invalid/`);
        const first = senderWith({}).send(sendTo("slow"));
        await looking.promise;
        const { outcome, trouble } = await senderWith(times).send(sendTo("behind-it"));
        answer([]);
        expect([outcome, trouble]).toEqual(["not_sent", "turn"]);
        // Nothing was found out about this one in its own turn: that is its name's matter.
        expect((await first).trouble).toBeUndefined();
      },
    );

    it("no descriptor left, in a process with a low limit: nothing is sent by address or name until there are some", async () => {
      const endpoint = await serveHttp(closeLater, (_, response) => response.end());
      const program = `
        import { closeSync, openSync } from "node:fs";
        import { attemptSender } from "./src/webhooks/sending/attempt-sender.ts";
        import { resolverAnswers, systemResolve } from "./src/webhooks/sending/name-resolver.ts";
        import { parseNetwork } from "./src/webhooks/endpoints/public-address.ts";
        const made = attemptSender({
          timeoutMs: 8000, connectTimeoutMs: 8000, connections: 1, allowHttp: true, allowedPorts: [],
          allowedNetworks: [parseNetwork("127.0.0.1")], resolve: systemResolve(), resolverAnswers: resolverAnswers(),
        });
        const send = async (host) => {
          const endpointUrl = "http://" + host + ":${endpoint.port}/";
          const { outcome, trouble } = await made.send({ endpointUrl, headers: [], body: Buffer.from("{}") });
          return outcome + " " + trouble;
        };
        const taken = [];
        try { for (;;) taken.push(openSync("/dev/null")); } catch {}
        const without = [await send("127.0.0.1"), await send("hooks.gatehouse-test.invalid")];
        for (const one of taken) closeSync(one);
        const freed = await send("127.0.0.1");
        console.log(JSON.stringify([...without, freed]));
        await made.close();`;
      const { stdout } = await promisify(execFile)(
        "bash",
        ["-c", 'ulimit -n 200; exec "$0" --input-type=module -e "$1"', process.execPath, program],
        { env: { ...process.env, NODE_NO_WARNINGS: "1" } },
      );
      expect(JSON.parse(stdout)).toEqual(["not_sent descriptors", "not_sent descriptors", "acknowledged undefined"]);
      expect(endpoint.connections).toBe(1);
    });
  });

  const failure = (code: string, address = "203.0.113.1") => Object.assign(new Error(code), { code, address });
  const deps = { resolverAnswers: async () => true };

  it.each([
    [failure("ENFILE"), "descriptors"],
    [failure("ENOBUFS"), "memory"],
    [failure("ENOMEM"), "memory"],
    [failure("ENETDOWN"), "network"],
    [failure("EADDRNOTAVAIL"), "ports"],
    [new AggregateError([failure("EMFILE"), failure("ENETUNREACH", "2001:db8::1")]), "descriptors"],
    [new AggregateError([failure("EMFILE"), failure("ECONNREFUSED")]), undefined],
    [failure("ECONNREFUSED"), undefined],
    [failure("EHOSTUNREACH"), undefined],
    [failure("ECONNRESET"), undefined],
    [undefined, undefined],
  ])("classifies %s by what it says of this machine", async (error, trouble) => {
    expect(await troubleOf({ error, lookingUp: false, waiting: false }, deps)).toBe(trouble);
  });

  it("pauses nobody else's deliveries for names that waited for other names, and counts them (R-X367)", async () => {
    const metrics = createMetrics();
    const watch = troubleWatch({ log: silentLog, metrics, now: () => 0 });
    expect([watch.happened("turn"), watch.happened("turn")]).toEqual([10_000, 10_000]);
    expect([watch.isTroubled(), await watch.check.check()]).toEqual([false, undefined]);
    expect(await metrics.getSingleMetricAsString("gatehouse_webhook_unsent_total")).toContain('{trouble="turn"} 2');
  });

  it("pauses longer each time, half a minute at most, once for all attempts of a pause; and health says why", async () => {
    let now = 0;
    const metrics = createMetrics();
    const watch = troubleWatch({ log: silentLog, metrics, now: () => now });
    expect(await watch.check.check()).toBeUndefined();
    const pauses: number[] = [];
    for (let round = 0; round < 7; round++) {
      const pauseMs = watch.happened("descriptors");
      expect(watch.happened("descriptors")).toBe(pauseMs);
      pauses.push(pauseMs);
      now += pauseMs;
    }
    expect(pauses).toEqual([1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
    expect(watch.check.degrades).toBe(true);
    expect(await watch.check.check()).toContain("no file descriptor is left");
    expect(await metrics.getSingleMetricAsString("gatehouse_webhook_unsent_total")).toContain(
      '{trouble="descriptors"} 14',
    );
    watch.connected({ byName: false });
    expect(await watch.check.check()).toBeUndefined();
    expect(watch.happened("resolver")).toBe(1_000);
    watch.connected({ byName: false });
    expect(watch.isTroubled()).toBe(true);
    watch.connected({ byName: true });
    expect(watch.isTroubled()).toBe(false);
  });
});
