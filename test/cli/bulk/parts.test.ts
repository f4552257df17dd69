import type { ImportLine, ImportWorkforceRequest } from "../../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { type ImportPlan, sendInParts } from "../../../src/cli/bulk/parts.ts";
import type { Asked } from "../../../src/cli/connection/verb.ts";
import { notFound } from "../../../src/runtime/basis/errors.ts";
import { idOf } from "../../workforce/bulk/bulk-kit.ts";

/** How many lines each call of an import has. */
async function callsOf(...texts: readonly string[]): Promise<readonly number[]> {
  const calls: number[] = [];
  const bulk = {
    getImport: async () => {
      throw notFound("import_not_found", "Nothing of it.");
    },
    async importWorkforce(messages: AsyncIterable<ImportWorkforceRequest>) {
      let count = 0;
      for await (const { lines } of messages) count += lines.length;
      calls.push(count);
      return { progress: {} };
    },
  };
  const plan: ImportPlan = {
    start: { importId: "test", emitEvents: false, allOrNothing: false },
    async *linesAfter() {
      yield* texts.map((json, index): ImportLine => ({ number: index + 1, endOffset: index + 1, json }));
    },
    onProgress: async () => undefined,
    onSent: () => undefined,
    signal: new AbortController().signal,
  };
  await sendInParts({ bulk, call: {} } as unknown as Asked, plan);
  return calls;
}

const role = (tenant: string, standard?: string) =>
  JSON.stringify({ kind: "accessRole", tenantId: idOf("client", tenant), standard, name: "Owner" });
const others = (count: number): string[] => Array<string>(count).fill("no");

describe("the calls of an import", () => {
  it.each([
    ["lines of anything", others(5_001), [5_000, 1]],
    [
      "standard roles of one tenant",
      [...others(4_999), ...["OWNER", "ADMIN", "MEMBER"].map((one) => role("A", one)), "no"],
      [5_002, 1],
    ],
    ["a standard role, and another tenant's", [...others(4_999), role("A", "OWNER"), role("B", "OWNER")], [5_000, 1]],
    ["custom roles", [...others(4_999), role("A"), role("A")], [5_000, 1]],
    [
      "more lines of standard roles than there are roles",
      [...others(4_990), ...Array<string>(20).fill(role("A", "OWNER"))],
      [5_002, 8],
    ],
  ])(
    "have at most 5,000 lines, and two more where a circle of roles may go on (R-X69): %s",
    async (_, texts, lengths) => {
      expect(await callsOf(...texts)).toEqual(lengths);
    },
  );
});
