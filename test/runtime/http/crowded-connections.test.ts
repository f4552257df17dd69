import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { totalmem } from "node:os";
import { connect as connectSecurely } from "node:tls";
import { readCertificate } from "../../../src/runtime/http/certificate.ts";
import { meansOfProcess } from "../../../src/runtime/http/crowded-connections.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { openCertificateAuthority } from "../../support/certificate-authority.ts";
import { opensslPart } from "../../support/certificates.ts";
import { eventually } from "../../support/eventually.ts";
import { describeWith } from "../../support/optional-part.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { withScope } from "../../support/scope.ts";
import { type StubEdge, type StubEdgeOptions, startStubEdge } from "../../support/stub-edge.ts";

const LIST = "/v1/instance-integrations";
const HEADERS = { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" };
/** Of eight descriptors: from the fifth connection on idle ones are closed, and there are six at most. */
const DESCRIPTORS = { descriptors: 8, memoryMib: 1_024 };
/** Of two MiB: the same. */
const MEMORY = { descriptors: 1_024, memoryMib: 2 };

withScope((closeLater) => {
  const metrics = createMetrics();
  const crowded = async () => {
    const counted = await metrics.getSingleMetricAsString("gatehouse_http_refused_connections_total");
    return Number(/reason="crowded"} (\d+)/.exec(counted)?.[1] ?? 0);
  };
  const start = async (options: StubEdgeOptions = {}): Promise<StubEdge> => {
    metrics.clear();
    const edge = await startStubEdge({ metrics, means: DESCRIPTORS, ...options });
    closeLater(() => edge.stop(0));
    return edge;
  };
  /** One whose answers wait until `leaving` is resolved. */
  const startWaiting = async (options: StubEdgeOptions = {}) => {
    const leaving = Promise.withResolvers<void>();
    let asked = 0;
    const listInstanceIntegrations = async () => {
      asked++;
      await leaving.promise;
      return { status: 200, headers: HEADERS, body: [] };
    };
    const edge = await start({ handlers: { listInstanceIntegrations }, ...options });
    const untilAsked = (times: number) =>
      eventually(
        async () => asked,
        (now) => now === times,
      );
    return { edge, leaving, untilAsked };
  };
  const followed = <S extends Socket>(socket: S): S => {
    closeLater(async () => void socket.destroy());
    return socket.on("error", () => undefined).setEncoding("utf8");
  };
  const open = async ({ port }: StubEdge): Promise<Socket> => {
    const socket = followed(connect(port, "127.0.0.1"));
    await once(socket, "connect");
    return socket;
  };
  const ask = (socket: Socket) => void socket.write(`GET ${LIST} HTTP/1.1\r\nhost: 127.0.0.1\r\nx-api-key: x\r\n\r\n`);
  const askAndRead = async (socket: Socket): Promise<string> => {
    ask(socket);
    const [answer] = (await once(socket, "data")) as [string];
    return answer.slice(0, 12);
  };
  const indexesOfClosed = (sockets: readonly Socket[]) =>
    sockets.flatMap(({ closed }, index) => (closed ? [index] : []));

  describe("more connections than a process has descriptors or memory for (R-X388)", () => {
    it.each([
      ["descriptors", DESCRIPTORS, "It may have 8 files open. Raise that limit (ulimit -n, LimitNOFILE)"],
      ["memory", MEMORY, "It may have 2 MiB. Raise that limit (of its container or unit)"],
    ])("close the one that is idle for longest, and new ones are answered: %s", async (scarce, means, limit) => {
      const log = recordedLog();
      const edge = await start({ log, means });
      const sockets = [await open(edge), await open(edge), await open(edge), await open(edge)];
      for (const socket of sockets.slice(0, 3)) await askAndRead(socket);
      await askAndRead(sockets[0] as Socket);
      for (let opened = 0; opened < 2; opened++) {
        const socket = await open(edge);
        sockets.push(socket);
        expect(await askAndRead(socket)).toBe("HTTP/1.1 200");
      }
      // The one that never sent anything, then the first that has had its answer.
      await eventually(
        async () => indexesOfClosed(sockets),
        (closed) => closed.length === 2,
      );
      expect([indexesOfClosed(sockets), await crowded()]).toEqual([[1, 3], 2]);
      const warnings = log.lines.filter(({ level }) => level === "warn");
      const sentence = `There are too many connections for this process's ${scarce}: those that wait for their clients are closed.`;
      const detail = expect.stringContaining(limit);
      expect(warnings).toMatchObject([{ sentence, fields: { count: 5, detail } }]);
    });

    it.each([
      ["descriptors", DESCRIPTORS],
      ["memory", MEMORY],
    ])("close none with a request under way; beyond three quarters none is accepted: %s", async (_, means) => {
      const { edge, leaving, untilAsked } = await startWaiting({ means });
      const busy: Socket[] = [];
      for (let count = 1; count <= 6; count++) {
        const socket = await open(edge);
        busy.push(socket);
        ask(socket);
        await untilAsked(count);
      }
      const refused = followed(connect(edge.port, "127.0.0.1"));
      refused.resume();
      await once(refused, "close");
      expect([indexesOfClosed(busy), await crowded()]).toEqual([[], 1]);
      const answers = busy.map((socket) => once(socket, "data"));
      leaving.resolve();
      for (const [answer] of await Promise.all(answers)) expect(answer).toContain("HTTP/1.1 200");
    });

    it("close the one that has been sending its request's body for longest, where none is idle", async () => {
      const edge = await start();
      const sockets: Socket[] = [];
      for (let count = 1; count <= 4; count++) {
        const socket = await open(edge);
        sockets.push(socket);
        const form = "content-type: application/x-www-form-urlencoded\r\ncontent-length: 100";
        socket.write(`POST /auth/token HTTP/1.1\r\nhost: 127.0.0.1\r\n${form}\r\nexpect: 100-continue\r\n\r\n`);
        expect(await once(socket, "data")).toEqual(["HTTP/1.1 100 Continue\r\n\r\n"]);
        socket.write("grant_type=");
      }
      for (let opened = 0; opened < 2; opened++) {
        const socket = await open(edge);
        sockets.push(socket);
        expect(await askAndRead(socket)).toBe("HTTP/1.1 200");
      }
      await eventually(
        async () => indexesOfClosed(sockets),
        (closed) => closed.length === 2,
      );
      // The fifth was idle when the last one came.
      expect([indexesOfClosed(sockets), await crowded()]).toEqual([[0, 4], 2]);
    });

    it("close none of the few that became idle last, which may be about to send a request", async () => {
      // From the 33rd connection on, idle ones are closed, and four stay.
      const { edge, leaving, untilAsked } = await startWaiting({ means: { ...DESCRIPTORS, descriptors: 64 } });
      for (let count = 1; count <= 32; count++) ask(await open(edge));
      await untilAsked(32);
      const silent: Socket[] = [];
      for (let count = 0; count < 7; count++) silent.push(await open(edge));
      await eventually(
        async () => indexesOfClosed(silent),
        (closed) => closed.length === 2,
      );
      expect(indexesOfClosed(silent)).toEqual([0, 1]);
      leaving.resolve();
    });

    it("count each, also two of one client's port to two addresses of this machine", async () => {
      const edge = await start({ host: "0.0.0.0" });
      const sockets: Socket[] = [];
      for (let pair = 0; pair < 3; pair++) {
        let localPort = 0;
        for (const host of ["127.0.0.1", "127.0.0.2"]) {
          const socket = followed(connect({ host, port: edge.port, localAddress: "127.0.0.1", localPort }));
          await once(socket, "connect");
          localPort = socket.localPort ?? 0;
          sockets.push(socket);
        }
      }
      await eventually(
        async () => indexesOfClosed(sockets),
        (closed) => closed.length === 2,
      );
      expect(await askAndRead(await open(edge))).toBe("HTTP/1.1 200");
    });

    it("are counted from zero on, so that an increase is seen of the first ones too", async () => {
      await start();
      expect(await metrics.getSingleMetricAsString("gatehouse_http_refused_connections_total")).toContain(
        'gatehouse_http_refused_connections_total{reason="crowded"} 0',
      );
    });

    it("are counted against what the system lets this process have", () => {
      const { descriptors, memoryMib } = meansOfProcess();
      expect(descriptors).toBeGreaterThan(100);
      expect(memoryMib).toBeGreaterThan(100);
      expect(memoryMib).toBeLessThanOrEqual(totalmem() / 1024 / 1024);
    });
  });

  describeWith(opensslPart(), "more connections by TLS than a process has descriptors for (R-X388)", () => {
    it("close the one that is idle for longest, be it before its handshake", async () => {
      const authority = await openCertificateAuthority(closeLater);
      const edge = await start({ certificate: readCertificate(authority.issue("served", ["127.0.0.1"])) });
      const openSecurely = async () => {
        const options = { host: "127.0.0.1", port: edge.port, ca: authority.certificate };
        const socket = followed(connectSecurely(options));
        await once(socket, "secureConnect");
        return socket;
      };
      const sockets: Socket[] = [await openSecurely(), await open(edge)];
      await askAndRead(sockets[0] as Socket);
      for (let opened = 0; opened < 4; opened++) {
        const socket = await openSecurely();
        sockets.push(socket);
        expect(await askAndRead(socket)).toBe("HTTP/1.1 200");
      }
      await eventually(
        async () => indexesOfClosed(sockets),
        (closed) => closed.length === 2,
      );
      expect(indexesOfClosed(sockets)).toEqual([0, 1]);
    });
  });
});
