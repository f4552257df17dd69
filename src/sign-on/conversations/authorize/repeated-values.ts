import { hash } from "node:crypto";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import { Counter, type Metrics } from "#runtime/process/metrics.ts";
import type { AuthorizationRequest } from "../../interactions/interaction.ts";

/** How many values of recent requests this process remembers; a constant one repeats long before it is forgotten. */
const REMEMBERED_MAX = 10_000;

/** Watches the values of a request that must be new each time. */
export type RepeatedValues = (request: Pick<AuthorizationRequest, "applicationId" | "nonce" | "codeChallenge">) => void;

/**
 * Counts challenges and nonces that an application sends again: a constant one protects nothing (RFC 9700 §2.1.1). Only counted, since a
 * person who reloads the page sends the same request twice. Values are remembered as digests, in memory.
 */
export function countRepeatedValues(metrics: Metrics): RepeatedValues {
  const repeats = new Counter({
    name: "gatehouse_authorization_values_repeated_total",
    help: "Code challenges and nonces that an application sent before, by application and parameter.",
    labelNames: ["application", "parameter"],
    registers: [metrics],
  });
  const remembered = recentlyUsed<string, true>(REMEMBERED_MAX);
  const look = (application: ApplicationId, parameter: "nonce" | "code_challenge", value: string | undefined): void => {
    if (value === undefined) return;
    const digest = hash("sha256", `${application}\n${parameter}\n${value}`, "base64");
    if (remembered.has(digest)) repeats.inc({ application, parameter });
    remembered.set(digest, true);
  };
  return ({ applicationId, nonce, codeChallenge }) => {
    look(applicationId, "nonce", nonce);
    look(applicationId, "code_challenge", codeChallenge);
  };
}
