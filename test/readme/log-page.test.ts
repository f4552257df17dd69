import { readFileSync } from "node:fs";

describe("docs/operations/log.md", () => {
  it("names each field that a line may have, and no other", () => {
    const source = readFileSync("src/runtime/process/log.ts", "utf8");
    const [, fields = ""] = /interface LogFields \{(.*?)^\}/ms.exec(source) ?? [];
    const allowed = [...fields.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name);
    const rows = readFileSync("docs/operations/log.md", "utf8").match(/^\| `.*? \|/gm) ?? [];
    const named = rows.flatMap((row) => [...row.matchAll(/`(\w+)`/g)].map(([, name]) => name));
    expect(allowed.length).toBeGreaterThan(15);
    // An error has its cause beside it.
    expect(named.toSorted()).toEqual([...allowed, "cause"].toSorted());
  });
});
