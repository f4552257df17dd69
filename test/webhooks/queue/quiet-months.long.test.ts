import { eachStore } from "../../support/stores.ts";
import { openKit, type WebhooksKit } from "../webhooks-kit.ts";

const DAY = 24 * 60 * 60 * 1000;
const QUICK = { "webhook-attempt-delays": "1ms,1ms", "webhook-jitter": "0" };

eachStore((_, open) => {
  describe("an endpoint that gets few events and fails for months (R-E12, R-X312)", () => {
    /** Exhausts the deliveries of one event. */
    async function exhaust(kit: WebhooksKit): Promise<void> {
      await kit.emit();
      for (let attempt = 0; attempt < 3; attempt++) {
        await kit.relay();
        kit.clock.step(1);
        for (const one of await kit.claim()) await kit.record(one);
      }
      await kit.relay();
    }

    it.each([
      ["an event a month", 31, {}, { warned: 5, disabled: 10 }],
      [
        "an event every eight hours, with deliveries that are kept for a day",
        1 / 3,
        { "webhook-delivery-days": "1" },
        { warned: 9, disabled: 16 },
      ],
    ])(
      "is warned and disabled, though rows of its failures are removed meanwhile: %s",
      async (_, days, more, steps) => {
        const flags = { ...QUICK, ...more };
        const kit = await openKit(open, { flags });
        await kit.subscribe({ label: "quiet", eventTypes: ["user.*"] });
        const settled = () => kit.tables.selectFrom("webhooks_settled").select("sequence").execute();
        const emitted = async (type: string) =>
          (await kit.tables.selectFrom("webhooks_events").select("event_type").execute()).some(
            ({ event_type }) => event_type === type,
          );

        const seen: { failed: number; kept: number; warned: boolean; disabled: boolean }[] = [];
        for (let failed = 1; failed <= 20; failed++) {
          await exhaust(kit);
          await kit.sweep();
          const [warned, disabled] = [await emitted("subscription.failing"), await emitted("subscription.disabled")];
          seen.push({ failed, kept: (await settled()).length, warned, disabled });
          kit.clock.step(days * DAY);
        }
        expect(Math.max(...seen.map(({ kept }) => kept))).toBeLessThan(5);
        expect({
          warned: seen.find(({ warned }) => warned)?.failed,
          disabled: seen.find(({ disabled }) => disabled)?.failed,
        }).toEqual(steps);
      },
    );
  });
});
