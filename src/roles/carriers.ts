import { join } from "node:path";
import type { Carrier, Peer } from "#runtime/rpc/call.ts";
import { socketCarrier } from "#runtime/rpc/socket-client.ts";

/** Kinds of caller that have a socket of their own (R-D4); services call themselves in process. */
export const SOCKET_PEERS = ["edge", "worker", "operator", "platform"] as const satisfies readonly Peer[];

export type SocketPeer = (typeof SOCKET_PEERS)[number];

export const socketPath = (directory: string, peer: SocketPeer): string => join(directory, `${peer}.sock`);

/** Calls from another process, or from this one under `--rpc socket`. */
export const carrierTo = (directory: string, peer: SocketPeer): Carrier => socketCarrier(socketPath(directory, peer));
