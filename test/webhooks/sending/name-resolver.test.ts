import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { NoTurn, resolverAnswers, systemResolve } from "../../../src/webhooks/sending/name-resolver.ts";
import { dnsServer, IPV6, NOERROR, NXDOMAIN, SERVFAIL } from "../../support/dns-server.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { withScope } from "../../support/scope.ts";
import { attemptSenderFor, attemptTo, serveHttp } from "./attempt-sender-kit.ts";

describe("names that the DNS does not know (R-X367)", () => {
  withScope((closeLater) => {
    /** A machine that waits for name servers in vain for names below slow.example, and knows every other name. */
    const machineWith = async (hosts = "") => {
      const folder = newFolder("gh-hosts-");
      const hostFile = join(folder, "hosts");
      await writeFile(hostFile, hosts);
      const asked: string[] = [];
      let answer = (): void => undefined;
      const silence = new Promise<void>((resolve) => {
        answer = resolve;
      });
      const lookUp = async (name: string) => {
        asked.push(name);
        if (name.endsWith("slow.example")) await silence;
        return [{ address: "192.0.2.7", family: 4 }];
      };
      const server = await dnsServer(closeLater, { root: 0, name: NXDOMAIN });
      return { resolve: systemResolve([server], { lookUp, hostFile }), asked, answer };
    };

    it("are looked up by the machine one at a time, so that a thread is left for names of operators (S47)", async () => {
      const { resolve, asked, answer } = await machineWith();
      const found = [{ address: "192.0.2.7", family: 4 }];
      let refused = 0;
      // Whose answer of the DNS comes first has the first turn.
      const slow = ["a.slow.example", "b.slow.example", "c.slow.example"].map((name) =>
        resolve(name).catch((error: unknown) => {
          refused++;
          return error instanceof NoTurn;
        }),
      );
      expect(await resolve("localhost")).toEqual(found);
      await eventually(
        async () => refused,
        (count) => count === 2,
      );
      expect([refused, asked.filter((name) => name !== "localhost").length]).toEqual([2, 1]);
      answer();
      const ended = await Promise.all(slow);
      expect([...ended.filter((one) => one === true), ...ended.filter((one) => one !== true)]).toEqual([
        true,
        true,
        found,
      ]);
    });

    it("are said to wait until their turn comes, and no longer", async () => {
      const { resolve, asked, answer } = await machineWith();
      const slow = resolve("a.slow.example");
      await eventually(
        async () => asked.length,
        (count) => count === 1,
      );
      const next = resolve("b.slow.example");
      await eventually(
        async () => resolve.isWaiting?.("b.slow.example"),
        (is) => is === true,
      );
      expect(resolve.isWaiting?.("a.slow.example")).toBe(false);
      answer();
      await Promise.all([slow, next]);
      expect(resolve.isWaiting?.("b.slow.example")).toBe(false);
    });

    it("get their turn when the one before is answered", async () => {
      const { resolve } = await machineWith();
      const found = await Promise.all(["one.team", "two.team", "three.team"].map((name) => resolve(name)));
      expect(found.flat()).toHaveLength(3);
    });

    it("are read in the host file without a turn, in any case, with all their addresses", async () => {
      const { resolve, answer } = await machineWith(
        "127.0.0.1 localhost\n# 192.0.2.1 receiver.team\n192.0.2.8\tother.team Receiver.team # ours\n2001:db8::8 receiver.team\n",
      );
      const slow = resolve("a.slow.example");
      const found = [
        { address: "192.0.2.8", family: 4 },
        { address: "2001:db8::8", family: 6 },
      ];
      expect(await resolve("receiver.team")).toEqual(found);
      expect(await resolve("receiver.TEAM.")).toEqual(found);
      answer();
      await slow;
    });
  });
});

describe("a zone that leaves the questions of one family unanswered (R-E7)", () => {
  withScope((closeLater) => {
    it("does not cost an attempt its time to connect: it goes to the addresses of the other family", async () => {
      const server = await dnsServer(closeLater, { root: 0, name: NOERROR, unanswered: IPV6 });
      const { port } = await serveHttp(closeLater, (_, response) => response.end());
      const attemptSender = attemptSenderFor(closeLater, {
        connectTimeoutMs: 4_000,
        resolve: systemResolve([server]),
        resolverAnswers: resolverAnswers([server]),
      });
      const { outcome } = await attemptSender.send(attemptTo(`http://hooks.gatehouse-test.invalid:${port}/`));
      expect(outcome).toBe("acknowledged");
    });
  });
});

describe("name servers that are replaced while the program runs (R-X142)", () => {
  withScope((closeLater) => {
    const FOUND = [{ address: "192.0.2.7", family: 4 }];
    const replaceable = async (codes: Parameters<typeof dnsServer>[1]) => {
      const servers = [await dnsServer(closeLater, codes)];
      const working = await dnsServer(closeLater, { root: 0, name: NXDOMAIN });
      let at = 0;
      const now = () => at;
      return {
        resolve: systemResolve(servers, { now, hostFile: "/dev/null", lookUp: async () => FOUND }),
        answers: resolverAnswers(servers, { now }),
        replace: (afterMs: number) => {
          servers[0] = working;
          at += afterMs;
        },
      };
    };

    it("are those that are asked within seconds, about names and whether they answer at all", async () => {
      const { resolve, answers, replace } = await replaceable({ root: SERVFAIL, name: SERVFAIL });
      await expect(resolve("hooks.example")).rejects.toMatchObject({ code: "ESERVFAIL" });
      expect(await answers()).toBe(false);
      replace(5_000);
      expect([await resolve("hooks.example"), await answers()]).toEqual([FOUND, true]);
    });

    it("are asked what the ones before do not answer, so that it is charged to no endpoint", async () => {
      const { resolve, replace } = await replaceable({});
      const found = resolve("hooks.example");
      replace(0);
      expect(await found).toEqual(FOUND);
    });
  });
});
