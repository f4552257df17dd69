import { DispatchService } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { attemptsOfText } from "../../../src/webhooks/deliveries/attempt.ts";
import { eachCarrier } from "../../support/carriers.ts";
import { eachStore } from "../../support/stores.ts";
import { OutcomeClass, openKit, outcomeOf } from "../webhooks-kit.ts";

eachStore((_, open) => {
  eachCarrier((__, openCarrier) => {
    it("claims and outcomes arrive unchanged, bytes and absent fields included", async () => {
      const kit = await openKit(open);
      const carrier = await openCarrier({ registrations: kit.registrations, peer: "worker" });
      const dispatch = carrier.connect(DispatchService);
      await kit.subscribe();
      await kit.emit();
      await kit.relay();
      const { attempts } = await dispatch.claimDue({ limit: 50, waitMs: 0 });
      const [claimed] = attempts;
      if (claimed === undefined) throw new Error("Nothing was claimed.");
      const { body } = await kit.tables.selectFrom("webhooks_delivery_bodies").select("body").executeTakeFirstOrThrow();
      expect(Buffer.compare(claimed.body, body)).toBe(0);
      const headers = Object.fromEntries(claimed.headers.map(({ name, value }) => [name, value]));
      expect({ headers, body: claimed.body }).toMatchEventContract();
      const outcome = outcomeOf(claimed, {
        class: OutcomeClass.TIMEOUT,
        httpStatus: undefined,
        responseExcerpt: Buffer.from([0, 0xff]),
      });
      expect(await dispatch.recordOutcomes({ outcomes: [outcome] })).toEqual({ recorded: 1 });
      const { made } = await kit.tables.selectFrom("webhooks_queue").select("made").executeTakeFirstOrThrow();
      expect(attemptsOfText(made)).toMatchObject([
        {
          outcome: "timeout",
          httpStatus: undefined,
          retryAfter: undefined,
          responseExcerpt: Buffer.from([0, 0xff]),
        },
      ]);
      expect((await dispatch.claimDue({ limit: 50, waitMs: 10 })).attempts).toEqual([]);
    });
  });
});
