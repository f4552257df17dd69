import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMetrics } from "../../src/runtime/process/metrics.ts";
import type { Carrier, Interceptor, Peer, Registration } from "../../src/runtime/rpc/call.ts";
import { inProcessCarrier } from "../../src/runtime/rpc/in-process.ts";
import { boundaryInterceptor } from "../../src/runtime/rpc/interceptors.ts";
import { socketCarrier } from "../../src/runtime/rpc/socket-client.ts";
import { serveSocket } from "../../src/runtime/rpc/socket-server.ts";
import { type Closer, withScope } from "./scope.ts";
import { silentLog } from "./silent-log.ts";

export const CARRIERS = ["in-process, frozen", "in-process, encoded", "socket"] as const;

export type CarrierName = (typeof CARRIERS)[number];

export interface OpenCarrierOptions {
  readonly registrations: readonly Registration[];
  /** The edge unless given. */
  readonly peer?: Peer;
  /** The boundary, which keeps private halves in, unless given. */
  readonly interceptors?: readonly Interceptor[];
}

/** Serves the registrations and connects to them; closed after the test or suite that opened it. */
export type OpenCarrier = (options: OpenCarrierOptions) => Promise<Carrier>;

/** Multiplies a suite over every way a call can be carried. In-process messages are deep-frozen, so changing a shared one throws at its line. */
export function eachCarrier(suite: (name: CarrierName, open: OpenCarrier) => void): void {
  for (const name of CARRIERS) {
    describe(`over ${name}`, () => {
      withScope((closeLater) => suite(name, (options) => openCarrier(name, options, closeLater)));
    });
  }
}

/** The chain of a process that has nothing to log. */
export const quietBoundary = (): readonly Interceptor[] => [
  boundaryInterceptor({ log: silentLog, metrics: createMetrics() }),
];

async function openCarrier(
  name: CarrierName,
  options: OpenCarrierOptions,
  closeLater: (closer: Closer) => void,
): Promise<Carrier> {
  const { registrations, peer = "edge", interceptors = quietBoundary() } = options;
  if (name !== "socket") {
    return inProcessCarrier({
      peer,
      registrations,
      interceptors,
      hand: name === "in-process, frozen" ? "frozen" : "encoded",
    });
  }
  const folder = await mkdtemp(join(tmpdir(), "gh-rpc-"));
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, "sockets", `${peer}.sock`);
  const server = await serveSocket({ path, peer, registrations, interceptors });
  closeLater(() => server.stop(100));
  const carrier = socketCarrier(path);
  closeLater(() => carrier.close());
  return carrier;
}
