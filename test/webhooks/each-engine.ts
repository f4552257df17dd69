import { describeWith } from "../support/optional-part.ts";
import type { Closer } from "../support/scope.ts";
import { openTemporal, temporalPart } from "../support/temporal-server.ts";

/** The settings that choose an engine; what it needs ends with the scope. */
export type FlagsOf = (closeLater: (closer: Closer) => void) => Promise<Readonly<Record<string, string>>>;

/** The same suite for both retry engines: the store's own and, where its server is installed, Temporal. */
export function eachEngine(subject: string, suite: (flagsOf: FlagsOf) => void): void {
  describe(`${subject} by the embedded engine`, () => suite(async () => ({})));
  describeWith(temporalPart(), `${subject} by Temporal`, () =>
    suite(async (closeLater) => ({ "temporal-address": (await openTemporal(closeLater)).address })),
  );
}
