import { setImmediate as nextTurn } from "node:timers/promises";
import { eachStore } from "../../support/stores.ts";
import { HARBOUR, idOf, openBulk } from "./bulk-kit.ts";

eachStore((_, open) => {
  it("an export lets other work have its turn, also while it finds nothing for its reader", async () => {
    const bulk = await openBulk(open);
    const elsewhere = Array.from({ length: 2_500 }, (__, index) => ({
      ...HARBOUR.person,
      id: idOf("person", index),
      workerProfileId: idOf("profile", index),
      email: `p${index}@example.com`,
    }));
    const empty = { ...HARBOUR.instance, id: idOf("instance", "Z") };
    expect(await bulk.imports([HARBOUR.instance, empty, ...elsewhere])).toMatchObject({ bad: 0 });
    let isDone = false;
    let turns = 0;
    const others = async () => {
      for (; !isDone; turns++) await nextTurn();
    };
    const counting = others();
    expect(await bulk.exports(empty.id)).toHaveLength(1);
    isDone = true;
    await counting;
    // One for each page of 250 people.
    expect(turns).toBeGreaterThanOrEqual(10);
  });
});
