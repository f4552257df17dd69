import { sql } from "kysely";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import type { Erasure } from "../../../src/runtime/erasure/erasures.ts";
import { leaveNumbersOut } from "../../../src/runtime/upkeep/store-identity.ts";
import { bodyEraser } from "../../../src/webhooks/deliveries/body-eraser.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { resendRepository } from "../../../src/webhooks/recoveries/resend-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { dump } from "../../support/store-dump.ts";
import { eachStore, onPostgres } from "../../support/stores.ts";
import { OTHER_TENANT_ID, OutcomeClass, openKit, TENANT_ID, userUpdated, type WebhooksKit } from "../webhooks-kit.ts";

const NEVER = new AbortController().signal;
const ANSWER = "Thank you, I have stored Maren Dahl";
/** As the store has it. */
const STORED_ANSWER = Buffer.from(ANSWER).toString("base64");

const erasureOf = (userId: string, tenantId: string = TENANT_ID): Erasure => ({
  sequence: 1,
  object: userId,
  actor: "platform",
  requestId: "req_1",
  scope: {
    people: [],
    tenantIds: [tenantId],
    redactions: [
      {
        id: userId,
        namedBy: ["userId"],
        members: { fullName: "Erased person", email: "e@erased.invalid" },
        deep: false,
      },
    ],
  },
});

