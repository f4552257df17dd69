import { readFileSync } from "node:fs";
import { ImportGraph, ownNames, sourcesBelow } from "../support/import-graph.ts";

const ROOMS = "src/webhooks/";
const roomOf = (path: string): string | undefined => /^src\/webhooks\/([a-z]+)\/(?!\d{4})/.exec(path)?.[1];

/** `queue → subscriptions`, for each arrow between two rooms. */
function arrowsOf(graph: ImportGraph): readonly string[] {
  const found = graph.files
    .filter((file) => file.startsWith(ROOMS))
    .flatMap((file) => [...graph.importsOf(file)].map(({ to }) => [roomOf(file), roomOf(to)] as const))
    .filter(([from, to]) => from !== undefined && to !== undefined && from !== to)
    .map(([from, to]) => `${from} → ${to}`);
  return [...new Set(found)].toSorted();
}

/** The lines `queue → subscriptions, deliveries` of the README. */
function arrowsSaid(readme: string): readonly string[] {
  const lines = readme.matchAll(/^ {4}([a-z]+) +→ ([a-z]+(?:, [a-z]+)*)$/gm);
  return [...lines].flatMap(([, from, to = ""]) => to.split(", ").map((one) => `${from} → ${one}`)).toSorted();
}

describe("the rooms of webhooks (docs/decisions/0042)", () => {
  it("import each other as the README says, without a circle", () => {
    const graph = new ImportGraph(sourcesBelow("src", "workflows", "generated"), ownNames());
    const arrows = arrowsOf(graph);
    expect(arrows).toEqual(arrowsSaid(readFileSync(`${ROOMS}README.md`, "utf8")));
    const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
      for (const arrow of arrows) {
        const [start, end = ""] = arrow.split(" → ");
        if (start === from && !seen.has(end)) reached(end, seen.add(end));
      }
      return seen;
    };
    const rooms = [...new Set(arrows.flatMap((arrow) => arrow.split(" → ")))];
    expect(rooms).toHaveLength(8);
    expect(rooms.filter((room) => reached(room).has(room))).toEqual([]);
  });
});
