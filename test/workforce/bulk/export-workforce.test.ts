import { setImmediate as nextTurn } from "node:timers/promises";
import type { KyselyPlugin } from "kysely";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { exportWorkforce } from "../../../src/workforce/bulk/export-service.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { collect } from "../../support/collect.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { workforceOver } from "../workforce-fixture.ts";
import { type Bulk, bulkOver, HARBOUR, idOf } from "./bulk-kit.ts";

eachStore((_, open) => {
  let opened: TestStore;
  let bulk: Bulk;
  const empty = { ...HARBOUR.instance, id: idOf("instance", "Z") };

  beforeAll(async () => {
    opened = await open([workforceMigrations]);
    bulk = bulkOver(workforceOver(opened));
    const elsewhere = Array.from({ length: 2_500 }, (__, index) => ({
      ...HARBOUR.person,
      id: idOf("person", index),
      workerProfileId: idOf("profile", index),
      email: `p${index}@example.com`,
    }));
    expect(await bulk.imports([HARBOUR.instance, empty, ...elsewhere])).toMatchObject({ bad: 0 });
  });

  it("an export lets other work have its turn, also while it finds nothing for its reader", async () => {
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

  it("an export whose reader has left ends, also while it finds nothing for it", async () => {
    const leaving = new AbortController();
    let pages = 0;
    const watching: KyselyPlugin = {
      transformQuery({ node }) {
        if (JSON.stringify(node).includes("workforce_people") && ++pages === 2) leaving.abort();
        return node;
      },
      transformResult: async ({ result }) => result,
    };
    const snapshot = async <T>() => {
      const taken = await opened.store.snapshot<T>();
      return { ...taken, db: taken.db.withPlugin(watching) };
    };
    const limits = { pauseMs: 60_000, wholeMs: 60_000 };
    const reading = exportWorkforce({ store: { snapshot }, limits })({ instanceId: empty.id }, {
      signal: leaving.signal,
    } as Call);
    expect(await collect(reading)).toEqual([]);
    expect(pages).toBe(2);
  });
});