eachStore((_, open) => {
  describe("the eraser of stored bodies (R-X264)", () => {
    let kit: WebhooksKit;

    beforeEach(async () => {
      kit = await openKit(open);
      await kit.subscribe();
    });

    const erase = async (erasure: Erasure, signal = NEVER) =>
      Promise.all(kit.erasers.map((eraser) => eraser.erase([erasure], signal)));
    const bodyOf = (body: Uint8Array) => JSON.parse(Buffer.from(body).toString());

    it("a delivery that is owed is made without the names, under the same event id", async () => {
      const event = userUpdated();
      const other = userUpdated();
      await kit.emit(event, other);
      await kit.relay();
      const ids = (await kit.deliveries()).map(({ eventId }) => eventId);
      expect(await erase(erasureOf(event.entity.id))).toEqual(["erased"]);
      const claimed = await kit.claim();
      const bodies = claimed.map(({ body }) => bodyOf(body));
      expect(bodies.map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      expect(bodies.find(({ entity }) => entity.id === event.entity.id).data).toMatchObject({
        ...{ userId: event.entity.id, fullName: "Erased person", email: "e@erased.invalid" },
        ...{ firstName: "Maren", status: "ACTIVE", role: { id: "2", name: "Admin" } },
      });
      expect(bodies.find(({ entity }) => entity.id === other.entity.id).data).toMatchObject({ fullName: "Maren Dahl" });
    });

    it("asks no more of a store whose numbers a restore has left out (R-X335)", async () => {
      const before = userUpdated();
      const after = userUpdated();
      const changes = createChanges({ ...kit.opened, clock: kit.clock, random: systemRandom });
      await kit.emit(before);
      await kit.relay();
      await changes.run(({ db, at }) => leaveNumbersOut(db, at, ["webhooks_queue"]));
      await kit.emit(after);
      await kit.relay();
      const ids = [before, after].map(({ entity }) => entity.id);
      for (const id of ids) {
        const asked = await watchStatements(async () => void (await erase(erasureOf(id))));
        expect(asked.length).toBeLessThan(10);
      }
      const bodies = (await kit.claim()).map(({ body }) => bodyOf(body));
      expect(bodies.map(({ data }) => data.fullName)).toEqual(["Erased person", "Erased person"]);
    });

    it("waits for an attempt that is under way, and drops what was answered to it", async () => {
      const event = userUpdated();
      await kit.emit(event);
      await kit.relay();
      const [claimed] = await kit.claim();
      expect(await erase(erasureOf(event.entity.id))).toEqual(["later"]);
      await kit.record(claimed as NonNullable<typeof claimed>, {
        class: OutcomeClass.ACKNOWLEDGED,
        httpStatus: 200,
        responseExcerpt: Buffer.from(ANSWER),
      });
      expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(true);
      expect(await erase(erasureOf(event.entity.id))).toEqual(["erased"]);
      expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(false);
      expect(await kit.deliveries()).toMatchObject([{ state: "delivered" }]);
    });

    it("drops at once what was answered to others, while one attempt is under way", async () => {
      const { entity, ...event } = userUpdated();
      for (const isAnswered of [true, false]) {
        await kit.emit({ ...userUpdated(), data: event.data, entity });
        await kit.relay();
        const [claimed] = await kit.claim();
        const outcome = { class: OutcomeClass.ACKNOWLEDGED, httpStatus: 200, responseExcerpt: Buffer.from(ANSWER) };
        if (isAnswered) await kit.record(claimed as NonNullable<typeof claimed>, outcome);
      }
      expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(true);
      expect(await erase(erasureOf(entity.id))).toEqual(["later"]);
      expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(false);
    });

    it("drops the answer once the body was removed by its age", async () => {
      const event = userUpdated();
      await kit.emit(event);
      await kit.relay();
      const [claimed] = await kit.claim();
      await kit.record(claimed as NonNullable<typeof claimed>, {
        class: OutcomeClass.ACKNOWLEDGED,
        httpStatus: 200,
        responseExcerpt: Buffer.from(ANSWER),
      });
      await kit.tables.deleteFrom("webhooks_delivery_bodies").execute();
      expect(await erase(erasureOf(event.entity.id, OTHER_TENANT_ID))).toEqual(["erased"]);
      expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(true);
      expect(await erase(erasureOf(event.entity.id))).toEqual(["erased"]);
      expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(false);
    });

    it("drops the Retry-After that was answered, in which an endpoint can write what it likes", async () => {
      const event = userUpdated();
      await kit.emit(event);
      await kit.relay();
      const [claimed] = await kit.claim();
      await kit.record(claimed as NonNullable<typeof claimed>, {
        class: OutcomeClass.REFUSED,
        httpStatus: 503,
        retryAfter: "until Maren Dahl is stored",
      });
      expect((await dump(kit.opened.store)).includes("until Maren Dahl is stored")).toBe(true);
      expect(await erase(erasureOf(event.entity.id))).toEqual(["erased"]);
      expect((await dump(kit.opened.store)).includes("until Maren Dahl is stored")).toBe(false);
      expect(await kit.deliveries()).toMatchObject([{ state: "pending" }]);
    });

    it("leaves out what another service has erased since it read a body", async () => {
      const event = userUpdated();
      const manager = { userId: userUpdated().entity.id, fullName: "Noah Berg", email: "noah.berg@harbour.example" };
      await kit.emit({ ...event, data: { ...event.data, manager } });
      await kit.relay();
      const [one, other] = [erasureOf(event.entity.id), erasureOf(manager.userId)];
      const db = kit.opened.store.view<WebhooksTables>();
      const changes = createChanges<WebhooksTables>({ ...kit.opened, clock: kit.clock, random: systemRandom });
      const meanwhile: typeof changes = {
        ...changes,
        async run(work, options) {
          await bodyEraser({ db, changes }).erase([one, other], NEVER);
          return changes.run(work, options);
        },
      };
      expect(await bodyEraser({ db, changes: meanwhile }).erase([one], NEVER)).toBe("erased");
      const [claimed] = await kit.claim();
      const { data } = bodyOf(claimed?.body ?? Buffer.alloc(0));
      expect([data.fullName, data.manager.fullName]).toEqual(["Erased person", "Erased person"]);
    });

    it("reads no bodies of other tenants, and nothing once it is to end", async () => {
      const event = userUpdated(OTHER_TENANT_ID);
      await kit.emit(event);
      await kit.relay();
      expect(await erase(erasureOf(event.entity.id, TENANT_ID))).toEqual(["erased"]);
      expect((await dump(kit.opened.store)).includes("Maren Dahl")).toBe(true);
      const ending = new AbortController();
      ending.abort();
      expect(await erase(erasureOf(event.entity.id, OTHER_TENANT_ID), ending.signal)).toEqual(["later"]);
      // What the relay took from is the outbox, which has an eraser of its own.
      await kit.tables.deleteFrom("outbox_entries").execute();
      expect(await erase(erasureOf(event.entity.id, OTHER_TENANT_ID))).toEqual(["erased"]);
      expect((await dump(kit.opened.store)).includes("Maren Dahl")).toBe(false);
    });
  });
});

onPostgres((open) => {
  it("waits for a resend that has taken a delivery out of the settled ones, and drops its answer then (R-X264)", async () => {
    const kit = await openKit(open);
    await kit.subscribe();
    const event = userUpdated();
    await kit.emit(event);
    await kit.relay();
    const [claimed] = await kit.claim();
    await kit.record(claimed as NonNullable<typeof claimed>, {
      class: OutcomeClass.ACKNOWLEDGED,
      httpStatus: 200,
      responseExcerpt: Buffer.from(ANSWER),
    });
    const settled = await kit.tables
      .selectFrom("webhooks_settled")
      .select(["sequence", "round", "endpoint_origin as endpointOrigin"])
      .execute();
    const again = await kit.opened.again();
    const resend = await again.store.view<WebhooksTables>().startTransaction().execute();
    await resendRepository(deliveryMoves).resend(resend, settled, kit.clock.now());
    const erase = () => Promise.all(kit.erasers.map((eraser) => eraser.erase([erasureOf(event.entity.id)], NEVER)));
    const erasing = erase();
    await sql`select pg_sleep(0.3)`.execute(kit.opened.store.view());
    await resend.commit().execute();
    expect([await erasing, await erase()]).toEqual([["later"], ["erased"]]);
    expect((await dump(kit.opened.store)).includes(STORED_ANSWER)).toBe(false);
  });
});
