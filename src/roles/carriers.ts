import { join } from "node:path";
import type { HealthCheck } from "#runtime/process/lifecycle.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Carrier, Peer } from "#runtime/rpc/call.ts";
import { socketCarrier } from "#runtime/rpc/socket-client.ts";
import { socketServes } from "#runtime/rpc/socket-health.ts";

/** Kinds of caller that have a socket of their own (R-D4); services call themselves in process. */
export const SOCKET_PEERS = ["edge", "worker", "operator", "platform"] as const satisfies readonly Peer[];

type SocketPeer = (typeof SOCKET_PEERS)[number];

export const socketPath = (directory: string, peer: SocketPeer): string => join(directory, `${peer}.sock`);

/** Calls from another process, or from this one under `--rpc socket`. */
export const carrierTo = (directory: string, peer: SocketPeer): Carrier => socketCarrier(socketPath(directory, peer));

/**
 * Edge and worker are ready only while services serve: without them every answer would be 503 (R-X35).
 */
export function servicesCheck(directory: string, peer: SocketPeer, log: Log): HealthCheck {
  const path = socketPath(directory, peer);
  let isAway = false;
  return {
    name: "services",
    async check() {
      const serves = await socketServes(path);
      if (serves === isAway) {
        isAway = !serves;
        if (isAway) log.warn(`Services ${AWAY}.`, { detail: path });
        else log.info("Services serve again.");
      }
      return serves ? undefined : AWAY;
    },
  };
}

const AWAY = "cannot be reached, stop, or do not reach their store";
