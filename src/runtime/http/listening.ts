import { lookup } from "node:dns/promises";
import { createServer, type Server } from "node:net";
import type { FastifyInstance } from "fastify";
import { portRefused } from "../process/management.ts";

/** The addresses of a host name. */
export type AddressesOf = (host: string) => Promise<readonly string[]>;

const addressesOfName: AddressesOf = async (host) => (await lookup(host, { all: true })).map(({ address }) => address);

/** Codes of an address that a name has and this machine has not, as `::1` where IPv6 is turned off. */
const NOT_HERE = ["EADDRNOTAVAIL", "EAFNOSUPPORT"];

interface Listening {
  readonly port: number;
  /** Accepts no further connections at the other addresses. */
  stop(): void;
}

/**
 * Listens at the host. `localhost` may have several addresses: connections to the others are handed to the same server. By
 * itself Fastify makes a server of its own for each, which has none of the listeners, and never the renewed certificate, of
 * this one.
 * @throws CannotStart when the port is taken at one of them.
 */
export async function listenAt(
  app: FastifyInstance,
  { host, port, addressesOf = addressesOfName }: { host: string; port: number; addressesOf?: AddressesOf | undefined },
): Promise<Listening> {
  const others: Server[] = [];
  let address = host;
  try {
    // A file of hosts may name an address twice.
    const [first = host, ...more] = new Set(host === "localhost" ? await addressesOf(host) : [host]);
    await app.listen({ host: first, port });
    const bound = app.server.address();
    const boundPort = typeof bound === "object" && bound !== null ? bound.port : port;
    for (address of more) others.push(await handOn(app, address, boundPort));
    return { port: boundPort, stop: () => others.forEach((other) => void other.close()) };
  } catch (error) {
    for (const other of others) other.close();
    await app.close();
    throw portRefused(error, address, port, "public");
  }
}

/** Hands connections to this address to the server, as Node lets any stream be one. */
async function handOn(app: FastifyInstance, host: string, port: number): Promise<Server> {
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    app.server.emit("connection", socket);
  });
  await new Promise<void>((resolve, reject) => {
    server.on("error", (error: NodeJS.ErrnoException) =>
      NOT_HERE.includes(error.code ?? "") ? resolve() : reject(error),
    );
    server.listen({ host, port }, resolve);
  });
  return server;
}
