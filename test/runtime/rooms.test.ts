import { readdirSync } from "node:fs";
import { ImportGraph, ownNames, sourcesBelow } from "../support/import-graph.ts";
import { arrowsOf, arrowsSaid, roomsInCircles, roomsOf } from "../support/rooms.ts";

describe("the rooms of runtime", () => {
  const sources = sourcesBelow("src/runtime");
  const arrows = arrowsOf(new ImportGraph(sources, ownNames()), "runtime");
  const said = arrowsSaid("runtime");
  const folders = readdirSync("src/runtime", { withFileTypes: true }).filter((entry) => entry.isDirectory());

  it("import each other as the README says, without a circle", () => {
    expect(arrows).toEqual(said);
    // Pages import no other room, and no other room imports them.
    expect(roomsOf(arrows).toSorted()).toEqual(
      folders
        .map(({ name }) => name)
        .filter((name) => name !== "pages")
        .toSorted(),
    );
    expect(roomsInCircles(arrows)).toEqual([]);
  });

  it("a planted import is found, with the circle that it closes", () => {
    const file = "src/runtime/database/database.ts";
    const planted = new Map(sources).set(file, `${sources.get(file)}\nimport type {} from "../outbox/outbox.ts";`);
    const found = arrowsOf(new ImportGraph(planted, ownNames()), "runtime");
    expect(found.filter((arrow) => !said.includes(arrow))).toEqual(["database → outbox"]);
    expect(roomsInCircles(found).toSorted()).toEqual(["database", "erasure", "outbox", "wake"]);
  });
});
