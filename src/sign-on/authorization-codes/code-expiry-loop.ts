import { type Loop, pause, withoutDeadline } from "#runtime/basis/loop.ts";
import { type CodeExpiryDeps, EXPIRY_PAGE, expireCodes } from "./code-expiry-service.ts";

const INTERVAL_MS = 60_000;

/** Records codes that expired unused; runs where no Temporal server is configured. */
export const codeExpiryLoop = (deps: Pick<CodeExpiryDeps, "changes" | "codes">): Loop => ({
  name: "code-expiry",
  async run(signal, round = withoutDeadline(signal)) {
    while (!signal.aborted) {
      const { more } = await round(() => expireCodes(deps)({ limit: EXPIRY_PAGE }, { peer: "services" }));
      if (!more) await pause(INTERVAL_MS, signal);
    }
  },
});
