import { createServer as createHttpServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { parseNetwork } from "../../../src/webhooks/endpoints/public-address.ts";
import {
  type AttemptSender,
  type AttemptSenderOptions,
  attemptSender,
} from "../../../src/webhooks/sending/attempt-sender.ts";
import type { Closer } from "../../support/scope.ts";

export const networks = (...texts: readonly string[]) => texts.flatMap((text) => parseNetwork(text) ?? []);

/** A server on this machine, and what it saw. */
export interface Endpoint {
  readonly port: number;
  /** Connections that were opened to it. */
  readonly connections: number;
}

type CloseLater = (closer: Closer) => void;

/** Serves HTTP; `host` is an address of this machine. */
export const serveHttp = (closeLater: CloseLater, listener: RequestListener, host = "127.0.0.1"): Promise<Endpoint> =>
  serve(closeLater, createHttpServer({ keepAliveTimeout: 60_000 }, listener), host);

/** Serves bare connections. */
export const serveTcp = (
  closeLater: CloseLater,
  onSocket: (socket: Socket) => void,
  host = "127.0.0.1",
): Promise<Endpoint> =>
  serve(
    closeLater,
    createServer((socket) => {
      socket.on("error", () => undefined);
      onSocket(socket);
    }),
    host,
  );

export async function serve(
  closeLater: CloseLater,
  server: ReturnType<typeof createServer>,
  host: string,
): Promise<Endpoint> {
  const sockets = new Set<Socket>();
  let connections = 0;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  closeLater(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
  };
}

/** An attempt sender that may reach this machine, with time enough for a busy one. */
export function attemptSenderFor(closeLater: CloseLater, more: Partial<AttemptSenderOptions> = {}): AttemptSender {
  const made = attemptSender({
    timeoutMs: 8_000,
    connectTimeoutMs: 8_000,
    connections: 10,
    allowHttp: true,
    allowedPorts: [],
    allowedNetworks: networks("127.0.0.0/8"),
    resolverAnswers: async () => true,
    resolve: async () => [{ address: "127.0.0.1", family: 4 }],
    ...more,
  });
  closeLater(() => made.close());
  return made;
}

/** An attempt as it is claimed, as far as sending goes. */
export const attemptTo = (endpointUrl: string, body: string | Buffer = '{"a":1}') => ({
  endpointUrl,
  headers: [
    { name: "content-type", value: "application/json" },
    { name: "user-agent", value: "Gatehouse/1.2.3" },
    { name: "webhook-id", value: "event_x" },
  ],
  body: Buffer.from(body),
});
