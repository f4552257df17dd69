import { sql } from "kysely";
import { newId } from "../../src/runtime/basis/ids.ts";
import { createChanges } from "../../src/runtime/changes/change.ts";
import { workforceMigrations } from "../../src/workforce/migrations/index.ts";
import { isSame } from "../../src/workforce/revisions.ts";
import type { WorkforceTables } from "../../src/workforce/tables.ts";
import { type WorkforceChange, workforceChanges } from "../../src/workforce/writes-service.ts";
import { standingClock } from "../support/clock.ts";
import { seededRandom } from "../support/random.ts";
import { eachStore } from "../support/stores.ts";

const random = seededRandom();
const [europe, asia] = [newId("instance", random), newId("instance", random)];
const [mine, yours] = [newId("tenant", random), newId("tenant", random)];
const written = { actor: "platform", object: mine };
const NOT_AN_EVENT = {
  internal: true,
  eventType: "instanceIntegration.standing",
  entity: { type: "instanceIntegration", id: "x" },
  instanceId: europe,
  tenantId: null,
  data: {},
  selfPath: "",
} as const;

eachStore((_, open) => {
  describe("a write of workforce (R-G10)", () => {
    const opened = async () => {
      const { store, wake } = await open([workforceMigrations]);
      const db = store.view<WorkforceTables>();
      for (const id of [europe, asia])
        await db.insertInto("workforce_instances").values({ id, name: id, revision: 1, created_at: 1 }).execute();
      for (const id of [mine, yours])
        await db
          .insertInto("workforce_tenants")
          .values({ id, instance_id: europe, name: id, revision: 1, created_at: 1 })
          .execute();
      const changes = workforceChanges(createChanges({ store, clock: standingClock(), random, wake }));
      const raised = async () => {
        const { rows } = await sql<{ id: string }>`select id from workforce_tenants where revision > 1
          union select id from workforce_instances where revision > 1`.execute(db);
        return rows.map(({ id }) => id).toSorted();
      };
      const audited = async () =>
        (await sql<{ action: string }>`select action from audit_entries`.execute(db)).rows.map(({ action }) => action);
      return { changes, raised, audited };
    };

    it("raises the revisions that it names and no others, and is audited under its name", async () => {
      const { changes, raised, audited } = await opened();
      const answer = await changes.run(async ({ wrote }) =>
        wrote("tenant.update", { ...written, tenants: [mine], instances: [europe] }, "answer"),
      );
      expect(answer).toBe("answer");
      expect(await raised()).toEqual([mine, europe].toSorted());
      expect(await audited()).toEqual(["tenant.update"]);
    });

    it("raises each revision once for all that one write has touched", async () => {
      const { changes, raised } = await opened();
      await changes.run(async ({ note, ended }) => {
        await note("import.store", { ...written, tenants: [yours, mine, yours], instances: [asia, europe, asia] });
        return ended(undefined);
      });
      expect(await raised()).toEqual([mine, yours, europe, asia].toSorted());
    });

    it("does not compile without a row of RAISED_BY, without the ids that its row names, or with others", async () => {
      const { changes, raised } = await opened();
      // None of these runs: what is looked at is what the compiler refuses.
      const refused = (change: WorkforceChange) => [
        // @ts-expect-error A name without a row.
        () => change.wrote("tenant.paint", { ...written, tenants: [mine] }, undefined),
        // @ts-expect-error The tenant whose answers change is missing.
        () => change.wrote("user.invite", written, undefined),
        // @ts-expect-error A write that changes no answer of a tenant.
        () => change.wrote("apiKey.issue", { actor: "operator", object: mine, tenants: [mine] }, undefined),
        // @ts-expect-error An answer that does not say what was written.
        () => changes.run(async () => undefined),
      ];
      await changes.run(async (change) => change.unchanged(refused(change).length));
      expect(await raised()).toEqual([]);
    });

    it.each<[string, (change: WorkforceChange) => Promise<unknown>, string]>([
      [
        "events and says that it wrote nothing",
        async ({ emit, unchanged }) => emit(NOT_AN_EVENT).then(() => unchanged(undefined)),
        "A change that has written says that it wrote nothing.",
      ],
      [
        "events and notes no write",
        async ({ emit, ended }) => emit(NOT_AN_EVENT).then(() => ended(undefined)),
        "A change has emitted events and noted no write.",
      ],
      [
        "a noted write and says that it wrote nothing",
        async ({ note, unchanged }) =>
          note("user.invite", { ...written, tenants: [mine] }).then(() => unchanged(undefined)),
        "A change that has written says that it wrote nothing.",
      ],
    ])("is undone where a change has %s", async (_title, work, sentence) => {
      const { changes, raised, audited } = await opened();
      await expect(changes.run((change) => work(change) as never)).rejects.toThrow(sentence);
      expect([await raised(), await audited()]).toEqual([[], []]);
    });
  });

  it("writes nothing when an update equals what is stored, whichever object holds the values", () => {
    expect(
      isSame({ city: "Oslo", units: ["a"] }, Object.assign(Object.create(null), { city: "Oslo", units: ["a"] })),
    ).toBe(true);
    expect(isSame({ city: "Oslo" }, { city: "Bergen" })).toBe(false);
  });
});
