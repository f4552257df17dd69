import { networkInterfaces } from "node:os";
import type { Config } from "../config.ts";

/**
 * Where this installation listens, as far as this process knows: the public origins, and its ports at every address of
 * its machine. A port that the system chooses is not known beforehand.
 */
export const ownListeners = (config: Pick<Config, "issuer" | "gateway-url" | "public-port" | "management-port">) => ({
  origins: [config.issuer, config["gateway-url"]].filter((origin) => origin !== ""),
  ports: [config["public-port"], config["management-port"]].filter((port) => port !== 0),
  addresses: Object.values(networkInterfaces()).flatMap((all) => (all ?? []).map(({ address }) => address)),
});
