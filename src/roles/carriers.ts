import { join } from "node:path";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Carrier, Peer } from "#runtime/rpc/call.ts";
import { socketCarrier } from "#runtime/rpc/socket-client.ts";
import { socketServes } from "#runtime/rpc/socket-health.ts";

/** Kinds of caller that have a socket of their own (R-D4); services call themselves in process. */
export const SOCKET_PEERS = ["edge", "worker", "operator", "platform"] as const satisfies readonly Peer[];

type SocketPeer = (typeof SOCKET_PEERS)[number];

export const socketPath = (directory: string, peer: SocketPeer): string => join(directory, `${peer}.sock`);

/** Calls from another process, or from this one under `--rpc socket`. */
export const carrierTo = (directory: string, peer: SocketPeer): Carrier => socketCarrier(socketPath(directory, peer));

/** Edge and worker are ready only while services serve: without them every answer would be 503 (R-X35). */
export const servicesCheck = (directory: string, peer: SocketPeer): HealthCheck => ({
  name: "services",
  check: async () =>
    (await socketServes(socketPath(directory, peer)))
      ? undefined
      : "cannot be reached, stop, or do not reach their store",
});
