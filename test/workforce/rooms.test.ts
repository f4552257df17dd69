import { readFileSync } from "node:fs";
import { ImportGraph, ownNames, sourcesBelow } from "../support/import-graph.ts";
import { arrowsOf, arrowsSaid, importedBy, roomsInCircles } from "../support/rooms.ts";

/** The rooms in the order of the README's table. */
const roomsInOrder = (readme: string): readonly string[] =>
  [...readme.matchAll(/^\| `([a-z-]+)\/` \|/gm)].map(([, room = ""]) => room);

/** Arrows to a room that is not above their own in the table. */
const arrowsUpwards = (order: readonly string[], arrows: readonly string[]): readonly string[] =>
  order.flatMap((room, at) =>
    importedBy(room, arrows)
      .filter((imported) => !order.slice(0, at).includes(imported))
      .map((imported) => `${room} → ${imported}`),
  );

describe("the rooms of workforce (docs/decisions/0043)", () => {
  const sources = sourcesBelow("src");
  const arrows = arrowsOf(new ImportGraph(sources, ownNames()), "workforce");
  const said = arrowsSaid("workforce");
  const order = roomsInOrder(readFileSync("src/workforce/README.md", "utf8"));

  it("import each other as the README says, without a circle", () => {
    expect(arrows).toEqual(said);
    expect(roomsInCircles(arrows)).toEqual([]);
  });

  it("import only rooms above them in the README's table", () => {
    expect(order).toHaveLength(14);
    expect(arrowsUpwards(order, arrows)).toEqual([]);
  });

  it("a planted import is found, with the circle that it closes and the row that it is above", () => {
    const file = "src/workforce/people/person.ts";
    const planted = new Map(sources).set(file, `${sources.get(file)}\nimport type {} from "../users/user-status.ts";`);
    const found = arrowsOf(new ImportGraph(planted, ownNames()), "workforce");
    expect(found.filter((arrow) => !said.includes(arrow))).toEqual(["people → users"]);
    expect(roomsInCircles(found).toSorted()).toEqual(["people", "users"]);
    expect(arrowsUpwards(order, found)).toEqual(["people → users"]);
  });
});
