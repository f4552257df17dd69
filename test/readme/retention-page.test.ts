import { readFileSync } from "node:fs";
import { readConfig } from "../../src/config.ts";
import { tableUpkeep } from "../../src/roles/owners.ts";
import { DAY_MS } from "../../src/runtime/basis/durations.ts";

describe("docs/operations/retention.md", () => {
  const page = readFileSync("docs/operations/retention.md", "utf8");
  const kept = [...page.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].map(([, , age = ""]) => age);

  it("has every age of at least two weeks after which services remove rows", () => {
    const ages = tableUpkeep(readConfig({ flags: {}, environment: {}, roles: [] })).flatMap((table) => {
      const days = "keepMs" in table ? [table.keepMs / DAY_MS] : table.bounded.match(/\d+(?= days)/g)?.map(Number);
      return days ?? [];
    });
    const long = [...new Set(ages)].filter((days) => days >= 14).toSorted((a, b) => a - b);
    expect(long).toEqual([14, 30, 35, 90, 400, 410]);
    expect(long.filter((days) => !kept.some((age) => age.includes(`${days} days`)))).toEqual([]);
  });
});
