import { ImportGraph, ownNames, sourcesBelow } from "../support/import-graph.ts";
import { arrowsDrawn, arrowsOf, arrowsSaid, roomsInCircles, roomsOf } from "../support/rooms.ts";

describe("the rooms of webhooks (docs/decisions/0042)", () => {
  const sources = sourcesBelow("src", "workflows", "generated");
  const arrows = arrowsOf(new ImportGraph(sources, ownNames()), "webhooks");
  const said = arrowsSaid("webhooks");

  it("import each other as the README says, without a circle", () => {
    expect(arrows).toEqual(said);
    expect(roomsOf(arrows)).toHaveLength(15);
    expect(roomsInCircles(arrows)).toEqual([]);
  });

  it("a planted import is found, with the circle that it closes", () => {
    const file = "src/webhooks/subscriptions/subscription.ts";
    const planted = new Map(sources).set(file, `${sources.get(file)}\nimport type {} from "../queue/signing.ts";`);
    const found = arrowsOf(new ImportGraph(planted, ownNames()), "webhooks");
    expect(found.filter((arrow) => !said.includes(arrow))).toEqual(["subscriptions → queue"]);
    expect(roomsInCircles(found).toSorted()).toEqual(["queue", "subscriptions"]);
  });

  it("an arrow of the README that no import makes is found", () => {
    const drawn = arrowsDrawn("    queue         → subscriptions, sending\n");
    expect(drawn.filter((arrow) => !arrows.includes(arrow))).toEqual(["queue → sending"]);
  });
});
