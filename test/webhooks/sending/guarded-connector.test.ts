import { type AddressInfo, createServer, type LookupFunction, type Socket } from "node:net";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import {
  AddressForbidden,
  type AddressGuard,
  addressGuard,
  type ConnectorOptions,
  guardedConnector,
} from "../../../src/webhooks/sending/address-guard.ts";
import { opensslPart, selfSigned } from "../../support/certificates.ts";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";
import { networks, serve, serveTcp } from "./attempt-sender-kit.ts";

const FORBIDDEN = new AddressForbidden("The endpoint leads to an address that is not public.");
const forbids = () => {
  throw FORBIDDEN;
};

/** A guard that lets this machine be dialled, and finds these addresses for each name. */
const guardFor = (addresses: readonly string[], more: Partial<AddressGuard> = {}): AddressGuard => ({
  ...addressGuard(networks("127.0.0.0/8"), async () => addresses.map((address) => ({ address, family: 4 }))),
  ...more,
});

describe("the connector of the attempt sender (S45, R-E11)", () => {
  withScope((closeLater) => {
    /** What came of connecting: the socket, or the error. */
    const connect = (
      target: { readonly protocol?: string; readonly hostname: string; readonly port: number },
      options: Partial<ConnectorOptions> = {},
    ) =>
      new Promise<Socket | Error>((resolve) => {
        const connector = guardedConnector({ guard: guardFor(["127.0.0.1"]), connectTimeoutMs: 8_000, ...options });
        const request = { protocol: "http:", ...target, port: String(target.port) };
        connector(request, (error, socket) => {
          if (socket !== null) closeLater(async () => void socket.destroy());
          resolve(error ?? socket);
        });
      });

    it.each([
      ["hooks.example", true],
      ["127.0.0.1", false],
    ])("dials %s at the address that was checked, and says whether it was looked up: %s", async (hostname, byName) => {
      const { port } = await serveTcp(closeLater, () => undefined);
      const opened: unknown[] = [];
      const judged: unknown[] = [];
      const guard = guardFor(["127.0.0.1"], { assertDialled: (address) => void judged.push(address) });
      const connected = (connection: unknown) => void opened.push(connection);
      const socket = await connect({ hostname, port }, { guard, connected });
      expect(socket).toMatchObject({ remoteAddress: "127.0.0.1", remotePort: port });
      expect([judged, opened]).toEqual([["127.0.0.1"], [{ byName }]]);
    });

    it("connects also without a listener", async () => {
      const { port } = await serveTcp(closeLater, () => undefined);
      expect(await connect({ hostname: "hooks.example", port })).toMatchObject({ remotePort: port });
    });

    it("dials the next permitted address of a name when the first one refuses the connection", async () => {
      const { port } = await serveTcp(closeLater, () => undefined);
      const guard = guardFor(["127.0.0.2", "127.0.0.1"]);
      const socket = await connect({ hostname: "hooks.example", port }, { guard });
      expect(socket).toMatchObject({ remoteAddress: "127.0.0.1", remotePort: port });
    });

    it("does not give the first of several addresses up for the moment in which this process is busy (R-E7)", async () => {
      const { port } = await serveTcp(closeLater, () => undefined);
      const guard = guardFor(["127.0.0.1", "127.0.0.2"]);
      const lookup: LookupFunction = (name, options, answer) =>
        guard.lookup(name, options, (...found) => {
          answer(...found);
          // The connection is made meanwhile; nothing here sees it before the timers that are due.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
        });
      const socket = await connect({ hostname: "hooks.example", port }, { guard: { ...guard, lookup } });
      expect(socket).toMatchObject({ remoteAddress: "127.0.0.1", remotePort: port });
    });

    it("dials no host that the guard refuses, and reports no open connection", async () => {
      const endpoint = await serveTcp(closeLater, () => undefined);
      const asked: string[] = [];
      const opened: unknown[] = [];
      const assertHost = (host: string) => {
        asked.push(host);
        forbids();
      };
      const refused = await connect(
        { hostname: "127.0.0.1", port: endpoint.port },
        { guard: guardFor([], { assertHost }), connected: (connection) => void opened.push(connection) },
      );
      expect([refused, asked, opened, endpoint.connections]).toEqual([FORBIDDEN, ["127.0.0.1"], [], 0]);
    });

    it("hangs up when the dialled address is refused, and reports no open connection", async () => {
      const ended = Promise.withResolvers<string>();
      const { port } = await serveTcp(closeLater, (socket) => socket.on("close", () => ended.resolve("hung up")));
      const opened: unknown[] = [];
      const refused = await connect(
        { hostname: "hooks.example", port },
        {
          guard: guardFor(["127.0.0.1"], { assertDialled: forbids }),
          connected: (connection) => void opened.push(connection),
        },
      );
      expect([refused, opened, await ended.promise]).toEqual([FORBIDDEN, [], "hung up"]);
    });

    it("hangs up on a listener of our own, by whatever name it was reached (R-X278)", async () => {
      const ended = Promise.withResolvers<string>();
      const { port } = await serveTcp(closeLater, (socket) => socket.on("close", () => ended.resolve("hung up")));
      const resolve = async () => [{ address: "127.0.0.1", family: 4 as const }];
      const own = { origins: [], ports: new Set([port]), addresses: [] };
      const guard = addressGuard(networks("127.0.0.0/8"), resolve, own);
      const refused = await connect({ hostname: "hooks.example", port }, { guard });
      expect([refused, await ended.promise]).toEqual([expect.any(AddressForbidden), "hung up"]);
      expect(refused).toMatchObject({ message: "The endpoint leads to a listener of our own." });
      const other = await serveTcp(closeLater, () => undefined);
      expect(await connect({ hostname: "hooks.example", port: other.port }, { guard })).toMatchObject({
        remotePort: other.port,
      });
    });

    it("reports why no connection was made", async () => {
      const server = createServer();
      await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
      const { port } = server.address() as AddressInfo;
      await new Promise((resolve) => server.close(resolve));
      expect(await connect({ hostname: "127.0.0.1", port })).toMatchObject({ code: "ECONNREFUSED" });
    });

    describeWith(opensslPart(), "over TLS", () => {
      it("speaks HTTP/1.1, also with an endpoint that prefers HTTP/2", async () => {
        const certificate = selfSigned("hooks.example");
        const server = createTlsServer({ ...certificate, ALPNProtocols: ["h2", "http/1.1"] });
        const { port } = await serve(closeLater, server, "127.0.0.1");
        const options = { trusted: certificate.cert };
        const socket = await connect({ protocol: "https:", hostname: "hooks.example", port }, options);
        expect((socket as TLSSocket).alpnProtocol).toBe("http/1.1");
      });
    });
  });
});
