import { networkInterfaces } from "node:os";
import type { Config } from "../config.ts";
import type { ListeningPorts } from "./listening-ports.ts";

/**
 * Where this installation listens: the public origins; and, at every address of this machine, the ports of this
 * process's settings and those at which its processes say that they listen.
 */
export function ownListeners(
  config: Pick<Config, "issuer" | "gateway-url" | "public-port" | "management-port">,
  listening: Pick<ListeningPorts, "has">,
) {
  // A port that the system chooses is 0 here, and known once the process listens there.
  const configured = new Set([config["public-port"], config["management-port"]]);
  return {
    origins: [config.issuer, config["gateway-url"]].filter((origin) => origin !== ""),
    ports: { has: (port: number) => configured.has(port) || listening.has(port) },
    addresses: Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
  };
}
