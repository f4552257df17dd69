import type { ImportLine } from "../../../generated/proto/gatehouse/workforce/v1/bulk.ts";
import { LINE_BYTES_MAX } from "../../../src/workforce/bulk/lines/line.ts";
import { inBatches } from "../../../src/workforce/bulk/sent-lines.ts";
import { idOf } from "./bulk-kit.ts";

const numbered = (texts: readonly string[]): ImportLine[] =>
  texts.map((json, index) => ({ number: index + 1, endOffset: index + 1, json }));

const batchesOf = async (...texts: readonly string[]): Promise<readonly number[]> => {
  const none = (async function* () {})();
  const lengths: number[] = [];
  for await (const batch of inBatches({ start: null, lines: numbered(texts) }, none)) lengths.push(batch.length);
  return lengths;
};

const role = (tenant: string, standard?: string) =>
  JSON.stringify({ kind: "accessRole", tenantId: idOf("client", tenant), standard, name: "Owner" });
const others = (count: number): string[] => Array<string>(count).fill("no");

describe("the lines of an import in batches", () => {
  it.each([
    ["lines of anything", others(600), [250, 250, 100]],
    [
      "standard roles of one tenant at the end",
      [...others(249), ...["OWNER", "ADMIN", "MEMBER"].map((one) => role("A", one)), ...others(9)],
      [252, 9],
    ],
    [
      "one standard role at the end, and another tenant's behind it",
      [...others(249), role("A", "OWNER"), role("B", "OWNER")],
      [250, 1],
    ],
    ["custom roles at the end", [...others(249), role("A"), role("A")], [250, 1]],
    [
      "as many standard roles as there are, before the end",
      [...others(247), ...["OWNER", "ADMIN", "MEMBER", "OWNER"].map((one) => role("A", one))],
      [250, 1],
    ],
    ["more lines of standard roles than there are roles", Array<string>(600).fill(role("A", "OWNER")), [250, 250, 100]],
    ["what only looks like a role", [...others(249), "null", '["standard"]', '{"standard":'], [250, 2]],
  ])("are at most 250, and two more where a circle of roles may go on (R-X69): %s", async (_, texts, lengths) => {
    expect(await batchesOf(...texts)).toEqual(lengths);
  });

  it.each([
    ["two halves and one more", Array<string>(3).fill("a".repeat(LINE_BYTES_MAX / 2)), [2, 1]],
    ["a byte less in two lines", ["a".repeat(LINE_BYTES_MAX - 2), "a", "a", "a"], [3, 1]],
    ["as many lines as two batches have", others(500), [250, 250]],
  ])("are full with 1 MiB, too, and none is empty: %s", async (_, texts, lengths) => {
    expect(await batchesOf(...texts)).toEqual(lengths);
  });

  it("are stored when they are full, not when another line comes", async () => {
    const endless = { next: () => new Promise<never>(() => undefined) } as unknown as AsyncIterator<never>;
    const batches = inBatches({ start: null, lines: numbered(others(250)) }, endless);
    expect((await batches.next()).value).toHaveLength(250);
  });
});
