import { networkInterfaces } from "node:os";
import { performance } from "node:perf_hooks";
import type { Config } from "../config.ts";
import type { ListeningPorts } from "./listening-ports.ts";

/** For how long addresses are remembered: asking for them takes a fifth of a millisecond, and every connection may. */
const ADDRESSES_KEPT_MS = 1_000;

/** What knows the machine's addresses, and a clock that is never set; others are for tests. */
const THIS_MACHINE = { interfaces: networkInterfaces, now: () => performance.now() };

/**
 * Where this installation listens: the public origins; and, at every address that this machine has by now, the ports of
 * this process's settings and those at which its processes say that they listen.
 */
export function ownListeners(
  config: Pick<Config, "issuer" | "gateway-url" | "public-port" | "management-port">,
  listening: Pick<ListeningPorts, "has">,
  machine: typeof THIS_MACHINE = THIS_MACHINE,
) {
  // A port that the system chooses is 0 here, and known once the process listens there.
  const configured = new Set([config["public-port"], config["management-port"]]);
  const presentAddresses = addressesOf(machine);
  return {
    origins: [config.issuer, config["gateway-url"]].filter((origin) => origin !== ""),
    ports: { has: (port: number) => configured.has(port) || listening.has(port) },
    /** Addresses come and go while the program runs: a lease ends, or a standby takes over a floating one. */
    get addresses(): readonly string[] {
      return presentAddresses();
    },
  };
}

function addressesOf({ interfaces, now }: typeof THIS_MACHINE): () => readonly string[] {
  let known: readonly string[] = [];
  let knownAt = Number.NEGATIVE_INFINITY;
  return () => {
    if (now() - knownAt < ADDRESSES_KEPT_MS) return known;
    known = Object.values(interfaces()).flatMap((all) => (all ?? []).map(({ address }) => address));
    knownAt = now();
    return known;
  };
}
