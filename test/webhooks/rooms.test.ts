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

/** Rooms that lead back to themselves, over any number of arrows. */
function roomsInCircles(arrows: readonly string[]): readonly string[] {
  const reached = (from: string, seen = new Set<string>()): ReadonlySet<string> => {
    for (const arrow of arrows) {
      const [start, end = ""] = arrow.split(" → ");
      if (start === from && !seen.has(end)) reached(end, seen.add(end));
    }
    return seen;
  };
  return roomsOf(arrows).filter((room) => reached(room).has(room));
}

const roomsOf = (arrows: readonly string[]): readonly string[] => [
  ...new Set(arrows.flatMap((arrow) => arrow.split(" → "))),
];

describe("the rooms of webhooks (docs/decisions/0042)", () => {
  const sources = sourcesBelow("src", "workflows", "generated");
  const arrows = arrowsOf(new ImportGraph(sources, ownNames()));
  const said = arrowsSaid(readFileSync(`${ROOMS}README.md`, "utf8"));

  it("import each other as the README says, without a circle", () => {
    expect(arrows).toEqual(said);
    expect(roomsOf(arrows)).toHaveLength(14);
    expect(roomsInCircles(arrows)).toEqual([]);
  });

  it("a planted import is found, with the circle that it closes", () => {
    const file = `${ROOMS}subscriptions/subscription.ts`;
    const planted = new Map(sources).set(file, `${sources.get(file)}\nimport type {} from "../queue/signing.ts";`);
    const found = arrowsOf(new ImportGraph(planted, ownNames()));
    expect(found.filter((arrow) => !said.includes(arrow))).toEqual(["subscriptions → queue"]);
    expect(roomsInCircles(found).toSorted()).toEqual(["queue", "subscriptions"]);
  });

  it("an arrow of the README that no import makes is found", () => {
    const drawn = arrowsSaid("    queue         → subscriptions, sending\n");
    expect(drawn.filter((arrow) => !arrows.includes(arrow))).toEqual(["queue → sending"]);
  });
});
