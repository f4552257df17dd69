import { newId } from "../../../src/runtime/basis/ids.ts";
import type { Erasure } from "../../../src/runtime/erasure/erasures.ts";
import {
  appendToOutbox,
  type OutboxTables,
  putBackIntoOutbox,
  takeFromOutbox,
} from "../../../src/runtime/outbox/outbox.ts";
import { outboxEraser } from "../../../src/runtime/outbox/outbox-eraser.ts";
import { eventually } from "../../support/eventually.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore, inTransaction, onPostgres, type TestStore } from "../../support/stores.ts";

const random = seededRandom();
const TENANT = newId("tenant", random);
const ERASED = newId("user", random);
const OTHER = newId("user", random);

const erasure: Erasure = {
  sequence: 1,
  object: ERASED,
  actor: "operator",
  requestId: "req_1",
  scope: {
    people: [],
    tenantIds: [TENANT],
    redactions: [{ id: ERASED, namedBy: ["id"], members: { name: null }, deep: false }],
  },
};

const userEntry = (id: string, name: string) => ({
  eventId: newId("event", random),
  eventType: "user.updated",
  occurredAt: new Date("2026-06-30T08:15:27.412Z"),
  entity: { type: "user", id },
  instanceId: newId("instance", random),
  tenantId: TENANT,
  data: { id, name },
  selfPath: `/users/${id}`,
});

const append = ({ store }: TestStore) =>
  inTransaction(store.view(), (tx) => appendToOutbox(tx, userEntry(ERASED, "Ada"), userEntry(OTHER, "Grace")));

const namesIn = async ({ store }: TestStore) => {
  const rows = await store
    .view<OutboxTables>()
    .selectFrom("outbox_entries")
    .select("data")
    .orderBy("sequence")
    .execute();
  return rows.map(({ data }) => (JSON.parse(data) as { readonly name: string | null }).name);
};

const erase = ({ store }: TestStore) => outboxEraser(store).erase([erasure], new AbortController().signal);

eachStore((_, open) => {
  it("takes a name out of the entries that wait, and leaves others alone, however often it runs", async () => {
    const test = await open();
    await append(test);
    expect([await erase(test), await erase(test), await namesIn(test)]).toEqual(["erased", "erased", [null, "Grace"]]);
  });
});

onPostgres((open) => {
  it("finds a name in what a relay puts back, which had taken the entry before (R-X260)", async () => {
    const test = await open();
    await append(test);
    const relay = await test.store.view().startTransaction().execute();
    const taken = await takeFromOutbox(relay, 10);
    let ended = 0;
    const answers: string[] = [];
    const erasing = eventually(
      async () => {
        answers.push(await erase(test));
        return ended > 0 ? answers.at(-1) : undefined;
      },
      (answer) => answer === "erased",
    );
    await eventually(
      async () => answers.length,
      (count) => count >= 2,
    );
    await putBackIntoOutbox(relay, taken);
    await relay.commit().execute();
    ended = 1;
    await erasing;
    expect(answers.slice(0, 2)).toEqual(["later", "later"]);
    expect(await namesIn(test)).toEqual([null, "Grace"]);
  });

  it("lets writers go on where nothing is to be erased", async () => {
    const test = await open();
    await inTransaction(test.store.view(), (tx) => appendToOutbox(tx, userEntry(OTHER, "Grace")));
    const writer = await test.store.view().startTransaction().execute();
    await appendToOutbox(writer, userEntry(OTHER, "Linus"));
    const answer = await erase(test);
    await writer.commit().execute();
    expect([answer, await namesIn(test)]).toEqual(["erased", ["Grace", "Linus"]]);
  });
});
