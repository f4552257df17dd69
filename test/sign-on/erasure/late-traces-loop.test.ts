import { type ApplicationId, type InstanceId, newId, type PersonId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import {
  appendErasure,
  type ErasureTables,
  erasureMigrations,
  finishErasures,
} from "../../../src/runtime/erasure/erasures.ts";
import { lateTracesLoop } from "../../../src/sign-on/erasure/late-traces-loop.ts";
import { sessionRepository } from "../../../src/sign-on/sessions/session-repository.ts";
import { signInRepository } from "../../../src/sign-on/sign-ins/sign-in-repository.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore } from "../../support/stores.ts";
import { signOnSets } from "../sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const HOUR_MS = 3_600_000;
const ERASED = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;
const ERASED_BEFORE = "person_FXUAD7sVdMrrwGoyGkSEM" as PersonId;

/** The people whose credentials the loop leaves, of two who have some. */
async function credentialsLeft({
  db,
  changes,
  clock,
}: Pick<Parameters<typeof lateTracesLoop>[0], "db" | "changes" | "clock">) {
  // What it ends is the subject of other tests.
  const signOuts = { everywhere: async () => undefined };
  const ending = new AbortController();
  const running = lateTracesLoop({ db, changes, sessions: sessionRepository(db), signOuts, clock }).run(ending.signal);
  const left = await eventually(
    () => db.selectFrom("sign_on_credentials").select("person_id").execute(),
    (rows) => rows.length === 1,
  );
  ending.abort();
  await running;
  return left.map(({ person_id }) => person_id);
}

eachStore((_, open) => {
  it("what a request under way wrote of an erased person goes, and nothing of others (R-X331)", async () => {
    const { store, wake } = await open([...signOnSets, erasureMigrations]);
    const db = store.view<SignOnTables>();
    const erasures = store.view<ErasureTables>();
    const clock = standingClock(NOW);
    const changes = createChanges<SignOnTables>({ store, wake, clock, random: systemRandom });
    const erase = async (object: PersonId, at: Date) => {
      const scope = { people: [], tenantIds: [], redactions: [] };
      const begun = { object, actor: "platform", requestId: "", scope };
      await erasures.transaction().execute((tx) => appendErasure(tx, begun, at));
      const rows = await erasures.selectFrom("erasures").selectAll().where("object", "=", object).execute();
      await finishErasures(
        erasures,
        rows.map(({ sequence }) => ({ ...begun, sequence })),
        at,
      );
    };
    await erase(ERASED_BEFORE, new Date(NOW.getTime() - 3 * HOUR_MS));
    await erase(ERASED, NOW);
    for (const personId of [ERASED, TOMAS]) {
      await db
        .insertInto("sign_on_credentials")
        .values({ person_id: personId, password_hash: "$argon2id$…", updated_at: NOW.getTime() })
        .execute();
      await changes.run(async ({ db: tx }) =>
        signInRepository(db).record(tx, {
          ...{ personId, at: NOW, outcome: "succeeded", reason: undefined, network: "192.0.2.0/24" },
          ...{ applicationId: "app_a" as ApplicationId, instanceId: "instance_a" as InstanceId, userAgent: "Firefox" },
        }),
      );
    }

    expect(await credentialsLeft({ db, changes, clock })).toEqual([TOMAS]);
    expect(await signInRepository(db).listRecent(ERASED, 10)).toEqual([]);
    expect(await signInRepository(db).listRecent(TOMAS, 10)).toHaveLength(1);
  });

  it("of a tenant with thousands of people too, whose erasures are in parts (R-X331)", async () => {
    const { store, wake } = await open([...signOnSets, erasureMigrations]);
    const db = store.view<SignOnTables>();
    const clock = standingClock(NOW);
    const changes = createChanges<SignOnTables>({ store, wake, clock, random: systemRandom });
    // They began long ago, as those of a tenant do whose people are many.
    const times = { at: NOW.getTime() - 3 * HOUR_MS, finished_at: NOW.getTime() };
    const finished = { actor: "platform", request_id: "", scope: "{}", ...times };
    const others = Array.from({ length: 4_001 }, () => newId("person", systemRandom));
    for (const objects of [[ERASED], others.slice(0, 2_000), others.slice(2_000)])
      await store
        .view<ErasureTables>()
        .insertInto("erasures")
        .values(objects.map((object) => ({ ...finished, object })))
        .execute();
    await db
      .insertInto("sign_on_credentials")
      .values([ERASED, TOMAS].map((id) => ({ person_id: id, password_hash: "$argon2id$…", updated_at: NOW.getTime() })))
      .execute();

    expect(await credentialsLeft({ db, changes, clock })).toEqual([TOMAS]);
  });
});
