import { join } from "node:path";
import type { HealthCheck } from "#runtime/basis/lifecycle.ts";
import type { Carrier, Peer } from "#runtime/rpc/call.ts";
import { socketAnswers } from "#runtime/rpc/socket-check.ts";
import { socketCarrier } from "#runtime/rpc/socket-client.ts";

/** Kinds of caller that have a socket of their own (R-D4); services call themselves in process. */
export const SOCKET_PEERS = ["edge", "worker", "operator", "platform"] as const satisfies readonly Peer[];

export type SocketPeer = (typeof SOCKET_PEERS)[number];

export const socketPath = (directory: string, peer: SocketPeer): string => join(directory, `${peer}.sock`);

/** Calls from another process, or from this one under `--rpc socket`. */
export const carrierTo = (directory: string, peer: SocketPeer): Carrier => socketCarrier(socketPath(directory, peer));

/** Edge and worker are ready only while services can be reached: without them every answer would be "try again". */
export const servicesCheck = (directory: string, peer: SocketPeer): HealthCheck => ({
  name: "services",
  check: async () => ((await socketAnswers(socketPath(directory, peer))) ? undefined : "cannot be reached"),
});
