import { readFileSync } from "node:fs";
import { sourcesBelow } from "../support/import-graph.ts";

describe("docs/operations/metrics.md", () => {
  const registered = [...sourcesBelow("src").values()].flatMap((text) =>
    [...text.matchAll(/\bname(?: =|:) "(gatehouse_\w+)"/g)].map(([, name]) => name),
  );
  const documented = [
    ...readFileSync("docs/operations/metrics.md", "utf8").matchAll(/^\| `(gatehouse_\w+)(?:\{[\w,]+\})?` \|/gm),
  ].map(([, name]) => name);

  it("has one row for each metric that is registered, and no other", () => {
    expect(registered.length).toBeGreaterThan(20);
    expect(documented.toSorted()).toEqual(registered.toSorted());
  });
});
